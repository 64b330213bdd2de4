"""A thousand random valid orders over the shipped packages, in every location: whoever adds one up finds the same sum,
from the question what it costs to the invoice of its first month.

The oracle knows the raw price lists, counts in exact fractions and rounds each line once.
"""

import csv
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from math import floor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client

from accounts.models import Account, User
from accounts.services import api_key_create
from accounts.tests.factories import make_account, make_member
from catalog.loading import SHIPPED
from catalog.models import ItemPrice, Package
from catalog.pricing import Term
from catalog.services import LineAnswer
from catalog.shelves import Place, shelves_of
from catalog.tests.test_softlayer_oracle import groups_of_data_centres, raw_prices
from catalog.tests.test_softlayer_oracle import oracle as softlayer_fee
from core.bulk import statistics_refresh
from core.clock import now
from core.invariants import breaches_of
from orders.billing.invoicing import account_bill
from orders.billing.months import Month
from orders.checking import order_check
from orders.composing import Composition, order_compose
from orders.fulfilment.beginning import order_fulfil
from orders.fulfilment.moving import resources_move
from orders.fulfilment.settling import order_settle, resources_of_order
from orders.management.commands.check_invariants import EVERY_INVARIANT
from orders.models import BillingOrder, InvoiceLine, OrderLine, ResourceState
from orders.moves import THE_PRODUCT
from orders.placing import order_place
from orders.selectors import OrderTree, order_tree, orders_of, tree_of, with_parts
from orders.totals import Owed, owed_for, totals_of
from tests.random_orders import Candidate, one_of_each_place_first, valid_containers

pytestmark = pytest.mark.django_db

SHARES_OF_A_THOUSAND = 4
ORDERS_IN_A_SHARE = 250
CONTAINERS_IN_A_SHARE = 280
"""More than orders, so that some orders have two."""
HOURS = ("720", "744", "1", "333.33")
FIRST_MONTHS = (Month(2027, 4), Month(2027, 5), Month(2027, 2), Month(2028, 2))
"""The first two have as many hours as a month is counted with, so that there an invoice says of hourly terms too what
was verified."""
LEAST_ON_MONTHLY_TERMS = 100
"""In each share, so many orders at least have only monthly terms."""
ONCE = ("setup", "one_time", "labor")
SOFTLAYER_ONCE = ("setupFee", "oneTimeFee", "laborFee")
Sums = tuple[Fraction, Fraction]
"""What is owed each month and once."""
NOTHING: Sums = (Fraction(0), Fraction(0))


@dataclass(frozen=True)
class RawFees:
    """The fees of one piece as a price list writes them; None is not offered that way."""

    monthly: Fraction | None
    hourly: Fraction | None
    once: Fraction


class PriceLists:
    """The raw price lists, read anew and without the product's own reading."""

    def __init__(self) -> None:
        self.fees: dict[tuple[str, str], RawFees] = {}
        self.softlayer = raw_prices()
        self.centres = groups_of_data_centres()
        for prices in self.softlayer.values():
            for price in prices:
                monthly, hourly = exactly(price.get("recurringFee")), exactly(price.get("hourlyRecurringFee"))
                paid_once = (exactly(price.get(name)) or Fraction(0) for name in SOFTLAYER_ONCE)
                once = sum(paid_once, Fraction(0))
                self.fees["softlayer", str(price["id"])] = RawFees(monthly, hourly, once)
        for path in sorted(SHIPPED.glob("*/prices.csv")):
            self._read(path, source=json.loads((path.parent / "catalog.json").read_text())["source"])

    def _read(self, path: Path, *, source: str) -> None:
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                once = sum((exactly(row.get(f"{name}_fee")) or Fraction(0) for name in ONCE), Fraction(0))
                fees = RawFees(exactly(row.get("recurring_fee")), exactly(row.get("hourly_recurring_fee")), once)
                self.fees[source, row["external_id"]] = fees

    def owed(self, line: OrderLine, *, hours: Decimal) -> Sums:
        """Say what a line owes by the lists alone, each amount rounded half-up once."""
        container, price = line.container, line.source_price
        assert price is not None
        fees = self.fees[line.item.source, price.external_id]
        if line.item.source == "softlayer":
            self._agree(line, price, fees)
        is_hourly = container.term == Term.HOURLY
        rate, factor = (fees.hourly, Fraction(hours)) if is_hourly else (fees.monthly, Fraction(1))
        assert rate is not None
        return half_up(rate * factor * container.quantity), half_up(fees.once * container.quantity)

    def _agree(self, line: OrderLine, price: ItemPrice, fees: RawFees) -> None:
        """See to it that the list names this fee for the line's data centre."""
        container = line.container
        least = price.restriction_minimum
        wanted = softlayer_fee(
            self.softlayer[line.item.external_id],
            self.centres[container.location.key_name],
            Term(container.term),
            None if least is None else (price.restriction, least),
        )
        fee = fees.hourly if container.term == Term.HOURLY else fees.monthly
        assert wanted is not None
        assert fee == Fraction(wanted)


def exactly(words: Any) -> Fraction | None:
    return Fraction(str(words)) if words not in (None, "") else None


def half_up(amount: Fraction) -> Fraction:
    return Fraction(floor(amount * 100 + Fraction(1, 2)), 100)


def added(sums: Iterable[Sums]) -> Sums:
    monthly, once = Fraction(0), Fraction(0)
    for each_month, each_once in sums:
        monthly, once = monthly + each_month, once + each_once
    return monthly, once


def of_each_order(owed: Iterable[tuple[OrderLine, Sums]]) -> dict[int, Sums]:
    """Add up what the lines of each order owe."""
    sums: defaultdict[int, Sums] = defaultdict(lambda: NOTHING)
    for line, amounts in owed:
        sums[line.container.order_item.order_id] = added((sums[line.container.order_item.order_id], amounts))
    return dict(sums)


def sums_of(tree: OrderTree) -> Sums:
    assert tree.totals.is_exact
    return Fraction(tree.totals.monthly.known.amount), Fraction(tree.totals.once.known.amount)


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def ana(account: Account) -> User:
    return make_member(account)


@pytest.fixture
def program(account: Account, ana: User) -> Client:
    _, key = api_key_create(account_id=account.pk, user_id=ana.pk, name="portal", scope="read", now=now())
    return Client(headers={"host": "localhost", "authorization": f"Api-Key {key}"})


def places_of_packages() -> list[tuple[Package, Place]]:
    packages = list(Package.objects.filter(is_active=True).order_by("pk"))
    shelves = shelves_of(package_ids=[package.pk for package in packages])
    return [(package, place) for package in packages for place in shelves[package.pk].places]


def orders_from(found: list[tuple[Candidate, Any]], random: Random) -> Iterable[list[tuple[Candidate, Any]]]:
    """Deal the containers out to orders so that each is used, most orders having one."""
    random.shuffle(found)
    extra = len(found) - ORDERS_IN_A_SHARE
    assert 0 <= extra <= ORDERS_IN_A_SHARE
    for number in range(ORDERS_IN_A_SHARE):
        yield found[number : number + 1] + found[ORDERS_IN_A_SHARE + number :][: number < extra]


def owed_by(candidate: Candidate, line: LineAnswer) -> Owed:
    return owed_for(price=line.price, quantity=candidate.question.quantity)


def composed(account: Account, user: User, parts: Iterable[Composition], hours: str) -> BillingOrder:
    return order_compose(
        account=account,
        user=user,
        name="A random order",
        hours_per_month=Decimal(hours),
        compositions=list(parts),
        now=now(),
    )


def begin_all(*, at: datetime) -> None:
    """Carry all placed orders out: each of their machines is there from this moment on."""
    for order in BillingOrder.objects.order_by("pk"):
        order = order_fulfil(order_id=order.pk, account_id=order.account_id, now=at)
        for state in (ResourceState.PROVISIONING, ResourceState.ACTIVE):
            resources_move(resources=resources_of_order(order), to_state=state, now=at, actor=THE_PRODUCT)
        order_settle(order=order, now=at)


def billed_for(month: Month, account: Account) -> dict[int, Sums]:
    """Return what the account's invoices ask of each order line for its first month: monthly terms ask in advance,
    hourly ones afterwards."""
    for issued in (month, month.next):
        (invoice,) = account_bill(account_id=account.pk, month=issued, now=issued.begin)
        assert invoice.tax == 0
    billed: defaultdict[int, Sums] = defaultdict(lambda: NOTHING)
    for line in InvoiceLine.objects.filter(period=month.first, order_line__isnull=False):
        assert line.order_line_id is not None
        amount, is_once = Fraction(line.amount), line.kind == InvoiceLine.Kind.ONCE
        asked = (Fraction(0), amount) if is_once else (amount, Fraction(0))
        billed[line.order_line_id] = added((billed[line.order_line_id], asked))
    return billed


def told_by_the_api(program: Client) -> dict[int, Sums]:
    """Return what each order comes to by the API's list."""
    told: dict[int, Sums] = {}
    for page in range(1, ORDERS_IN_A_SHARE // 100 + 2):
        rows = program.get(f"/api/v1/orders?page_size=100&page={page}").json()["results"]
        for row in rows:
            told[row["id"]] = (Fraction(row["totals"]["monthly"]), Fraction(row["totals"]["once"]))
    return told


@pytest.mark.parametrize("share", range(SHARES_OF_A_THOUSAND))
def test_verification_placed_order_lines_api_and_price_lists_agree_on_a_thousand_orders(
    share, shipped_catalogue, account, ana, program
):
    random, hours, month = Random(share), HOURS[share], FIRST_MONTHS[share]
    places = places_of_packages()[share::SHARES_OF_A_THOUSAND]
    found = valid_containers(places=places, account=account, random=random, each=8, hours=Decimal(hours))
    shown: dict[int, Sums] = {}

    for parts in orders_from(one_of_each_place_first(found)[:CONTAINERS_IN_A_SHARE], random):
        order = composed(account, ana, (one.composition for one, _ in parts), hours)
        verified = totals_of((owed_by(one, line) for one, answer in parts for line in answer.lines), currency="USD")
        check = order_check(order_id=order.pk, account_id=account.pk, now=now())
        assert (check.violations, check.totals) == ((), verified)
        monthly = verified.monthly.known.amount
        order_place(order_id=order.pk, account_id=account.pk, user=ana, now=now(), shown_monthly=monthly)
        shown[order.pk] = (Fraction(monthly), Fraction(verified.once.known.amount))

    statistics_refresh("orders", "core")
    lists = PriceLists()
    placed = {order.pk: tree_of(order) for order in with_parts(orders_of(account_id=account.pk))}
    columns = ("container__location", "container__order_item", "item", "source_price")
    lines = OrderLine.objects.select_related(*columns)
    assert len(placed) == ORDERS_IN_A_SHARE
    assert {order.order.state for order in placed.values()} == {"placed"}
    assert {pk: sums_of(tree) for pk, tree in placed.items()} == shown
    assert of_each_order((line, lists.owed(line, hours=Decimal(hours))) for line in lines) == shown
    assert told_by_the_api(program) == shown
    containers = [node.container for tree in placed.values() for node in tree.containers]
    used = {(container.package_id, container.location_id) for container in containers}
    assert used == {(package.pk, place.location_id) for package, place in places}

    begin_all(at=month.begin)
    billed = billed_for(month, account)
    assert {order.state for order in BillingOrder.objects.all()} == {"active"}
    assert {line.pk: billed[line.pk] for line in lines} == {
        line.pk: lists.owed(line, hours=Decimal(24 * month.days)) for line in lines
    }
    is_as_counted = Decimal(hours) == 24 * month.days
    by_the_hour = {line.container.order_item.order_id for line in lines if line.container.term == Term.HOURLY}
    as_shown = shown.keys() if is_as_counted else shown.keys() - by_the_hour
    invoiced = of_each_order((line, billed[line.pk]) for line in lines)
    assert len(as_shown) >= LEAST_ON_MONTHLY_TERMS
    assert {pk: invoiced[pk] for pk in as_shown} == {pk: shown[pk] for pk in as_shown}
    assert breaches_of(EVERY_INVARIANT) == []


def test_the_order_of_the_lines_and_of_the_containers_changes_nothing(shipped_catalogue, account, ana):
    random = Random(7)
    places = places_of_packages()[::5]
    found = valid_containers(places=places, account=account, random=random, each=2, hours=Decimal(720))

    for start in range(0, len(found) - 1, 2):
        parts = [one for one, _ in found[start : start + 2]]
        turned = [one.asked(dict(random.sample(list(one.picks.items()), len(one.picks)))) for one in reversed(parts)]
        sums = {
            sums_of(order_tree(order_id=order.pk, account_id=account.pk))
            for order in (composed(account, ana, (one.composition for one in some), "720") for some in (parts, turned))
        }
        assert len(sums) == 1
    assert len(found) >= 20
