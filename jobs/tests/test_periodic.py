from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command

from jobs import periodic
from jobs.models import PeriodicClaim
from jobs.periodic import Every, period_of, register_periodic, start_due
from jobs.tests.factories import NOW, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_other_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(periodic, "_jobs", {})


@pytest.mark.parametrize(
    ("every", "now", "period"),
    [
        ("month", datetime(2012, 4, 30, 23, 59, tzinfo=UTC), "2012-04"),
        ("month", datetime(2012, 5, 1, tzinfo=UTC), "2012-05"),
        (timedelta(days=1), datetime(2012, 4, 30, 23, 59, tzinfo=UTC), "2012-04-30T00:00:00+00:00"),
        (timedelta(minutes=5), datetime(2012, 4, 30, 23, 59, tzinfo=UTC), "2012-04-30T23:55:00+00:00"),
    ],
)
def test_a_moment_belongs_to_one_period(every: Every, now: datetime, period: str) -> None:
    assert period_of(every=every, now=now) == period


def test_a_periodic_job_starts_once_in_each_period() -> None:
    started: list[datetime] = []
    register_periodic("test.hourly", timedelta(hours=1), started.append)
    moments = [NOW, NOW + timedelta(minutes=59), NOW + timedelta(minutes=60), NOW + timedelta(minutes=61)]

    names = [start_due(now=now) for now in moments]

    assert names == [["test.hourly"], [], ["test.hourly"], []]
    assert started == [NOW, NOW + timedelta(hours=1)]


def test_of_two_tickers_only_the_one_that_claims_the_period_starts_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[datetime] = []
    register_periodic("test.monthly", "month", started.append)
    PeriodicClaim.objects.create(job="test.monthly", period="2012-04", claimed_at=NOW)
    job = periodic._jobs["test.monthly"]

    assert periodic._claim(job=job, period="2012-04", now=NOW) is False
    assert start_due(now=NOW) == []
    assert started == []


def test_a_job_that_could_not_start_is_tried_again_and_the_others_start() -> None:
    attempts: list[datetime] = []

    def fail_first(now: datetime) -> None:
        make_run(points=1)
        attempts.append(now)
        if len(attempts) == 1:
            raise ConnectionError("The exchange rates are not at hand.")

    others: list[datetime] = []
    register_periodic("test.rates", timedelta(days=1), fail_first)
    register_periodic("test.other", timedelta(days=1), others.append)

    assert start_due(now=NOW) == ["test.other"]
    assert start_due(now=NOW + timedelta(seconds=1)) == ["test.rates"]
    assert (len(attempts), len(others)) == (2, 1)


def test_one_tick_rings_for_what_waits(rung: list[int]) -> None:
    make_run(points=1)

    call_command("tick", once=True)

    assert len(rung) == 1
