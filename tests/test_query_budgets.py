"""How many queries each address costs, whole requests of somebody who is signed in: query_budgets.json has them all.

A list costs six at most, as many for a thousand rows as for ten. `lists` are addresses that show rows of one kind, and
the test sees to it that they do; `pages` are all others. A new address fails here until it stands in one of the two,
and a new list until `many_rows` makes rows for it. The numbers are exact: whoever needs one query more, or fewer, says
so. A program's budget is that of a call with a key; with a session the same call costs one query more.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.services import api_key_create
from accounts.tests.factories import client_of
from catalog.models import Item
from core.clock import now
from tests.many_rows import PACKAGE, make_many, name_of
from tests.tenants import OF_TENANTS_MADE_BY_HAND, Tenant, make_tenant
from tests.test_tenant_walls import MAKERS, OURS, SHARED_CATALOGUE

BUDGETS: dict[str, dict[str, int]] = json.loads((Path(__file__).parent / "query_budgets.json").read_text())
ALL = {asked: cost for budgets in BUDGETS.values() for asked, cost in budgets.items()}
MOST_FOR_A_LIST = 6
SESSION_OVER_KEY = 1
"""A session is looked up and then its user with everything; a key is found with everything at once."""
ROW = re.compile(r'(?:[Mm]any[ -]|Invoice |"number":)(\d{4})')
LEAST_ROWS = 5
NO_PAGES_OF_OURS = {"api-docs", "api-schema", "healthz", "sign-in", "sign-out", "brand-css"}
"""What strangers and machines ask for, the same for everybody."""

OF_MANY_ROWS_MADE_IN_BULK = pytest.mark.breaks_invariants(
    "invoice = sum of its lines", "order line = promised line", "order state = states of its resources"
)
pytestmark = [pytest.mark.django_db, OF_TENANTS_MADE_BY_HAND, OF_MANY_ROWS_MADE_IN_BULK]


def arguments_of(name: str, owned: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what is asked for at an address: what North owns, or the package of many items."""
    if name in owned:
        return owned[name]
    item_id = Item.objects.get(description=name_of(0)).pk
    shared = {"key_name": "many-0000" if "blueprint" in name else PACKAGE, "item_id": item_id, "kind_key": "raid"}
    return {word: shared[word] for word in SHARED_CATALOGUE.get(name, {})}


def is_for_programs(asked: str) -> bool:
    """Tell whether an address is one of the API; a page may well be about API keys."""
    name = asked.partition("?")[0]
    return name.startswith("api-") and not name.startswith("api-key-")


class Visitor:
    """North's owner at a browser, and a program of his, with many rows of everything."""

    def __init__(self, north: Tenant, *, count: int) -> None:
        self.owned = {name: arguments(north) for name, arguments in MAKERS.items()}
        self.order_id = north.order.pk
        make_many(count, order=north.order, user=north.user)
        _, text = api_key_create(
            account_id=north.account.pk, user_id=north.user.pk, name="portal", scope="write", now=now()
        )
        self.browser = client_of(north.user)
        self.program = Client(headers={"host": "north.localhost", "authorization": f"Api-Key {text}"})
        self.program.get("/api/v1/locations")  # its use is noted now, and not again within the minute

    def look(self, asked: str) -> tuple[int, Any]:
        """Return what an address such as "package?show=priced" costs, and its answer."""
        name, _, query = asked.partition("?")
        query = query.replace("ORDER", str(self.order_id))
        url = f"{reverse(name, kwargs=arguments_of(name, self.owned))}?{query}"
        if not is_for_programs(name):
            return self.cost(self.browser, url)
        cost, answer = self.cost(self.program, url)
        assert self.cost(self.browser, url)[0] == cost + SESSION_OVER_KEY, asked
        return cost, answer

    @staticmethod
    def cost(client: Client, url: str) -> tuple[int, Any]:
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(url)
        return len(queries), answer


@pytest.fixture
def north() -> Tenant:
    assert connection.features.supports_json_field, "SQLite is asked once for each connection"
    tenant = make_tenant(partner="North", account="Aurora Studios", email="olga@north.example")
    tenant.user.is_staff = True  # the pages of the operator's people have a budget too
    tenant.user.save()
    return tenant


def addresses_to_read(visitor: Visitor) -> Iterator[str]:
    """Yield the name of every address that answers when it is looked at."""
    for address in OURS:
        if address.name not in NO_PAGES_OF_OURS:
            url = reverse(address.name, kwargs=arguments_of(address.name, visitor.owned))
            if visitor.browser.get(url).status_code != 405:
                yield address.name


def test_every_address_that_can_be_read_has_a_budget(north):
    known = {asked.partition("?")[0] for asked in ALL}

    found = set(addresses_to_read(Visitor(north, count=10)))

    assert sorted(found - known) == [], "say in query_budgets.json what it may cost"
    assert sorted(known - found) == [], "query_budgets.json knows more than there is"


def test_no_list_may_cost_more_than_six_queries():
    assert {
        asked: cost
        for asked, cost in BUDGETS["lists"].items()
        if cost + (SESSION_OVER_KEY if is_for_programs(asked) else 0) > MOST_FOR_A_LIST
    } == {}


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_each_address_keeps_its_budget_however_many_rows_there_are(north, count):
    visitor = Visitor(north, count=count)

    seen = {asked: visitor.look(asked) for asked in ALL}

    rows = {asked: len(set(ROW.findall(seen[asked][1].content.decode()))) for asked in BUDGETS["lists"]}
    assert {asked: number for asked, number in rows.items() if number < LEAST_ROWS} == {}, "a list shows rows"
    costs = {asked: cost for asked, (cost, _) in seen.items()}
    assert {asked: cost for asked, cost in costs.items() if cost != ALL[asked]} == {}, (
        "query_budgets.json says otherwise"
    )
    assert {answer.status_code for _, answer in seen.values()} <= {200, 302}
