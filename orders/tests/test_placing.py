"""Placing: words and prices are frozen, all in one transaction, or nothing happens."""

from datetime import timedelta
from decimal import Decimal

import pytest

from accounts.tests.factories import make_account, make_member, make_partner
from core.errors import RuleBroken
from core.models import AuditEntry, OutboxEvent
from orders.models import BillingOrder, NumberSeries, OrderLine
from orders.placing import order_place
from orders.selectors import order_tree
from orders.tests.factories import NOW, PROXIES, make_draft, replace_price, role


def place(order, user, shown_monthly="1036.80", now=NOW):
    shown = None if shown_monthly is None else Decimal(shown_monthly)
    return order_place(order_id=order.pk, account_id=order.account_id, user=user, now=now, shown_monthly=shown)


def assert_left_no_trace(order):
    order.refresh_from_db()
    assert (order.state, order.number, order.placed_at, order.placed_by) == ("draft", None, None, None)
    assert AuditEntry.objects.filter(subject=order.subject, to_state="placed").count() == 0
    assert OutboxEvent.objects.count() == 0
    assert NumberSeries.objects.filter(last_number__gt=0).count() == 0


def test_placing_gives_a_number_a_time_an_audit_entry_and_one_event(draft, ana):
    place(draft, ana)

    order = BillingOrder.objects.get(pk=draft.pk)
    assert (order.state, order.number, order.placed_by, order.placed_at) == ("placed", 1, ana, NOW)
    entry = AuditEntry.objects.get(subject=order.subject, to_state="placed")
    assert (entry.from_state, entry.actor, entry.at) == ("draft", "ana@north.example", NOW)
    event = OutboxEvent.objects.get()
    assert (event.kind, event.subject, event.account_id) == ("order.placed", f"order:{order.pk}", order.account_id)
    assert event.payload == {
        "order_id": order.pk,
        "number": 1,
        "currency": "USD",
        "monthly": "1036.80",
        "once": "10.00",
    }


def test_a_placed_order_keeps_words_and_prices_when_the_catalogue_changes(draft, ana, shop):
    place(draft, ana)
    lines_placed = list(OrderLine.objects.values())

    tomorrow = NOW + timedelta(days=1)
    replace_price(shop.items["m1.small"], hourly="0.50", at=tomorrow)
    shop.items["m1.small"].description = "Something else"
    shop.items["m1.small"].save()

    tree = order_tree(order_id=draft.pk, account_id=draft.account_id)
    assert list(OrderLine.objects.values()) == lines_placed
    assert str(tree.totals.monthly) == "$1,036.80"
    descriptions = [node.line.description for node in tree.lines]
    assert descriptions == ["The m1.large", "The debian", "The m1.small", "The debian"]


def test_a_price_replaced_by_an_equal_one_is_frozen_from_its_present_source(draft, ana, shop):
    new_price = replace_price(shop.items["m1.small"], hourly="0.08", at=NOW - timedelta(hours=1))

    place(draft, ana)

    line = OrderLine.objects.get(key_name="m1.small")
    assert (line.source_price, line.monthly_amount) == (new_price, Decimal("576.00"))


def test_placing_twice_is_refused_with_who_and_when(draft, ana, account):
    place(draft, ana)
    ben = make_member(account, email="ben@north.example")

    with pytest.raises(RuleBroken) as refusal:
        place(draft, ben, now=NOW + timedelta(minutes=1))

    assert refusal.value.code == "order_already_placed"
    assert refusal.value.words == "ana@north.example placed this order on 3 May 2026 at 12:03 UTC as Order 1."
    assert BillingOrder.objects.get().placed_by == ana
    assert OutboxEvent.objects.count() == 1


def test_a_price_that_changed_since_it_was_shown_stops_the_order_and_says_both(draft, ana, shop):
    replace_price(shop.items["m1.small"], hourly="0.10", at=NOW)

    with pytest.raises(RuleBroken) as refusal:
        place(draft, ana)

    assert refusal.value.code == "price_changed"
    assert refusal.value.words == (
        "The price changed since it was shown: $1,036.80 a month then, $1,180.80 a month now. "
        "Look at today's prices and place the order again."
    )
    assert_left_no_trace(draft)


def test_a_page_older_than_the_draft_does_not_place_it(draft, ana):
    with pytest.raises(RuleBroken) as refusal:
        place(draft, ana, shown_monthly="999.00")

    assert refusal.value.code == "price_changed"
    assert "$999.00 a month then, $1,036.80 a month now" in refusal.value.words
    assert_left_no_trace(draft)


def test_without_a_shown_total_the_amounts_of_the_draft_are_what_was_shown(draft, ana, shop):
    replace_price(shop.items["m1.large"], hourly="0.32", at=NOW)  # the setup fee is gone

    with pytest.raises(RuleBroken) as refusal:
        place(draft, ana, shown_monthly=None)

    assert refusal.value.code == "price_changed"
    assert "; $10.00 once then, $0.00 once now." in refusal.value.words
    assert_left_no_trace(draft)


def test_an_empty_order_cannot_be_placed(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[])

    with pytest.raises(RuleBroken) as refusal:
        place(draft, ana, shown_monthly="0.00")

    assert refusal.value.code == "order_empty"
    assert_left_no_trace(draft)


def test_an_unpriced_line_is_never_placed(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[PROXIES, role("odd ones", 1, "m9.unpriced")])

    with pytest.raises(RuleBroken) as refusal:
        place(draft, ana, shown_monthly="460.80")

    assert refusal.value.code == "order_invalid"
    assert [violation.code for violation in refusal.value.violations] == ["unpriced"]
    assert_left_no_trace(draft)


def test_every_broken_rule_stops_the_order_at_once(shop, account, ana):
    roles = [role("proxies", 1, "m1.large", system=None), role("storage nodes", 1, "m1.small", system=None)]
    draft = make_draft(shop=shop, account=account, user=ana, roles=roles)

    with pytest.raises(RuleBroken) as refusal:
        place(draft, ana, shown_monthly=None)

    assert [violation.field for violation in refusal.value.violations] == [
        "items[0].containers[0].os",
        "items[1].containers[0].os",
    ]
    assert refusal.value.words.startswith("2 things keep this order from being placed.")
    assert_left_no_trace(draft)


def test_another_accounts_order_is_not_there_to_be_placed(draft):
    other = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    buyer = make_member(other, email="bo@harbor.example")

    with pytest.raises(BillingOrder.DoesNotExist):
        order_place(order_id=draft.pk, account_id=other.pk, user=buyer, now=NOW, shown_monthly=None)

    assert_left_no_trace(draft)


def test_numbers_count_up_for_each_partner_and_a_refusal_leaves_no_gap(shop, account, ana):
    harbor = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    bo = make_member(harbor, email="bo@harbor.example")
    first, second = make_draft(shop=shop, account=account, user=ana), make_draft(shop=shop, account=account, user=ana)
    others = make_draft(shop=shop, account=harbor, user=bo)

    place(first, ana)
    with pytest.raises(RuleBroken):
        place(second, ana, shown_monthly="1.00")
    place(second, ana)
    place(others, bo)

    numbers = BillingOrder.objects.order_by("pk").values_list("partner__name", "number")
    assert list(numbers) == [("North", 1), ("North", 2), ("Harbor", 1)]
