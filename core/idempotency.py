"""Calls that create something, made exactly once: the same key with the same body gets the same answer."""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import OperationalError, connection, transaction

from core.errors import RuleBroken
from core.models import IdempotencyRecord

LONGEST_KEY = 120
WAIT_SECONDS = 10
LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's code for a lock that was not given in time."""

Answer = tuple[int, object]
"""A status code and a body that JSON can hold."""


def fingerprint_of(*, method: str, path: str, body: bytes) -> str:
    """Return what tells two calls apart that carry one key."""
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), body))).hexdigest()


def idempotent(*, account_id: int, key: str, fingerprint: str, now: datetime, call: Callable[[], Answer]) -> Answer:
    """Make the call, or return the answer it had when it was made with this key before.

    The answer is stored in the transaction of the call's own effect; a call that raises leaves no record and may be
    tried again. A twin in flight is waited for at the unique row, on PostgreSQL for ten seconds; SQLite lets one
    writer in at a time and waits as long as its own timeout. Raises RuleBroken for a key that was used for another
    body, that is no key, or whose first call is still in flight; on SQLite also where any other writer took too long.
    """
    if not 0 < len(key) <= LONGEST_KEY:
        raise RuleBroken("idempotency_key_invalid", f"An idempotency key has 1 to {LONGEST_KEY} characters.")
    with _in_flight_told(), transaction.atomic():
        record, is_new = _record(account_id=account_id, key=key, fingerprint=fingerprint, now=now)
        if record.fingerprint != fingerprint:
            words = "This idempotency key was used for another call. Take a new one."
            raise RuleBroken("idempotency_key_reused", words)
        if is_new:
            record.status_code, record.body = call()
            record.save(update_fields=["status_code", "body"])
            # Read as it was stored, so that the first answer equals the repeated ones.
            record.refresh_from_db(fields=["status_code", "body"])
    assert record.status_code is not None, "a record is only ever committed together with its answer"
    return record.status_code, record.body


def _record(*, account_id: int, key: str, fingerprint: str, now: datetime) -> tuple[IdempotencyRecord, bool]:
    """Return the key's row and whether it is new; a twin's row that is not yet committed is waited for."""
    with _waiting_at_most(WAIT_SECONDS):
        return IdempotencyRecord.objects.get_or_create(
            account_id=account_id, key=key, defaults={"fingerprint": fingerprint, "created_at": now}
        )


@contextmanager
def _in_flight_told() -> Iterator[None]:
    """Turn a database's words for a lock that was not given in time into a refusal that says what to do."""
    try:
        yield
    except OperationalError as error:
        is_late_on_postgresql = getattr(error.__cause__, "sqlstate", None) == LOCK_NOT_AVAILABLE
        is_late_on_sqlite = getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
        if not (is_late_on_postgresql or is_late_on_sqlite):
            raise
        words = "A call with this idempotency key is still being worked on. Send it again in a moment."
        raise RuleBroken("idempotency_in_flight", words) from None


@contextmanager
def _waiting_at_most(seconds: int) -> Iterator[None]:
    """Give up waiting for another transaction's row after so long; only PostgreSQL can be told."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{seconds}s"])
        yield
        cursor.execute("SELECT set_config('lock_timeout', '0', true)")
