"""Approvals: an order beyond its account's limits waits for somebody else's agreement."""

import secrets
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import Account, Membership, User
from accounts.roles import can
from accounts.selectors import partner_address
from core.errors import InputRefused, RuleBroken, Violation
from core.models import AuditEntry, OutboxEvent
from core.money import Money
from orders.billing.months import Month
from orders.fulfilment.beginning import order_fulfil_on_commit
from orders.fulfilment.cancelling import resources_give_up
from orders.locks import locked_order
from orders.mailing import mail_start
from orders.models import Approval, ApprovalPolicy, BillingOrder, OrderLine
from orders.moves import order_move, time_words
from orders.selectors import orders_of, with_parts
from orders.states import ONCE_PLACED, OrderState
from orders.totals import Totals

COUNTS_IN_ITS_MONTH = sorted(ONCE_PLACED - {OrderState.REJECTED})


def approval_ask(*, order: BillingOrder, totals: Totals, now: datetime) -> Approval | None:
    """Let an order that has just been placed wait for approval and tell approvers, where the account's policy wants it.

    The caller holds the partner's order numbers, so that placements of one partner, and with them the sum of a month,
    come one after another.
    """
    policy = policy_of(account_id=order.account_id)
    reason = reason_for_approval(policy, order=order, totals=totals, now=now) if policy else ""
    if policy is None or not reason:
        return None
    approval = Approval.objects.create(order=order, reason=reason, token=secrets.token_urlsafe(32), requested_at=now)
    order_move(order=order, to_state=OrderState.PENDING_APPROVAL, user=None, now=now, why=reason)
    OutboxEvent.objects.create(
        account_id=order.account_id, kind="approval.requested", subject=order.subject, created_at=now
    )
    mail_start(
        account_id=order.account_id,
        to=[user.email for user in approvers_of(order=order, policy=policy)],
        subject=f"{order} waits for your approval",
        body=_mail_body(approval),
        now=now,
    )
    return approval


def reason_for_approval(policy: ApprovalPolicy, *, order: BillingOrder, totals: Totals, now: datetime) -> str:
    """Say which limit an order passes, in words; nothing where it passes none. Both limits compare first months."""
    first_month = totals.over_one_month.known
    limit = policy.order_limit
    if limit is not None and first_month.amount > limit:
        return (
            f"The first month comes to {first_month}; an order up to {Money(limit, order.currency)} needs no approval."
        )
    limit = policy.month_limit
    if limit is not None:
        month = month_placed(account=order.account, now=now)
        if month.amount > limit:
            return (
                f"The orders of {now:%B %Y} come to {month} with this one; "
                f"up to {Money(limit, order.currency)} a month needs no approval."
            )
    return ""


def month_placed(*, account: Account, now: datetime) -> Money:
    """Return the first months' cost of all orders placed in this calendar month (UTC) that still count.

    Those placed a moment after `now` count too: it was taken before the wait until others had placed theirs.
    """
    month = Month.of(now)
    amounts = OrderLine.objects.filter(
        container__order_item__order__account=account,
        container__order_item__order__currency=account.currency,
        container__order_item__order__state__in=COUNTS_IN_ITS_MONTH,
        container__order_item__order__placed_at__gte=month.begin,
        container__order_item__order__placed_at__lt=month.end,
    ).values_list("monthly_amount", "once_amount")
    known = [amount for pair in amounts for amount in pair if amount is not None]
    return sum((Money(amount, account.currency) for amount in known), start=Money(Decimal(0), account.currency))


@transaction.atomic
def policy_set(
    *,
    account: Account,
    order_limit: Decimal | None,
    month_limit: Decimal | None,
    approver_id: int | None,
    user: User,
    now: datetime,
) -> ApprovalPolicy:
    """Say what an account may spend without approval; raises InputRefused with every problem."""
    problems = [
        Violation("limit_negative", field, "A limit is not below zero. Leave it empty to ask for no approval.")
        for field, limit in (("order_limit", order_limit), ("month_limit", month_limit))
        if limit is not None and limit < 0
    ]
    member = account.memberships.filter(user_id=approver_id).first() if approver_id else None
    if approver_id and (member is None or not can(member.role, "approve")):
        words = "Choose somebody of this account who is an approver or owner, or leave it to any of them."
        problems.append(Violation("approver_unfit", "approver", words))
    if problems:
        raise InputRefused(tuple(problems))
    policy, _ = ApprovalPolicy.objects.update_or_create(
        account=account,
        defaults={"order_limit": order_limit, "month_limit": month_limit, "approver_id": approver_id},
    )
    AuditEntry.objects.create(
        account_id=account.pk,
        subject=f"policy:{policy.pk}",
        actor=user.email,
        to_state="set",
        why=_limits(policy),
        at=now,
    )
    return policy


@transaction.atomic
def approval_decide(
    *, order_id: int, account_id: int, user: User, role: str | None, is_approved: bool, now: datetime, note: str = ""
) -> BillingOrder:
    """Approve or reject an order that waits for it, as somebody who may and who has not placed it.

    Raises BillingOrder.DoesNotExist, and RuleBroken where nothing is to be decided or it is not this person's decision.
    """
    order = locked_order(order_id=order_id, account_id=account_id)
    approval = Approval.objects.select_related("decided_by").filter(order=order).first()
    _require_undecided(order, approval)
    assert approval is not None, "an order is pending only together with its approval"
    policy = policy_of(account_id=account_id)
    _require_may_decide(order, policy, user=user, role=role)
    approval.is_approved, approval.decided_by, approval.decided_at, approval.note = is_approved, user, now, note
    approval.save(update_fields=["is_approved", "decided_by", "decided_at", "note"])
    to_state = OrderState.APPROVED if is_approved else OrderState.REJECTED
    order_move(order=order, to_state=to_state, user=user, now=now, why=note)
    if is_approved:
        order_fulfil_on_commit(order=order, now=now)
    else:
        resources_give_up(order=order, user=user, now=now, why=f"{order} was rejected.")
    OutboxEvent.objects.create(account_id=account_id, kind=f"order.{to_state}", subject=order.subject, created_at=now)
    return order


def policy_of(*, account_id: int) -> ApprovalPolicy | None:
    """Return the account's limits; None where nothing needs approval."""
    policies = ApprovalPolicy.objects.select_related("approver").prefetch_related("approver__memberships")
    return policies.filter(account_id=account_id).first()


def approvals_open(*, account_id: int) -> QuerySet[BillingOrder]:
    """Return the account's orders that wait for approval, with their parts, the longest waiting first."""
    waiting = orders_of(account_id=account_id).filter(state=OrderState.PENDING_APPROVAL)
    return with_parts(waiting.select_related("approval").order_by("placed_at", "pk"))


def may_decide(*, order: BillingOrder, policy: ApprovalPolicy | None, user: User, role: str | None) -> bool:
    """Tell whether the decision about this order is this person's: an approver, and never who placed it.

    Where the approver whom the policy names cannot decide, it is that of any other.
    """
    if order.placed_by_id == user.pk or not can(role, "approve"):
        return False
    approver = _approver_of(order, policy)
    return approver is None or approver.pk == user.pk


def approvers_of(*, order: BillingOrder, policy: ApprovalPolicy) -> list[User]:
    """Return the people whose decision the order waits for."""
    members = Membership.objects.filter(account_id=order.account_id, user__is_active=True).select_related("user")
    return [
        member.user for member in members if may_decide(order=order, policy=policy, user=member.user, role=member.role)
    ]


def _approver_of(order: BillingOrder, policy: ApprovalPolicy | None) -> User | None:
    """Return whom the policy names, unless they placed the order, are inactive or approve nothing any more."""
    approver = policy.approver if policy else None
    if approver is None or approver.pk == order.placed_by_id or not approver.is_active:
        return None
    roles = [member.role for member in approver.memberships.all() if member.account_id == order.account_id]
    return approver if any(can(role, "approve") for role in roles) else None


def _limits(policy: ApprovalPolicy) -> str:
    order_limit, month_limit = policy.order_limit, policy.month_limit
    return f"{order_limit if order_limit is not None else 'no limit'} per order, " + (
        f"{month_limit if month_limit is not None else 'no limit'} per month"
    )


def _require_undecided(order: BillingOrder, approval: Approval | None) -> None:
    if approval and approval.decided_by and approval.decided_at:
        verb = "approved" if approval.is_approved else "rejected"
        words = f"{approval.decided_by.display_name} {verb} {order} on {time_words(approval.decided_at)}."
        raise RuleBroken("approval_already_decided", words)
    if order.state != OrderState.PENDING_APPROVAL:
        words = f"{order} is {order.get_state_display().lower()} and does not wait for approval."
        raise RuleBroken("approval_not_pending", words)


def _require_may_decide(order: BillingOrder, policy: ApprovalPolicy | None, *, user: User, role: str | None) -> None:
    if order.placed_by_id == user.pk:
        words = "Whoever placed an order cannot decide about it. Another approver of the account can."
        raise RuleBroken("approval_of_own_order", words)
    if not may_decide(order=order, policy=policy, user=user, role=role):
        approver = _approver_of(order, policy)
        who = approver.display_name if approver else "an approver or owner of the account"
        raise RuleBroken("approval_not_yours", f"This decision is for {who}.")


def _mail_body(approval: Approval) -> str:
    order = approval.order
    buyer = order.placed_by.display_name if order.placed_by else ""
    address = partner_address(partner=order.partner) + reverse("approval-by-link", args=[approval.token])
    return (
        f"{buyer} placed {order} ({order.name}) for {order.account}.\n{approval.reason}\n\n"
        f"Look at it, and approve or reject it:\n{address}\n"
    )
