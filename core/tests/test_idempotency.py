"""The same key with the same body gets the same answer, and its effect happens once."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper

from core import idempotency
from core.errors import RuleBroken
from core.idempotency import fingerprint_of, idempotent
from core.models import AuditEntry, IdempotencyRecord

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 3, 12, 3, tzinfo=UTC)


def effect():
    """Write one row and answer with its id: what a creating call does."""
    entry = AuditEntry.objects.create(account_id=1, subject="test:1", actor="ana", to_state="made", at=NOW)
    return 201, {"id": entry.pk, "amount": "1512.00"}


def call_once(*, key="key-1", fingerprint="same", account_id=1, call=effect):
    return idempotent(account_id=account_id, key=key, fingerprint=fingerprint, now=NOW, call=call)


def test_a_repeated_call_gets_the_first_answer_and_has_no_second_effect():
    first, second = call_once(), call_once()

    assert first == second
    assert first[0] == 201
    assert AuditEntry.objects.count() == 1


def test_the_same_key_with_another_body_is_refused_and_changes_nothing():
    call_once()

    with pytest.raises(RuleBroken) as refusal:
        call_once(fingerprint="other")

    assert refusal.value.code == "idempotency_key_reused"
    assert AuditEntry.objects.count() == 1


def test_another_key_and_another_account_make_another_call():
    call_once()
    call_once(key="key-2")
    call_once(account_id=2)

    assert AuditEntry.objects.count() == 3


def test_a_call_that_raises_leaves_no_trace_and_may_be_tried_again():
    def refused():
        effect()
        raise RuleBroken("order_empty", "An empty order cannot be placed.")

    with pytest.raises(RuleBroken):
        call_once(call=refused)

    assert AuditEntry.objects.count() == IdempotencyRecord.objects.count() == 0
    assert call_once()[0] == 201
    assert AuditEntry.objects.count() == 1


def test_the_first_answer_reads_as_the_repeated_ones_do():
    first = call_once(call=lambda: (200, {1: ("a", "b")}))

    assert first == call_once() == (200, {"1": ["a", "b"]})


def test_an_answer_that_json_cannot_hold_is_a_bug_and_undoes_the_call():
    def with_decimal():
        effect()
        return 201, {"amount": Decimal(1)}

    with pytest.raises(TypeError):
        call_once(call=with_decimal)

    assert AuditEntry.objects.count() == 0


@pytest.fixture
def busy_database(tmp_path, monkeypatch):
    """Let calls go to a file of SQLite that somebody else is writing to."""
    path = tmp_path / "busy.sqlite3"
    options = {"transaction_mode": "IMMEDIATE", "timeout": 0}
    sqlite = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path), "OPTIONS": options}
    connections["busy"] = DatabaseWrapper({**connections.settings["default"], **sqlite}, "default")
    monkeypatch.setattr(idempotency, "transaction", SimpleNamespace(atomic=partial(transaction.atomic, using="busy")))
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        yield
    connections["busy"].close()
    del connections["busy"]


def test_a_call_that_sqlite_lets_not_in_is_told_to_come_again(busy_database):
    with pytest.raises(RuleBroken) as refusal:
        call_once()

    assert refusal.value.code == "idempotency_in_flight"
    assert AuditEntry.objects.count() == IdempotencyRecord.objects.count() == 0


def test_another_failure_of_the_database_stays_a_bug():
    def broken():
        raise OperationalError("disk I/O error")

    with pytest.raises(OperationalError):
        call_once(call=broken)


@pytest.mark.parametrize("key", ["", "k" * 121])
def test_a_key_of_the_wrong_length_is_refused(key):
    with pytest.raises(RuleBroken) as refusal:
        call_once(key=key)

    assert refusal.value.code == "idempotency_key_invalid"


def test_method_path_and_body_each_tell_calls_apart():
    calls = [("POST", "/a", b"x"), ("PUT", "/a", b"x"), ("POST", "/b", b"x"), ("POST", "/a", b"y")]

    prints = {fingerprint_of(method=method, path=path, body=body) for method, path, body in calls}

    assert len(prints) == 4
    assert all(len(text) == 64 for text in prints)
