"""Calls that carry one key and arrive together: the effect happens once, and all get its answer."""

from threading import Event

import pytest

from core import idempotency
from core.errors import RuleBroken
from core.idempotency import idempotent
from core.models import AuditEntry, IdempotencyRecord
from orders.tests.factories import NOW
from tests.threads import WAIT_SECONDS, at_the_same_moment

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

CALLS = 8


def effect():
    entry = AuditEntry.objects.create(account_id=1, subject="test:1", actor="ana", to_state="made", at=NOW)
    return 201, {"id": entry.pk}


def call_with_key():
    return idempotent(account_id=1, key="key-1", fingerprint="same", now=NOW, call=effect)


def test_of_calls_with_one_key_one_has_an_effect_and_the_others_wait_for_its_answer():
    answers = at_the_same_moment([call_with_key] * CALLS)

    entry = AuditEntry.objects.get()
    assert answers == [(201, {"id": entry.pk})] * CALLS
    assert IdempotencyRecord.objects.count() == 1


def test_a_call_whose_twin_is_still_in_flight_is_told_to_come_again(monkeypatch):
    monkeypatch.setattr(idempotency, "WAIT_SECONDS", 1)
    first_is_inside, second_is_refused = Event(), Event()

    def slow_effect():
        first_is_inside.set()
        assert second_is_refused.wait(WAIT_SECONDS)
        return effect()

    def first():
        return idempotent(account_id=1, key="key-1", fingerprint="same", now=NOW, call=slow_effect)

    def second():
        assert first_is_inside.wait(WAIT_SECONDS)
        try:
            return call_with_key()
        finally:
            second_is_refused.set()

    answer, refusal = at_the_same_moment([first, second])

    entry = AuditEntry.objects.get()
    assert answer == (201, {"id": entry.pk})
    assert isinstance(refusal, RuleBroken)
    assert refusal.code == "idempotency_in_flight"
    assert call_with_key() == answer


def test_without_the_key_every_call_has_an_effect():
    at_the_same_moment([effect] * CALLS)

    assert AuditEntry.objects.count() == CALLS
