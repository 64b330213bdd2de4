"""The operator's meters tell what was used, as often as they like."""

import pytest

from accounts.tests.factories import client_of, make_operator
from orders.models import UsageRecord
from orders.tests.factories import make_shop
from orders.tests.fulfilment_steps import make_servers_with_traffic


@pytest.fixture
def server(account, ana):
    return make_servers_with_traffic(shop=make_shop(), account=account, user=ana)[0]


def send(client, *readings):
    return client.post("/api/v1/usage", {"readings": list(readings)}, content_type="application/json")


def reading(server, quantity):
    return {"resource": str(server.uuid), "month": "2026-06", "item": "traffic", "quantity": quantity}


def test_use_is_recorded_once_and_corrected_by_another_quantity(server):
    meter = client_of(make_operator())

    answers = [send(meter, reading(server, quantity)).json() for quantity in ("350", "350.0", "300")]

    assert answers == [
        {"added": 1, "corrected": 0, "unchanged": 0},
        {"added": 0, "corrected": 0, "unchanged": 1},
        {"added": 0, "corrected": 1, "unchanged": 0},
    ]


def test_every_problem_is_named_with_its_field(server):
    bad = {"resource": "server-7", "month": "soon", "item": "traffic", "quantity": "much"}

    answer = send(client_of(make_operator()), reading(server, "1"), bad)

    assert answer.status_code == 422
    assert [each["field"] for each in answer.json()["violations"]] == [
        "readings[1].resource",
        "readings[1].month",
        "readings[1].quantity",
    ]
    assert not UsageRecord.objects.exists()


def test_nobody_but_the_operator_records_use(server, ana):
    answer = send(client_of(ana), reading(server, "1"))

    assert answer.status_code == 403
    assert not UsageRecord.objects.exists()
