"""Links to configurations: whoever has one sees what was shared, at the prices of that moment, and nothing else."""

import secrets
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Account, User
from core.errors import RuleBroken
from core.models import AuditEntry
from orders.models import SharedConfiguration

Json = dict[str, Any]
VALID_DAYS = 30
MOST_VALID_DAYS = 365
OF_THE_ACCOUNT_ALONE = ("price_steps", "source_price_id")
"""What a line's document says beside its words and amounts: how the account comes by its prices."""


@transaction.atomic
def configuration_share(
    *,
    account: Account,
    name: str,
    asked: Json,
    document: Json,
    user: User,
    now: datetime,
    valid_days: int = VALID_DAYS,
) -> SharedConfiguration:
    """Make a link to a configuration as it is now; raises RuleBroken where it is empty or the days are out of range.

    Host names, and why the account pays these prices, stay out of it.
    """
    if not 1 <= valid_days <= MOST_VALID_DAYS:
        words = f"A link holds for 1 to {MOST_VALID_DAYS} days, not {valid_days}."
        raise RuleBroken("valid_days_out_of_range", words, field="valid_days")
    if not document["items"]:
        raise RuleBroken("nothing_to_share", "There is nothing in it to share. Add a part first.")
    shared = SharedConfiguration.objects.create(
        account=account,
        name=name[:200],
        currency=document["currency"],
        asked=_without_account(asked),
        document=_without_account(document),
        token=secrets.token_urlsafe(32),
        shared_by=user,
        shared_at=now,
        expires_at=now + timedelta(days=valid_days),
    )
    _note(shared, "shared", user=user, now=now)
    return shared


@transaction.atomic
def configuration_revoke(*, shared_id: int, account_id: int, user: User, now: datetime) -> SharedConfiguration:
    """Make a link lead nowhere from now on; raises SharedConfiguration.DoesNotExist."""
    shared = SharedConfiguration.objects.select_for_update().get(pk=shared_id, account_id=account_id)
    if shared.revoked_at is None:
        shared.revoked_at = now
        shared.save(update_fields=["revoked_at"])
        _note(shared, "not_shared", user=user, now=now)
    return shared


def shared_configurations_of(*, account_id: int) -> QuerySet[SharedConfiguration]:
    """Return what the account has shared, the newest first, the documents left out."""
    shared = SharedConfiguration.objects.filter(account_id=account_id).select_related("shared_by")
    return shared.defer("asked", "document")


def shared_by_token(*, token: str, partner_id: int, at: datetime) -> SharedConfiguration:
    """Return what a partner's link with this token leads to at a time; raises SharedConfiguration.DoesNotExist."""
    return SharedConfiguration.objects.select_related("account__partner").get(
        token=token, account__partner_id=partner_id, expires_at__gt=at, revoked_at=None
    )


def shared_state(shared: SharedConfiguration, *, now: datetime) -> str:
    """Say what has become of a link: open, expired or revoked."""
    if shared.revoked_at:
        return "revoked"
    return "expired" if shared.expires_at <= now else "open"


def _without_account(document: Json) -> Json:
    """Return an order's document without what only its account is to know."""
    kept = deepcopy(document)
    kept.pop("promotion_code", None)
    for item in kept["items"]:
        for container in item["containers"]:
            if "host_names" in container:
                container["host_names"] = ""
            for line in container.get("lines", []):
                line.update(dict.fromkeys(OF_THE_ACCOUNT_ALONE))
    return kept


def _note(shared: SharedConfiguration, to_state: str, *, user: User, now: datetime) -> None:
    AuditEntry.objects.create(
        account_id=shared.account_id,
        subject=f"configuration:{shared.pk}",
        actor=user.email,
        to_state=to_state,
        at=now,
    )
