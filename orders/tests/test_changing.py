"""Changing a draft."""

from decimal import Decimal

import pytest

from accounts.tests.factories import make_account, make_partner
from core.errors import InputRefused, RuleBroken
from orders.changing import container_remove, order_cancel, order_change, order_refresh_prices
from orders.models import BillingOrder, OrderContainer
from orders.placing import order_place
from orders.selectors import order_history, order_tree
from orders.tests.factories import NOW, make_draft, replace_price


def container_of(order, item_name):
    return OrderContainer.objects.get(order_item__order=order, order_item__name=item_name)


def monthly_of(order):
    return str(order_tree(order_id=order.pk, account_id=order.account_id).totals.monthly)


def test_new_quantities_give_new_amounts(draft):
    proxies, storage = container_of(draft, "proxies"), container_of(draft, "storage nodes")

    changes = order_change(
        order_id=draft.pk,
        account_id=draft.account_id,
        name="Archive",
        quantities={proxies.pk: 3, storage.pk: 10},
        now=NOW,
    )

    assert [(change.description, str(change.monthly_today)) for change in changes] == [("The m1.large", "$691.20")]
    assert monthly_of(draft) == "$1,267.20"
    draft.refresh_from_db()
    assert draft.name == "Archive"


def test_every_bad_quantity_is_named_and_nothing_changes(draft, shop, account, ana):
    proxies = container_of(draft, "proxies")
    foreign = container_of(make_draft(shop=shop, account=account, user=ana), "proxies")

    with pytest.raises(InputRefused) as refusal:
        order_change(
            order_id=draft.pk,
            account_id=draft.account_id,
            name=" ",
            quantities={proxies.pk: 0, foreign.pk: 5},
            now=NOW,
        )

    assert [(violation.code, violation.field) for violation in refusal.value.violations] == [
        ("name_length", "name"),
        ("quantity_out_of_range", f"quantity-{proxies.pk}"),
        ("container_unknown", f"quantity-{foreign.pk}"),
    ]
    assert monthly_of(draft) == "$1,036.80"
    assert OrderContainer.objects.get(pk=foreign.pk).quantity == 2


def test_removing_a_container_takes_its_empty_item_along(draft):
    container_remove(
        order_id=draft.pk, container_id=container_of(draft, "proxies").pk, account_id=draft.account_id, now=NOW
    )

    tree = order_tree(order_id=draft.pk, account_id=draft.account_id)
    assert [item.item.name for item in tree.items] == ["storage nodes"]
    assert str(tree.totals.monthly) == "$576.00"


def test_a_container_of_another_order_cannot_be_removed_through_this_one(draft, shop, account, ana):
    foreign = container_of(make_draft(shop=shop, account=account, user=ana), "proxies")

    with pytest.raises(OrderContainer.DoesNotExist):
        container_remove(order_id=draft.pk, container_id=foreign.pk, account_id=account.pk, now=NOW)

    assert OrderContainer.objects.filter(pk=foreign.pk).exists()


def test_todays_prices_are_taken_when_asked_for(draft, shop, ana):
    replace_price(shop.items["m1.small"], hourly="0.10", at=NOW)

    changes = order_refresh_prices(order_id=draft.pk, account_id=draft.account_id, now=NOW)

    assert [(str(change.monthly_shown), str(change.monthly_today)) for change in changes] == [("$576.00", "$720.00")]
    assert monthly_of(draft) == "$1,180.80"
    placed = order_place(
        order_id=draft.pk, account_id=draft.account_id, user=ana, now=NOW, shown_monthly=Decimal("1180.80")
    )
    assert placed.state == "placed"


def test_a_cancelled_draft_stays_to_be_read_and_can_no_longer_be_changed(draft, ana):
    order_cancel(order_id=draft.pk, account_id=draft.account_id, user=ana, now=NOW, why="Too dear.")

    draft.refresh_from_db()
    assert draft.state == "cancelled"
    assert [(entry.to_state, entry.why) for entry in order_history(order=draft)] == [
        ("draft", ""),
        ("cancelled", "Too dear."),
    ]
    with pytest.raises(RuleBroken) as refusal:
        order_place(order_id=draft.pk, account_id=draft.account_id, user=ana, now=NOW, shown_monthly=None)
    assert refusal.value.code == "order_not_draft"
    assert monthly_of(draft) == "$1,036.80"


def changes_of(order, user, account_id):
    """Every way to change an order, as calls."""
    container = container_of(order, "proxies")
    who = {"order_id": order.pk, "account_id": account_id, "now": NOW}
    return [
        lambda: order_change(**who, name="Mine", quantities={container.pk: 9}),
        lambda: container_remove(**who, container_id=container.pk),
        lambda: order_refresh_prices(**who),
        lambda: order_cancel(**who, user=user),
        lambda: order_place(**who, user=user, shown_monthly=None),
    ]


@pytest.mark.parametrize("way", range(5))
def test_a_placed_order_is_not_changed_any_more(draft, ana, shop, way):
    order_place(order_id=draft.pk, account_id=draft.account_id, user=ana, now=NOW, shown_monthly=None)
    replace_price(shop.items["m1.small"], hourly="9", at=NOW)

    with pytest.raises(RuleBroken) as refusal:
        changes_of(draft, ana, draft.account_id)[way]()

    assert refusal.value.code == "order_already_placed"
    assert refusal.value.words == "ana@north.example placed this order on 3 May 2026 at 12:03 UTC as Order 1."
    assert monthly_of(draft) == "$1,036.80"


@pytest.mark.parametrize("way", range(5))
def test_another_account_finds_nothing_to_change(draft, ana, way):
    other = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")

    with pytest.raises(BillingOrder.DoesNotExist):
        changes_of(draft, ana, other.pk)[way]()

    assert monthly_of(draft) == "$1,036.80"
    assert BillingOrder.objects.get().state == "draft"
