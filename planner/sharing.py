"""Links to the answers of plans and of advice: whoever has one sees the answer and nothing else, until it ends or is
taken back."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from core.errors import RuleBroken
from core.models import AuditEntry
from planner.models import Advice, AnswerShare, Plan

VALID_DAYS = 30


@transaction.atomic
def answer_share(*, answer: Plan | Advice, user: User, now: datetime) -> AnswerShare:
    """Make a link to an answer that holds for VALID_DAYS days; raises RuleBroken where there is no answer."""
    if not (answer.run.result or {}).get("best"):
        raise RuleBroken("nothing_to_share", "There is no configuration to show here. Change the demand.")
    share = AnswerShare.objects.create(
        **_leads_to(answer),
        token=secrets.token_urlsafe(32),
        shared_by=user,
        shared_at=now,
        expires_at=now + timedelta(days=VALID_DAYS),
    )
    _note(share, answer, "shared", user=user, now=now)
    return share


@transaction.atomic
def answer_unshare(*, answer: Plan | Advice, user: User, now: datetime) -> int:
    """Make all links to an answer lead nowhere from now on; returns how many did."""
    leads_to = _leads_to(answer)
    open_shares = list(AnswerShare.objects.select_for_update().filter(**leads_to, revoked_at=None).order_by("pk"))
    for share in open_shares:
        share.revoked_at = now
        share.save(update_fields=["revoked_at"])
        _note(share, answer, "not_shared", user=user, now=now)
    return len(open_shares)


def open_shares_of(*, answer: Plan | Advice, at: datetime) -> QuerySet[AnswerShare]:
    """Return the links to an answer that still lead to it, the newest first."""
    return AnswerShare.objects.filter(**_leads_to(answer), revoked_at=None, expires_at__gt=at)


def share_by_token(*, token: str, partner_id: int, at: datetime) -> AnswerShare:
    """Return what a partner's link with this token leads to at a time; raises AnswerShare.DoesNotExist."""
    is_of_partner = Q(plan__account__partner_id=partner_id) | Q(advice__account__partner_id=partner_id)
    shares = AnswerShare.objects.select_related(
        *("plan__run", "plan__location", "plan__account__partner"),
        *("advice__run", "advice__location", "advice__account__partner"),
    )
    return shares.get(is_of_partner, token=token, expires_at__gt=at, revoked_at=None)


def _leads_to(answer: Plan | Advice) -> dict[str, Plan | Advice]:
    return {"plan" if isinstance(answer, Plan) else "advice": answer}


def _note(share: AnswerShare, answer: Plan | Advice, to_state: str, *, user: User, now: datetime) -> None:
    AuditEntry.objects.create(
        account_id=answer.account_id, subject=share.subject, actor=user.email, to_state=to_state, at=now
    )
