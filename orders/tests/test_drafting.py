"""Making a draft from roles."""

from dataclasses import replace
from decimal import Decimal

import pytest

from accounts.tests.factories import make_account, make_partner
from catalog.models import Item, ItemCategory
from core.errors import InputRefused, RuleBroken
from core.models import AuditEntry, OutboxEvent
from orders.checking import order_check
from orders.models import BillingOrder, OrderLine
from orders.selectors import order_tree
from orders.tests.factories import NOW, PROXIES, STORAGE_NODES, make_draft, make_item, role


def test_a_draft_has_an_item_for_each_role_with_its_machines_and_their_prices(draft, account):
    tree = order_tree(order_id=draft.pk, account_id=account.pk)

    assert [(item.item.name, item.quantity) for item in tree.items] == [("proxies", 2), ("storage nodes", 10)]
    assert [str(item.totals.monthly) for item in tree.items] == ["$460.80", "$576.00"]
    assert str(tree.totals.monthly) == "$1,036.80"
    assert str(tree.totals.once) == "$10.00"


def test_a_drafts_line_says_what_was_chosen_and_where_its_price_comes_from(draft, shop):
    line = OrderLine.objects.get(container__order_item__name="storage nodes", category_code="machine_type")

    assert (line.category_name, line.key_name, line.description) == ("Machine type", "m1.small", "The m1.small")
    assert line.source_price == shop.items["m1.small"].prices.get()
    assert (line.hourly_recurring_fee, line.recurring_fee, line.once_fee) == (Decimal("0.08"), None, 0)
    assert (line.monthly_amount, line.once_amount) == (Decimal("576.00"), 0)
    assert (line.source, line.basis) == ("price list of the test", "published")


def test_a_draft_belongs_to_the_account_and_its_partner_and_nothing_is_ordered_yet(draft, account, ana):
    assert (draft.account, draft.partner, draft.created_by) == (account, account.partner, ana)
    assert (draft.state, draft.number, draft.placed_at) == ("draft", None, None)
    assert OutboxEvent.objects.count() == 0
    assert AuditEntry.objects.values_list("from_state", "to_state").get() == ("", "draft")


def test_hours_per_month_scale_an_hourly_draft(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, hours_per_month=Decimal(730))

    tree = order_tree(order_id=draft.pk, account_id=account.pk)

    assert str(tree.totals.monthly) == "$1,051.20"


def test_an_unpriced_item_makes_a_draft_with_a_lower_bound(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[PROXIES, role("odd ones", 3, "m9.unpriced")])

    tree = order_tree(order_id=draft.pk, account_id=account.pk)

    assert str(tree.totals.monthly) == "≥ $460.80, 1 part unpriced"


def test_every_problem_of_a_draft_is_named_at_once_and_nothing_is_written(shop, account, ana):
    roles = [
        role("proxies", 0, "m1.large"),
        role("", 1, "m7.unknown", system="plan9"),
        role("balancers", 1, "m1.small", package="no-such-package"),
        replace(STORAGE_NODES, parts=(("colour", "red"), ("os", "debian"))),
    ]

    with pytest.raises(InputRefused) as refusal:
        make_draft(shop=shop, account=account, user=ana, roles=roles, hours_per_month=Decimal(800))

    assert [(violation.code, violation.field) for violation in refusal.value.violations] == [
        ("hours_out_of_range", "hours_per_month"),
        ("quantity_out_of_range", "items[0].quantity"),
        ("name_length", "items[1].name"),
        ("item_unknown", "items[1].machine_type"),
        ("item_unknown", "items[1].os"),
        ("package_unknown", "items[2].package"),
        ("category_unknown", "items[3].colour"),
    ]
    assert BillingOrder.objects.count() == 0


def test_a_key_name_that_is_repeated_means_the_item_of_the_category(shop, account, ana):
    twin = make_item(shop.package, ItemCategory.objects.get(category_code="os"), "m1.small-system", hourly="0")
    Item.objects.filter(pk=twin.pk).update(key_name="m1.small")

    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("both", 1, "m1.small", system="m1.small")])

    lines = OrderLine.objects.filter(container__order_item__order=draft)
    assert dict(lines.values_list("category_code", "item")) == {
        "machine_type": shop.items["m1.small"].pk,
        "os": twin.pk,
    }


def test_a_key_name_in_the_wrong_category_makes_a_draft_that_the_check_refuses(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("odd", 1, "m1.small", system="m1.large")])

    found = order_check(order_id=draft.pk, account_id=account.pk, now=NOW)

    assert [(violation.code, violation.field) for violation in found.violations] == [
        ("item_not_in_category", "items[0].containers[0].os")
    ]


@pytest.mark.parametrize("hours", ["NaN", "Infinity", "0.5", "-720", "720.123"])
def test_hours_that_are_none_are_refused(shop, account, ana, hours):
    with pytest.raises(InputRefused):
        make_draft(shop=shop, account=account, user=ana, hours_per_month=Decimal(hours))


def test_an_amount_too_large_to_be_owed_is_refused_and_nothing_is_written(shop, account, ana):
    shop.items["m1.large"].prices.update(hourly_recurring_fee=Decimal(100_000))

    with pytest.raises(RuleBroken) as refusal:
        make_draft(shop=shop, account=account, user=ana, roles=[role("proxies", 100_000, "m1.large")])

    assert refusal.value.code == "amount_too_large"
    assert refusal.value.violations[0].field == "items[0].machine_type"
    assert BillingOrder.objects.count() == 0


def test_another_accounts_draft_is_not_there(draft):
    other = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")

    with pytest.raises(BillingOrder.DoesNotExist):
        order_tree(order_id=draft.pk, account_id=other.pk)


def test_a_tree_takes_four_queries_whatever_its_size(shop, account, ana, django_assert_num_queries):
    roles = [role(f"group {number}", 3, "m1.small") for number in range(12)]
    draft = make_draft(shop=shop, account=account, user=ana, roles=roles)

    with django_assert_num_queries(4):
        tree = order_tree(order_id=draft.pk, account_id=account.pk)
        names = {(node.container.package.name, node.container.location.name) for node in tree.containers}
        assert len([line.line.item.description for line in tree.lines]) == 24

    assert names == {("Virtual server", "N. Virginia")}
