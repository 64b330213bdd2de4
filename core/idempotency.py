"""Calls that create something, made exactly once: the same key with the same body gets the same answer."""

import hashlib
from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from core.errors import RuleBroken
from core.models import IdempotencyRecord

LONGEST_KEY = 120

Answer = tuple[int, object]
"""A status code and a body that JSON can hold."""


def fingerprint_of(*, method: str, path: str, body: bytes) -> str:
    """Return what tells two calls apart that carry one key."""
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), body))).hexdigest()


@transaction.atomic
def idempotent(*, account_id: int, key: str, fingerprint: str, now: datetime, call: Callable[[], Answer]) -> Answer:
    """Make the call, or return the answer it had when it was made with this key before.

    The answer is stored in the transaction of the call's own effect; a call that raises leaves no record and may be
    tried again. A twin in flight is waited for at the unique row. Raises RuleBroken for a key that was used for
    another body, or that is no key.
    """
    if not 0 < len(key) <= LONGEST_KEY:
        raise RuleBroken("idempotency_key_invalid", f"An idempotency key has 1 to {LONGEST_KEY} characters.")
    record, is_new = IdempotencyRecord.objects.get_or_create(
        account_id=account_id, key=key, defaults={"fingerprint": fingerprint, "created_at": now}
    )
    if record.fingerprint != fingerprint:
        raise RuleBroken("idempotency_key_reused", "This idempotency key was used for another call. Take a new one.")
    if is_new:
        record.status_code, record.body = call()
        record.save(update_fields=["status_code", "body"])
        # Read as it was stored, so that the first answer equals the repeated ones.
        record.refresh_from_db(fields=["status_code", "body"])
    assert record.status_code is not None, "a record is only ever committed together with its answer"
    return record.status_code, record.body
