"""Quotes: what was promised is what is ordered, line by line, until the promise ends."""

from datetime import timedelta
from decimal import Decimal

import pytest

from core.errors import RuleBroken
from core.models import AuditEntry, OutboxEvent
from orders.changing import order_refresh_prices
from orders.models import BillingOrder, OrderLine, Quote
from orders.placing import order_place
from orders.quote_document import document_of
from orders.quoting import (
    quote_accept,
    quote_changes,
    quote_issue,
    quote_reissue,
    quote_share,
    quote_state,
    quote_unshare,
    quote_withdraw,
)
from orders.selectors import order_tree
from orders.tests.factories import NOW, make_draft, replace_price, role

LATER = NOW + timedelta(days=3)


def issue(order, user, *, now=NOW, shown="1036.80", valid_days=30):
    return quote_issue(
        order_id=order.pk,
        account_id=order.account_id,
        user=user,
        now=now,
        shown_monthly=Decimal(shown) if shown else None,
        valid_days=valid_days,
    )


def accept(quote, user, *, now=LATER):
    return quote_accept(quote_id=quote.pk, account_id=quote.order.account_id, user=user, now=now)


def test_a_quote_has_a_number_an_end_and_the_order_word_for_word(draft, ana):
    quote = issue(draft, ana, valid_days=14)

    assert (quote.number, quote.currency, quote.issued_at, quote.expires_at) == (
        1,
        "USD",
        NOW,
        NOW + timedelta(days=14),
    )
    assert quote.document["totals"] == {
        "monthly": "1036.80",
        "once": "10.00",
        "over_12_months": "12451.60",
        "over_36_months": "37334.80",
    }
    assert [item["name"] for item in quote.document["items"]] == ["proxies", "storage nodes"]
    draft.refresh_from_db()
    assert draft.state == "quoted"
    assert OutboxEvent.objects.get().kind == "quote.issued"


def test_an_accepted_quote_becomes_an_order_with_the_same_lines_byte_for_byte(draft, ana, shop):
    quote = issue(draft, ana)
    lines_quoted = list(OrderLine.objects.values())
    replace_price(shop.items["m1.small"], hourly="0.50", at=NOW + timedelta(days=1))
    shop.items["m1.small"].description = "Something else"
    shop.items["m1.small"].save()

    order = accept(quote, ana)

    assert (order.state, order.number, order.placed_at) == ("placed", 1, LATER)
    assert list(OrderLine.objects.values()) == lines_quoted
    assert document_of(order_tree(order_id=order.pk, account_id=order.account_id)) == quote.document
    assert AuditEntry.objects.filter(subject=order.subject, to_state="placed").get().why == "Quote 1 was accepted."


def test_a_quote_is_accepted_once(draft, ana):
    quote = issue(draft, ana)
    accept(quote, ana)

    with pytest.raises(RuleBroken) as refusal:
        accept(quote, ana)

    assert refusal.value.code == "quote_already_accepted"
    assert refusal.value.words == "ana@north.example accepted Quote 1 on 6 May 2026 at 12:03 UTC."
    assert OutboxEvent.objects.filter(kind="order.placed").count() == 1


def test_an_expired_quote_is_not_accepted_and_nothing_changes(draft, ana):
    quote = issue(draft, ana, valid_days=1)

    with pytest.raises(RuleBroken) as refusal:
        accept(quote, ana, now=NOW + timedelta(days=1))

    assert refusal.value.code == "quote_expired"
    draft.refresh_from_db()
    assert (draft.state, draft.number) == ("quoted", None)
    assert quote_state(Quote.objects.get(), now=NOW + timedelta(days=1)) == "expired"


def test_an_expired_quote_is_issued_again_at_the_prices_of_that_day(draft, ana, shop):
    old = issue(draft, ana, valid_days=1)
    replace_price(shop.items["m1.small"], hourly="0.10", at=NOW + timedelta(days=1))

    new = quote_reissue(quote_id=old.pk, account_id=draft.account_id, user=ana, now=LATER)

    old.refresh_from_db()
    assert (old.withdrawn_at, quote_state(old, now=LATER)) == (LATER, "withdrawn")
    assert (new.number, new.document["totals"]["monthly"]) == (2, "1180.80")
    assert old.document["totals"]["monthly"] == "1036.80"
    moves = list(AuditEntry.objects.filter(subject=draft.subject).values_list("to_state", flat=True))
    assert moves == ["draft", "quoted", "draft", "quoted"]


def test_a_withdrawn_quote_leaves_a_draft_that_can_be_changed_and_placed(draft, ana):
    quote = issue(draft, ana)

    quote_withdraw(quote_id=quote.pk, account_id=draft.account_id, user=ana, now=LATER)

    with pytest.raises(RuleBroken) as refusal:
        accept(quote, ana)
    assert refusal.value.code == "quote_withdrawn"
    order = order_place(
        order_id=draft.pk, account_id=draft.account_id, user=ana, now=LATER, shown_monthly=Decimal("1036.80")
    )
    assert order.number == 1


def test_a_quoted_order_is_neither_changed_nor_placed_past_its_quote(draft, ana):
    issue(draft, ana)

    for attempt in (
        lambda: order_refresh_prices(order_id=draft.pk, account_id=draft.account_id, now=LATER),
        lambda: order_place(order_id=draft.pk, account_id=draft.account_id, user=ana, now=LATER, shown_monthly=None),
        lambda: issue(draft, ana),
    ):
        with pytest.raises(RuleBroken) as refusal:
            attempt()
        assert refusal.value.code == "order_quoted"

    assert Quote.objects.count() == 1


def test_what_could_not_be_placed_cannot_be_quoted(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("odd ones", 1, "m9.unpriced", system=None)])

    with pytest.raises(RuleBroken) as refusal:
        issue(draft, ana, shown=None)

    assert [violation.code for violation in refusal.value.violations] == ["category_required", "unpriced"]
    assert Quote.objects.count() == 0
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_a_price_that_is_not_the_one_shown_is_not_quoted(draft, ana):
    with pytest.raises(RuleBroken) as refusal:
        issue(draft, ana, shown="999.00")

    assert refusal.value.code == "price_changed"
    assert Quote.objects.count() == 0


@pytest.mark.parametrize("days", [0, -1, 366])
def test_a_quote_is_valid_for_a_day_to_a_year(draft, ana, days):
    with pytest.raises(RuleBroken) as refusal:
        issue(draft, ana, valid_days=days)

    assert (refusal.value.code, refusal.value.violations[0].field) == ("valid_days_out_of_range", "valid_days")


def test_a_quote_says_what_changed_since_as_of_any_day(draft, ana, shop):
    quote = issue(draft, ana)
    replace_price(shop.items["m1.small"], hourly="0.10", at=NOW + timedelta(days=2))

    assert quote_changes(quote=quote, at=NOW + timedelta(days=1)) == ()
    (change,) = quote_changes(quote=quote, at=LATER)
    assert (change.description, str(change.monthly_shown), str(change.monthly_today)) == (
        "The m1.small",
        "$576.00",
        "$720.00",
    )


def test_a_share_link_is_made_once_and_ends_when_it_is_taken_back(draft, ana):
    quote = issue(draft, ana)
    asked = {"quote_id": quote.pk, "account_id": draft.account_id, "user": ana, "now": LATER}

    first, second = quote_share(**asked).share_token, quote_share(**asked).share_token
    quote_unshare(**asked)

    assert first == second
    assert len(first or "") >= 40
    assert Quote.objects.get().share_token is None


def test_another_accounts_quote_is_not_there(draft, ana):
    quote = issue(draft, ana)

    with pytest.raises(Quote.DoesNotExist):
        quote_accept(quote_id=quote.pk, account_id=draft.account_id + 1, user=ana, now=LATER)

    assert BillingOrder.objects.get().state == "quoted"
