"""Quotes: promise an order's lines at fixed prices for some time, and turn the promise into an order untouched."""

import secrets
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction

from accounts.models import User
from catalog.promotions import promotions_redeem, promotions_release
from core.errors import RuleBroken
from core.models import AuditEntry, OutboxEvent
from orders.checking import PriceChange, check_tree, price_changes_of, require_placeable
from orders.locks import locked_order
from orders.models import BillingOrder, NumberSeries, Quote
from orders.moves import order_move, require_draft, time_words
from orders.numbering import next_number
from orders.placing import tree_place
from orders.quote_document import document_of, tree_as_quoted
from orders.repricing import prices_write
from orders.selectors import order_tree
from orders.states import OrderState

VALID_DAYS = 30
MOST_VALID_DAYS = 365


@transaction.atomic
def quote_issue(
    *,
    order_id: int,
    account_id: int,
    user: User,
    now: datetime,
    shown_monthly: Decimal | None = None,
    shown_once: Decimal | None = None,
    valid_days: int = VALID_DAYS,
) -> Quote:
    """Promise a draft's lines as they were shown, until some days from now; the draft can no longer be changed.

    Raises BillingOrder.DoesNotExist, and RuleBroken with every reason when the draft could not be placed as shown.
    """
    require_draft(locked_order(order_id=order_id, account_id=account_id))
    return _issue(
        order_id=order_id,
        account_id=account_id,
        user=user,
        now=now,
        valid_days=valid_days,
        shown_monthly=shown_monthly,
        shown_once=shown_once,
    )


@transaction.atomic
def quote_reissue(*, quote_id: int, account_id: int, user: User, now: datetime, valid_days: int = VALID_DAYS) -> Quote:
    """Replace a quote that was not accepted, expired or not, by a new one at the prices of now."""
    quote = _locked_quote(quote_id=quote_id, account_id=account_id)
    _require_not_ended(quote, "issued again")
    _withdraw(quote, user=user, now=now, why=f"{quote} is replaced by a new one.")
    tree = order_tree(order_id=quote.order_id, account_id=account_id)
    prices_write(check_tree(tree=tree, now=now).lines)
    return _issue(order_id=quote.order_id, account_id=account_id, user=user, now=now, valid_days=valid_days)


@transaction.atomic
def quote_withdraw(*, quote_id: int, account_id: int, user: User, now: datetime, why: str = "") -> Quote:
    """Take a promise back that nobody accepted; its order is a draft again."""
    quote = _locked_quote(quote_id=quote_id, account_id=account_id)
    _require_not_ended(quote, "withdrawn")
    _withdraw(quote, user=user, now=now, why=why or f"{quote} was withdrawn.")
    return quote


@transaction.atomic
def quote_accept(*, quote_id: int, account_id: int, user: User, now: datetime) -> BillingOrder:
    """Place the order of a quote with the very lines that were quoted, whatever the catalogue says by now.

    Raises Quote.DoesNotExist, and RuleBroken for a quote that has expired, was withdrawn or is accepted already.
    """
    quote = _locked_quote(quote_id=quote_id, account_id=account_id)
    _require_not_ended(quote, "accepted")
    if quote.expires_at <= now:
        words = f"{quote} expired on {time_words(quote.expires_at)}. Have it issued again at today's prices."
        raise RuleBroken("quote_expired", words)
    quote.accepted_by, quote.accepted_at = user, now
    quote.save(update_fields=["accepted_by", "accepted_at"])
    tree = order_tree(order_id=quote.order_id, account_id=account_id)
    return tree_place(tree=tree, totals=tree.totals, user=user, now=now, why=f"{quote} was accepted.")


@transaction.atomic
def quote_share(*, quote_id: int, account_id: int, user: User, now: datetime) -> Quote:
    """Make the link under which anybody who has it sees this quote and nothing else; an existing one stays."""
    quote = _locked_quote(quote_id=quote_id, account_id=account_id)
    if not quote.share_token:
        quote.share_token = secrets.token_urlsafe(32)
        quote.save(update_fields=["share_token"])
        _note(quote, "shared", user=user, now=now)
    return quote


@transaction.atomic
def quote_unshare(*, quote_id: int, account_id: int, user: User, now: datetime) -> Quote:
    """Make the link of a quote lead nowhere from now on."""
    quote = _locked_quote(quote_id=quote_id, account_id=account_id)
    if quote.share_token:
        quote.share_token = None
        quote.save(update_fields=["share_token"])
        _note(quote, "not_shared", user=user, now=now)
    return quote


def quote_changes(*, quote: Quote, at: datetime) -> tuple[PriceChange, ...] | None:
    """Return the quoted lines that would cost something else at the prices of that time.

    A withdrawn quote no longer holds its order: None where that has other lines by now than were quoted.
    """
    tree = order_tree(order_id=quote.order_id, account_id=quote.order.account_id)
    quoted = tree if quote.withdrawn_at is None else tree_as_quoted(tree, document=quote.document)
    return None if quoted is None else price_changes_of(tree=quoted, at=at)


def quote_state(quote: Quote, *, now: datetime) -> str:
    """Say what has become of a quote: accepted, withdrawn, expired or open."""
    if quote.accepted_at:
        return "accepted"
    if quote.withdrawn_at:
        return "withdrawn"
    return "expired" if quote.expires_at <= now else "open"


def _issue(
    *,
    order_id: int,
    account_id: int,
    user: User,
    now: datetime,
    valid_days: int,
    shown_monthly: Decimal | None = None,
    shown_once: Decimal | None = None,
) -> Quote:
    if not 1 <= valid_days <= MOST_VALID_DAYS:
        words = f"A quote is valid for 1 to {MOST_VALID_DAYS} days, not {valid_days}."
        raise RuleBroken("valid_days_out_of_range", words, field="valid_days")
    check = check_tree(tree=order_tree(order_id=order_id, account_id=account_id), now=now)
    require_placeable(check, shown_monthly=shown_monthly, shown_once=shown_once)
    prices_write(check.lines)
    order = check.tree.order
    promotions_redeem(promotion_ids=check.tree.promotion_ids, account_id=account_id, subject=order.subject, now=now)
    quote = Quote.objects.create(
        order=order,
        partner=order.partner,
        number=next_number(partner=order.partner, kind=NumberSeries.Kind.QUOTE),
        currency=order.currency,
        document=document_of(order_tree(order_id=order_id, account_id=account_id)),
        issued_by=user,
        issued_at=now,
        expires_at=now + timedelta(days=valid_days),
    )
    order_move(order=order, to_state=OrderState.QUOTED, user=user, now=now, why=f"{quote} was issued.")
    OutboxEvent.objects.create(
        account_id=account_id,
        kind="quote.issued",
        subject=order.subject,
        payload={"quote_id": quote.pk, "number": quote.number, "expires_at": quote.expires_at.isoformat()},
        created_at=now,
    )
    return quote


def _locked_quote(*, quote_id: int, account_id: int) -> Quote:
    """Return the quote as it stands, held with its order until the transaction ends; raises Quote.DoesNotExist."""
    order_id = Quote.objects.values_list("order_id", flat=True).get(pk=quote_id, order__account_id=account_id)
    locked_order(order_id=order_id, account_id=account_id)
    return Quote.objects.select_related("order__account", "order__partner", "accepted_by").get(pk=quote_id)


def _require_not_ended(quote: Quote, verb: str) -> None:
    if quote.accepted_by and quote.accepted_at:
        words = f"{quote.accepted_by.display_name} accepted {quote} on {time_words(quote.accepted_at)}."
        raise RuleBroken("quote_already_accepted", words)
    if quote.withdrawn_at:
        words = f"{quote} was withdrawn on {time_words(quote.withdrawn_at)} and cannot be {verb}."
        raise RuleBroken("quote_withdrawn", words)


def _withdraw(quote: Quote, *, user: User, now: datetime, why: str) -> None:
    quote.withdrawn_at = now
    quote.save(update_fields=["withdrawn_at"])
    promotions_release(subject=quote.order.subject, now=now)
    order_move(order=quote.order, to_state=OrderState.DRAFT, user=user, now=now, why=why)


def _note(quote: Quote, to_state: str, *, user: User, now: datetime) -> None:
    AuditEntry.objects.create(
        account_id=quote.order.account_id, subject=f"quote:{quote.pk}", actor=user.email, to_state=to_state, at=now
    )
