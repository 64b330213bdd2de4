"""Verifying a draft: everything at once, and nothing changed."""

import pytest

from accounts.tests.factories import make_account, make_partner
from catalog.blueprints import Role
from catalog.models import PackageConfiguration
from core.errors import RuleBroken
from core.models import AuditEntry
from orders.checking import order_check
from orders.models import BillingOrder, OrderLine
from orders.placing import order_place
from orders.tests.factories import NOW, PACKAGE, PROXIES, make_draft, replace_price, role

NOTHING_CHOSEN = Role(name="nothing yet", package_key_name=PACKAGE, quantity=1, parts=())


def check(order):
    return order_check(order_id=order.pk, account_id=order.account_id, now=NOW)


def test_a_good_draft_has_no_violations_and_todays_totals(draft):
    found = check(draft)

    assert found.is_valid
    assert found.price_changes == ()
    assert str(found.totals.monthly) == "$1,036.80"


def test_all_broken_rules_are_named_at_once_with_their_place_and_nothing_changes(shop, account, ana):
    roles = [role("proxies", 1, "m1.large", system=None), PROXIES, role("odd ones", 1, "m9.unpriced", system=None)]
    draft = make_draft(shop=shop, account=account, user=ana, roles=roles)
    lines_before = list(OrderLine.objects.values())
    audit_before = AuditEntry.objects.count()

    found = check(draft)

    assert sorted((violation.field, violation.code) for violation in found.violations) == [
        ("items[0].containers[0].os", "category_required"),
        ("items[2].containers[0].machine_type", "unpriced"),
        ("items[2].containers[0].os", "category_required"),
    ]
    assert all(violation.words for violation in found.violations)
    assert list(OrderLine.objects.values()) == lines_before
    assert AuditEntry.objects.count() == audit_before


def test_an_empty_draft_is_named_as_such(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[])

    assert [(violation.code, violation.field) for violation in check(draft).violations] == [("order_empty", "items")]


def test_a_container_with_nothing_chosen_names_every_category_that_it_requires(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[NOTHING_CHOSEN])

    found = check(draft)

    assert [(violation.code, violation.field) for violation in found.violations] == [
        ("category_required", "items[0].containers[0].machine_type"),
        ("category_required", "items[0].containers[0].os"),
    ]
    assert not found.is_valid


def test_an_order_of_a_container_that_requires_nothing_and_holds_nothing_is_empty(shop, account, ana):
    PackageConfiguration.objects.update(is_required=False)
    draft = make_draft(shop=shop, account=account, user=ana, roles=[NOTHING_CHOSEN])

    assert [(violation.code, violation.field) for violation in check(draft).violations] == [("order_empty", "items")]


def test_a_price_that_changed_since_it_was_shown_is_reported_and_not_taken_over(draft, shop):
    replace_price(shop.items["m1.small"], hourly="0.10", at=NOW)

    found = check(draft)

    assert [(change.field, str(change.monthly_shown), str(change.monthly_today)) for change in found.price_changes] == [
        ("items[1].containers[0].machine_type", "$576.00", "$720.00")
    ]
    assert str(found.totals.monthly) == "$1,180.80"
    assert str(found.tree.totals.monthly) == "$1,036.80"


def test_a_draft_in_another_currency_than_its_account_pays_in_is_not_priced(draft, account):
    account.currency = "EUR"
    account.save()

    found = check(draft)

    assert [(violation.code, violation.field) for violation in found.violations] == [
        ("currency_changed", "currency"),
        ("unpriced", "items[0].containers[0].machine_type"),
        ("unpriced", "items[0].containers[0].os"),
        ("unpriced", "items[1].containers[0].machine_type"),
        ("unpriced", "items[1].containers[0].os"),
    ]
    assert {violation.repair for violation in found.violations} == {found.repair} == {None}
    assert (found.price_changes, found.lines) == ((), ())
    assert str(found.totals.monthly) == str(found.totals.once) == "≥ €0.00, 4 parts unpriced"
    assert str(found.hourly) == "≥ €0.00, 4 parts unpriced"


def test_an_empty_draft_in_another_currency_with_an_unknown_code_is_told_all_three(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[])
    BillingOrder.objects.update(currency="EUR", promotion_code="WINTER")

    assert [(violation.code, violation.field) for violation in check(draft).violations] == [
        ("currency_changed", "currency"),
        ("order_empty", "items"),
        ("promotion_unknown", "promotion_code"),
    ]


def test_a_placed_order_is_not_verified_again(draft, ana):
    order_place(order_id=draft.pk, account_id=draft.account_id, user=ana, now=NOW, shown_monthly=None)

    with pytest.raises(RuleBroken) as refusal:
        check(draft)

    assert refusal.value.code == "order_already_placed"


def test_another_account_cannot_verify_it(draft):
    other = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")

    with pytest.raises(BillingOrder.DoesNotExist):
        order_check(order_id=draft.pk, account_id=other.pk, now=NOW)


def test_verifying_twelve_containers_takes_no_more_queries_than_one(shop, account, ana, django_assert_max_num_queries):
    small = make_draft(shop=shop, account=account, user=ana, roles=[PROXIES])
    large = make_draft(shop=shop, account=account, user=ana, roles=[PROXIES] * 12)

    with django_assert_max_num_queries(12) as queries_of_one:
        check(small)
    with django_assert_max_num_queries(len(queries_of_one)):
        check(large)
