"""What docs/api.md says is so: its examples are sent as they stand there, and it names every call and no other."""

import json
import re

import pytest

from api.tests.contract import description
from tests.servers import ROOT

DOCUMENT = (ROOT / "docs/api.md").read_text()
EXAMPLE = re.compile(r"^ {6}POST (/api/v1/\S+)\n((?: {6}.*\n)+)", re.MULTILINE)


def examples() -> list[tuple[str, dict]]:
    """Return the address and the body of every example that stands under one."""
    return [(path, json.loads(body)) for path, body in EXAMPLE.findall(DOCUMENT)]


def test_there_are_examples_of_every_call_that_takes_an_order():
    orders = {"/api/v1/orders/verify", "/api/v1/orders", "/api/v1/blueprints/mongo-small/order"}

    assert {path for path, _ in examples()} >= orders


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "body"), examples())
def test_every_example_is_accepted_as_it_stands(shipped_catalogue, program, path, body):
    answer = program.post(path, body)

    assert answer.status_code in {200, 201, 202}
    if answer.status_code == 201:
        answer = program.post(f"{answer['Location']}/verify")
    if "valid" in answer.json():
        assert (answer.json()["valid"], answer.json()["violations"]) == (True, [])


def test_the_table_of_calls_names_every_address_and_no_other():
    table = DOCUMENT.partition("## All calls")[2].partition("## What is sent")[0]
    named = set()
    for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE):
        addresses = [re.sub(r"^(GET|POST|PUT) ", "", call).partition("?")[0] for call in re.findall(r"`([^`]+)`", row)]
        before = ""
        for address in addresses:
            before = f"{before.rpartition('/')[0]}/{address[2:]}" if address.startswith("…/") else address
            named.add(before)

    described = {
        re.sub(r"\{\w+_(id|uuid)\}", r"{\1}", path.removeprefix("/api/v1/"))
        for path in description()["paths"]
        if path.startswith("/api/v1/")
    }
    assert named == described
