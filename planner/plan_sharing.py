"""Links to plans: whoever has one sees the plan's answer and nothing else, until it ends or is taken back."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from core.errors import RuleBroken
from core.models import AuditEntry
from planner.models import Plan, PlanShare
from planner.selectors import plan_of

VALID_DAYS = 30


@transaction.atomic
def plan_share(*, plan_id: int, account_id: int, user: User, now: datetime) -> PlanShare:
    """Make a link to a plan's answer that holds for VALID_DAYS days.

    Raises Plan.DoesNotExist for another account's plan, and RuleBroken where the plan has no answer yet.
    """
    plan = plan_of(account_id=account_id, plan_id=plan_id)
    if not (plan.run.result or {}).get("best"):
        raise RuleBroken("plan_without_answer", "This plan has no configuration to show. Change the demand.")
    share = PlanShare.objects.create(
        plan=plan,
        token=secrets.token_urlsafe(32),
        shared_by=user,
        shared_at=now,
        expires_at=now + timedelta(days=VALID_DAYS),
    )
    _note(share, plan, "shared", user=user, now=now)
    return share


@transaction.atomic
def plan_unshare(*, plan_id: int, account_id: int, user: User, now: datetime) -> int:
    """Make all links to a plan lead nowhere from now on; returns how many did. Raises Plan.DoesNotExist."""
    plan = plan_of(account_id=account_id, plan_id=plan_id)
    open_shares = list(PlanShare.objects.select_for_update().filter(plan=plan, revoked_at=None).order_by("pk"))
    for share in open_shares:
        share.revoked_at = now
        share.save(update_fields=["revoked_at"])
        _note(share, plan, "not_shared", user=user, now=now)
    return len(open_shares)


def open_shares_of(*, plan: Plan, at: datetime) -> QuerySet[PlanShare]:
    """Return the links to a plan that still lead to it, the newest first."""
    return PlanShare.objects.filter(plan=plan, revoked_at=None, expires_at__gt=at)


def plan_by_token(*, token: str, partner_id: int, at: datetime) -> PlanShare:
    """Return what a partner's link with this token leads to at a time; raises PlanShare.DoesNotExist."""
    return PlanShare.objects.select_related("plan__run", "plan__location", "plan__account__partner").get(
        token=token, plan__account__partner_id=partner_id, expires_at__gt=at, revoked_at=None
    )


def _note(share: PlanShare, plan: Plan, to_state: str, *, user: User, now: datetime) -> None:
    AuditEntry.objects.create(
        account_id=plan.account_id, subject=f"plan:{plan.pk}", actor=user.email, to_state=to_state, at=now
    )
