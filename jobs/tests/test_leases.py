from datetime import datetime
from threading import Event

import pytest
from django.db import OperationalError

from jobs import leases
from jobs.leases import lease_kept
from jobs.models import Point
from jobs.points import Claim
from jobs.tests.factories import claim_next, make_run

DEADLINE_SECONDS = 20


@pytest.mark.django_db(transaction=True)
def test_a_lease_grows_while_its_point_computes(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LEASE_SECONDS = 0.3
    make_run(points=1)
    claim = claim_next()
    granted = Point.objects.get(pk=claim.point_id).lease_until
    renewed = Event()
    renew = leases.lease_renew

    def renew_and_tell(*, claim: Claim, now: datetime) -> bool:
        answer = renew(claim=claim, now=now)
        renewed.set()
        return answer

    monkeypatch.setattr(leases, "lease_renew", renew_and_tell)

    with lease_kept(claim=claim):
        assert renewed.wait(DEADLINE_SECONDS)

    point = Point.objects.get(pk=claim.point_id)
    assert granted is not None
    assert point.lease_until is not None
    assert point.lease_until > granted
    assert point.token == claim.token


@pytest.mark.django_db
def test_renewing_goes_on_after_a_failure_of_the_database_and_ends_when_the_lease_is_lost(monkeypatch) -> None:
    make_run(points=1)
    answers = iter([None, True, False, True])
    given: list[bool] = []

    def renew(*, claim: Claim, now: datetime) -> bool:
        answer = next(answers)
        if answer is None:
            raise OperationalError("server closed the connection")
        given.append(answer)
        return answer

    monkeypatch.setattr(leases, "lease_renew", renew)
    monkeypatch.setattr(leases.connection, "close", lambda: None)
    never_ended = Event()
    monkeypatch.setattr(never_ended, "wait", lambda seconds: False)

    leases._renew_until(claim=claim_next(), ended=never_ended)

    assert given == [True, False]
