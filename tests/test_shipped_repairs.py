"""Repairs over the shipped catalogue: what is dropped is named exactly, and what is offered is the cheapest."""

from collections.abc import Sequence
from decimal import Decimal
from random import Random

import pytest

from accounts.models import Account
from accounts.tests.factories import make_account, make_member
from catalog.containers import ContainerAnswer
from catalog.models import Item, Location, Package
from catalog.pricing import HOURS_PER_MONTH, Term
from catalog.services import ContainerQuestion, containers_check
from core.clock import now
from core.money import total_of
from orders.checking import order_check
from orders.composing import Choice, Composition, order_compose
from orders.documents import to_document
from orders.json_patch import patch_apply
from orders.repairing import order_repair
from orders.selectors import order_tree

pytestmark = pytest.mark.django_db

ROUNDS = 6
PACKAGES = ("BARE_METAL_SERVER", "benchmark-server")
Choices = list[tuple[str, Item]]


class Shop:
    """A shipped package with what fills its categories, and orderable containers of it, made at random."""

    def __init__(self, key_name: str, account: Account, seed: int) -> None:
        self.package, self.account, self.random = Package.objects.get(key_name=key_name), account, Random(seed)
        self.location = self.random.choice(list(Location.objects.filter(packages=self.package)))
        self.term = self.random.choice(list(Term))
        configuration = self.package.configuration.select_related("category", "same_items_as")
        self.required = [row.category.category_code for row in configuration if row.is_required]
        items = list(self.package.items.prefetch_related("categories"))
        self.fillers = {
            row.category.category_code: [
                item
                for item in items
                if {row.category_id, row.same_items_as_id} & {category.pk for category in item.categories.all()}
            ]
            for row in configuration
        }

    def ask(self, containers: Sequence[Choices], *, wants_repairs: bool = False) -> list[ContainerAnswer]:
        questions = [
            ContainerQuestion(self.package, self.location, self.term, choices, wants_repairs=wants_repairs)
            for choices in containers
        ]
        return containers_check(account=self.account, questions=questions, at=now())

    def anything_valid(self) -> Choices:
        """Choose at random, and take the repair of what is wrong with it."""
        codes = [code for code in self.fillers if self.fillers[code] and self.random.random() < 0.5]
        choices = [(code, self.random.choice(self.fillers[code])) for code in codes]
        (answer,) = self.ask([choices], wants_repairs=True)
        choices = repaired(choices, answer)
        (again,) = self.ask([choices])
        assert again.violations == ()
        return choices

    def drop(self, choices: Choices) -> tuple[set[str], Choices]:
        dropped = set(self.random.sample(self.required, self.random.randint(1, len(self.required))))
        filled = {code for code, _ in choices}
        return dropped & filled, [choice for choice in choices if choice[0] not in dropped]


def repaired(choices: Choices, answer: ContainerAnswer) -> Choices:
    if answer.repair is None:
        return choices
    changed = {change.category_code: change.after for change in answer.repair.changes}
    kept = [choice for choice in choices if choice[0] not in changed]
    return kept + [(code, item) for code, items in changed.items() for item in items]


def cost(answer: ContainerAnswer) -> tuple[Decimal, Decimal]:
    monthly = total_of((line.price.monthly for line in answer.lines), currency="USD")
    once = total_of((line.price.once for line in answer.lines), currency="USD")
    return monthly.known.amount, once.known.amount


@pytest.fixture
def account(shipped_catalogue):
    return make_account()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("package", PACKAGES)
def test_dropping_any_required_categories_is_answered_by_naming_exactly_them_each_with_its_cheapest_item(
    package, seed, account
):
    shop = Shop(package, account, seed)

    for _ in range(ROUNDS):
        dropped, rest = shop.drop(shop.anything_valid())

        (answer,) = shop.ask([rest], wants_repairs=True)
        mended = repaired(rest, answer)
        (after,) = shop.ask([mended])

        assert {(violation.code, violation.field) for violation in answer.violations} == {
            ("category_required", code) for code in dropped
        }
        assert answer.required >= dropped
        assert all(answer.repairs)
        assert after.violations == ()
        assert rest == [choice for choice in mended if choice in rest]
        assert_each_is_the_cheapest(shop, dropped, mended, after)


def assert_each_is_the_cheapest(shop: Shop, dropped: set[str], mended: Choices, after: ContainerAnswer) -> None:
    """Put every other item of each category in its place: none that can be ordered costs less."""
    others = [
        [*(choice for choice in mended if choice[0] != code), (code, item)]
        for code in sorted(dropped)
        for item in shop.fillers[code]
    ]
    valid = [answer for answer in shop.ask(others) if not answer.violations]
    assert len(valid) >= len(dropped)
    assert min(cost(answer) for answer in valid) == cost(after)


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_marked_as_required_is_what_verification_asks_for(package, account):
    shop = Shop(package, account, seed=7)

    for _ in range(ROUNDS):
        choices = shop.anything_valid()
        (answer,) = shop.ask([choices], wants_repairs=True)
        emptied = {code: [choice for choice in choices if choice[0] != code] for code in shop.fillers}
        flipped = dict(zip(emptied, shop.ask(list(emptied.values())), strict=True))

        assert answer.required == {code for code, without in flipped.items() if without.violations}


@pytest.mark.parametrize("seed", range(2))
def test_applying_all_offered_repairs_to_an_order_makes_verify_pass(seed, account):
    ana = make_member(account)
    shops = [Shop(package, account, seed) for package in PACKAGES]
    parts = [composition(shop, shop.drop(shop.anything_valid())[1], name=shop.package.name) for shop in shops]
    order = order_compose(
        account=account, user=ana, name="Broken", hours_per_month=HOURS_PER_MONTH, compositions=parts, now=now()
    )

    check = order_check(order_id=order.pk, account_id=account.pk, now=now())
    mended = patch_apply(to_document(check.tree), check.repair.patch)
    left = order_repair(order_id=order.pk, account_id=account.pk, now=now())

    assert check.violations
    assert all(violation.repair for violation in check.violations)
    assert left.violations == ()
    assert left.price_changes == ()
    assert to_document(order_tree(order_id=order.pk, account_id=account.pk)) == mended


@pytest.mark.parametrize("seed", range(2))
def test_applying_one_repair_after_the_other_makes_verify_pass_too(seed, account):
    ana, shop = make_member(account), Shop(PACKAGES[0], account, seed)
    part = composition(shop, shop.drop(shop.anything_valid())[1], name="web")
    order = order_compose(
        account=account, user=ana, name="Broken", hours_per_month=HOURS_PER_MONTH, compositions=[part], now=now()
    )
    violations = order_check(order_id=order.pk, account_id=account.pk, now=now()).violations

    for count in range(len(violations), 0, -1):
        first = order_check(order_id=order.pk, account_id=account.pk, now=now()).violations[0]
        left = order_repair(order_id=order.pk, account_id=account.pk, now=now(), only={(first.code, first.field)})
        assert len(left.violations) < count

        if not left.violations:
            break
    assert left.violations == ()


def composition(shop: Shop, choices: Choices, *, name: str) -> Composition:
    return Composition(
        item_name=name,
        package=shop.package,
        location=shop.location,
        term=shop.term,
        quantity=shop.random.randint(1, 9),
        host_names="",
        choices=tuple(Choice(code, code, item) for code, item in choices),
    )
