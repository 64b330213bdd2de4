from datetime import UTC, datetime, timedelta

from jobs.models import Run
from jobs.points import Claim, point_claim
from jobs.services import run_start

NOW = datetime(2012, 4, 2, 9, 0, tzinfo=UTC)
LONG_AFTER = NOW + timedelta(hours=1)


def make_run(*, points: int = 2, account_id: int = 1, kind: str = "test.sum", now: datetime = NOW) -> Run:
    return run_start(
        kind=kind,
        account_id=account_id,
        created_by="nora@north.example",
        parameters={"unit": "MB/s"},
        points=[{"value": value} for value in range(points)],
        now=now,
    )


def claim_next(*, now: datetime = NOW, worker: str = "host:1") -> Claim:
    claim = point_claim(now=now, worker=worker)
    assert claim is not None
    return claim
