"""Orders composed from the shipped catalogue: whoever asks what one costs hears the same, to the cent."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from django.test import Client

from accounts.models import Account, User
from accounts.services import api_key_create
from accounts.tests.factories import make_account, make_member
from catalog.models import Blueprint, Package
from catalog.package_form import package_parts
from catalog.pricing import HOURS_PER_MONTH, Term
from catalog.shelves import Place, shelf_of, shelves_of
from core.clock import now
from orders.blueprint_offers import blueprint_offers
from orders.checking import order_check
from orders.compose_address import Asked, Pick
from orders.composer import Composed, compose
from orders.composing import Composition, order_compose
from orders.models import BillingOrder
from orders.options import CategoryOptions, PackageOptions, package_options
from orders.placing import order_place
from orders.selectors import order_tree
from orders.totals import Totals, totals_of

pytestmark = pytest.mark.django_db

SHARES_OF_FIVE_HUNDRED = 5
ORDERS_IN_A_SHARE = 100
ROUNDS = 6
HOURS = ("720", "744", "1", "333.33")


@pytest.fixture
def shipped(shipped_catalogue: None) -> list[Package]:
    return list(Package.objects.filter(is_active=True))


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def ana(account: Account) -> User:
    return make_member(account)


@pytest.fixture
def program(account: Account, ana: User) -> Client:
    _, key = api_key_create(account_id=account.pk, user_id=ana.pk, name="portal", scope="write", now=now())
    return Client(headers={"host": "localhost", "authorization": f"Api-Key {key}"})


class Shelves:
    """The shipped packages with their places, and what each offers there: read once, chosen from often."""

    def __init__(self, packages: Iterable[Package], account: Account) -> None:
        self.packages = list(packages)
        self.account = account
        self.shelves = shelves_of(package_ids=[package.pk for package in self.packages])
        self.parts = {pk: package_parts(shelf=shelf, account=account, at=now()) for pk, shelf in self.shelves.items()}
        self.options: dict[tuple[int, str, Term], PackageOptions] = {}

    def offered(self, package: Package, place: Place, term: Term) -> PackageOptions:
        key = (package.pk, place.key_name, term)
        if key not in self.options:
            self.options[key] = package_options(
                parts=self.parts[package.pk],
                place=place,
                term=term,
                hours_per_month=HOURS_PER_MONTH,
                chosen=[],
            )
        return self.options[key]

    def compose(self, random: Random, *, hours: str, packages: Sequence[Package] = ()) -> Composed:
        """Return a container of anything, anywhere, chosen until nothing is wrong with it."""
        while True:
            package = random.choice(packages or self.packages)
            place, term = random.choice(self.shelves[package.pk].places), random.choice(list(Term))
            options = self.offered(package, place, term)
            if not all(any(each.is_offered for each in one.options) for one in options.categories if one.is_required):
                continue
            asked = Asked(
                package=package.key_name,
                location=place.key_name,
                term=term.value,
                hours=hours,
                quantity=str(random.choice((1, 2, 3, 7, 48, 1000))),
                name=f"{package.name} {random.randrange(3)}",
                picks={one.category_code: picks for one in options.categories if (picks := random_picks(random, one))},
            )
            for _ in range(ROUNDS):
                composed = compose(
                    asked=asked, shelf=self.shelves[package.pk], account=self.account, draft=None, at=now()
                )
                if not composed.problems:
                    return composed
                asked = put_right(composed, random)


def random_picks(random: Random, category: CategoryOptions) -> tuple[Pick, ...]:
    offered = [option for option in category.options if option.is_offered]
    if not offered or (not category.is_required and random.random() < 0.8):
        return ()
    count = random.randint(1, category.quantity_limit)
    return (Pick(random.choice(offered).value, str(count)),)


def put_right(composed: Composed, random: Random) -> Asked:
    """Choose again, or leave out, where something is wrong."""
    picks = dict(composed.asked.picks or {})
    for problem in composed.problems:
        category = composed.options.category(problem.field)
        if category and category.is_required:
            picks[problem.field] = random_picks(random, category)
        else:
            picks.pop(problem.field, None)
    return replace(composed.asked, picks=picks)


def drafted(account: Account, user: User, compositions: list[Composition], hours: str) -> BillingOrder:
    return order_compose(
        account=account,
        user=user,
        name="A random order",
        hours_per_month=Decimal(hours),
        compositions=compositions,
        now=now(),
    )


def in_words(totals: Totals) -> dict[str, str]:
    return {
        "monthly": totals.monthly.known.text,
        "once": totals.once.known.text,
        "over_12_months": totals.over_one_year.known.text,
        "over_36_months": totals.over_three_years.known.text,
    }


def api_totals(program: Client, order: BillingOrder) -> dict[str, Any]:
    totals = program.get(f"/api/v1/orders/{order.pk}").json()["totals"]
    return {name: totals[name] for name in ("monthly", "once", "over_12_months", "over_36_months")}


@pytest.mark.parametrize("share", range(SHARES_OF_FIVE_HUNDRED))
def test_composer_draft_verification_placed_order_and_api_agree_on_random_orders(share, shipped, account, ana, program):
    shelves, random = Shelves(shipped, account), Random(share)
    seen = set()

    for number in range(ORDERS_IN_A_SHARE):
        first = [shipped[number % len(shipped)]]
        hours = random.choice(HOURS)
        others = random.choice((0, 0, 1))
        parts = [shelves.compose(random, hours=hours, packages=packages) for packages in [first, *[[]] * others]]
        shown = sum((part.totals for part in parts), start=totals_of([], currency="USD"))

        order = drafted(account, ana, [part.composition for part in parts if part.composition], hours)
        check = order_check(order_id=order.pk, account_id=account.pk, now=now())
        order_place(
            order_id=order.pk, account_id=account.pk, user=ana, now=now(), shown_monthly=shown.monthly.known.amount
        )
        placed = order_tree(order_id=order.pk, account_id=account.pk)

        assert check.violations == ()
        assert check.totals == placed.totals == shown
        assert api_totals(program, order) == in_words(shown)
        seen.update(part.package.key_name for part in parts)

    assert BillingOrder.objects.filter(state="placed").count() == ORDERS_IN_A_SHARE
    assert seen == {package.key_name for package in shipped}


@pytest.mark.parametrize("term", list(Term))
def test_every_preset_and_solution_can_be_ordered_as_it_is(term, shipped, account, ana):
    offers = blueprint_offers(
        account=account, location_key="dal05", term=term, hours_per_month=HOURS_PER_MONTH, at=now()
    )

    assert len(offers) == Blueprint.objects.count() >= 20
    assert {offer.key_name: offer.violations for offer in offers if not offer.is_valid} == {}
    for offer in offers:
        order = drafted(account, ana, list(offer.compositions), "720")
        check = order_check(order_id=order.pk, account_id=account.pk, now=now())
        assert check.is_valid, offer.key_name
        assert check.totals == offer.totals


def test_every_preset_opens_in_the_composer_with_the_price_of_the_list(shipped, account):
    offers = blueprint_offers(
        account=account, location_key="dal05", term=Term.MONTHLY, hours_per_month=HOURS_PER_MONTH, at=now()
    )
    presets = {offer.key_name: offer.totals for offer in offers if len(offer.roles) == 1}
    seen = {}
    for package in shipped:
        composed = compose(
            asked=Asked(package=package.key_name, location="dal05", term="monthly"),
            shelf=shelf_of(key_name=package.key_name),
            account=account,
            draft=None,
            at=now(),
        )
        seen |= {offer.preset.key_name: offer.totals for offer in composed.presets if offer.is_valid}

    assert len(presets) >= 18
    assert seen == presets


@pytest.mark.parametrize("term", list(Term))
def test_no_two_options_of_a_category_read_the_same(term, shipped, account):
    shelves = Shelves(shipped, account)

    seen = [
        (package.key_name, one.category_code, option.item.description, option.note)
        for package in shipped
        for one in shelves.offered(package, shelves.shelves[package.pk].places[0], term).categories
        for option in one.options
    ]

    assert len(seen) == len(set(seen)) > 100
    assert len([words for *_, words, _ in seen if words.endswith(", 2U chassis")]) == 2


def test_a_preset_says_in_which_chassis_its_processor_comes(shipped, account):
    offers = blueprint_offers(
        account=account, location_key="dal05", term=Term.MONTHLY, hours_per_month=HOURS_PER_MONTH, at=now()
    )

    servers = {offer.key_name: offer.roles[0].parts[0] for offer in offers}

    assert servers["d2620v4-64gb-1x1tbsata-noraid"] == "Dual Intel Xeon E5-2620 v4 (16 Cores, 2.10 GHz), 1U chassis"
