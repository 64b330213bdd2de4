"""What changes in accounts: keys are made, used and revoked, and an account is chosen."""

import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Case, Exists, OuterRef, Subquery, Value, When
from django.db.models.functions import Coalesce

from accounts.models import Account, ApiKey, Membership, PartnerStaff, Scope
from accounts.roles import PARTNER_STAFF, can
from accounts.selectors import Standing, role_in, standing_chosen
from accounts.visits import partner_id_at
from core.errors import RuleBroken

KEY_SCHEME = "Api-Key"
"""The word before a key in the header `Authorization`."""
KEY_ALPHABET = string.ascii_lowercase + string.digits
PREFIX_LENGTH = 8
SECRET_LENGTH = 40
KEY_TEXT = re.compile(rf"rw_([a-z0-9]{{{PREFIX_LENGTH}}})_([a-z0-9]{{{SECRET_LENGTH}}})")
USE_IS_NOTED_EVERY = timedelta(minutes=1)
SESSION_ACCOUNT = "account_id"


@dataclass(frozen=True)
class ProvenKey:
    """An open key whose text was shown, with its user's role in its account now; None after he left it.

    `is_at_home` is False at a host of another partner than the key's; a host of no partner is everybody's.
    """

    key: ApiKey
    role: str | None
    is_at_home: bool


def api_key_create(*, account_id: int, user_id: int, name: str, scope: str, now: datetime) -> tuple[ApiKey, str]:
    """Make a key and return it with its text, which nobody can see again.

    Raises RuleBroken: `not_a_member` for somebody who may not act for the account, or `scope_beyond_role` where the key
    would reach further than its user.
    """
    role = role_in(user_id=user_id, account_id=account_id)
    if role is None:
        raise RuleBroken("not_a_member", "A key can only be made by somebody who may act for the account.")
    if scope == Scope.WRITE and not can(role, "draft"):
        raise RuleBroken("scope_beyond_role", "Your role may only read, so choose a key that reads.", field="scope")
    prefix = "".join(secrets.choice(KEY_ALPHABET) for _ in range(PREFIX_LENGTH))
    secret = "".join(secrets.choice(KEY_ALPHABET) for _ in range(SECRET_LENGTH))
    key = ApiKey.objects.create(
        account_id=account_id,
        user_id=user_id,
        name=name,
        scope=scope,
        prefix=prefix,
        digest=_digest(secret),
        created_at=now,
    )
    return key, f"rw_{prefix}_{secret}"


def api_key_verify(*, text: str, host: str, now: datetime) -> ProvenKey | None:
    """Return the open key that the text proves, and note its use; None for any other text. One query, mostly."""
    parts = KEY_TEXT.fullmatch(text)
    if parts is None:
        return None
    prefix, secret = parts.groups()
    own_role = Membership.objects.filter(user=OuterRef("user"), account=OuterRef("account")).values("role")
    serves = PartnerStaff.objects.filter(user=OuterRef("user"), partner=OuterRef("account__partner"))
    role = Coalesce(Subquery(own_role), Case(When(Exists(serves), then=Value(PARTNER_STAFF))))
    keys = ApiKey.objects.annotate(role=role, here=partner_id_at(host))
    key = keys.select_related("account__partner", "user").filter(prefix=prefix).first()
    # Compared also when no key has this prefix, so that the time taken tells nothing.
    proves = hmac.compare_digest(key.digest if key else "", _digest(secret))
    if key is None or not proves or not key.is_open:
        return None
    if not key.user.is_active or (key.user.is_demo and not settings.EMBEDDED):
        return None
    _note_use(key=key, now=now)
    return ProvenKey(key, key.role, key.here in (None, key.account.partner_id))


def api_key_revoke(*, key_id: int, now: datetime) -> None:
    """Close a key for good; closing it again changes nothing."""
    ApiKey.objects.filter(pk=key_id, revoked_at=None).update(revoked_at=now)


def account_choose(*, session: SessionBase, standings: Sequence[Standing], account_id: int) -> Account:
    """Remember in the session for which account a user acts, of those he may; raises RuleBroken `account_unknown`."""
    chosen = standing_chosen(standings, account_id)
    if chosen is None or chosen.account.pk != account_id:
        raise RuleBroken("account_unknown", "You have no such account here.")
    session[SESSION_ACCOUNT] = account_id
    return chosen.account


def _digest(secret: str) -> str:
    # A long random secret needs no slow hash: there is nothing to guess.
    return hashlib.sha256(secret.encode()).hexdigest()


def _note_use(*, key: ApiKey, now: datetime) -> None:
    if key.last_used_at is None or key.last_used_at < now - USE_IS_NOTED_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
