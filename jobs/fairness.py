"""Whose turn it is: workers go to the account that has the fewest of them, then to the one that waited longest."""

from datetime import UTC, datetime

from django.db.models import Count, Exists, Max, OuterRef

from jobs.models import ACTIVE_RUN_STATES, Point, PointState, Run

NEVER = datetime.min.replace(tzinfo=UTC)


def runs_in_turn(*, now: datetime) -> list[int]:
    """Return the ids of the runs that have a claimable point, the one to serve first in front."""
    claimable = Point.objects.claimable(now=now).filter(run=OuterRef("pk"))
    waiting = list(
        Run.objects.filter(Exists(claimable), state__in=ACTIVE_RUN_STATES).values_list("pk", "account_id", "served_at")
    )
    if len(waiting) < 2:
        return [run_id for run_id, _, _ in waiting]
    accounts = {account_id for _, account_id, _ in waiting}
    busy = _leased_points(now=now)
    served = _last_served(accounts=accounts)
    waiting.sort(key=lambda run: (busy.get(run[1], 0), served[run[1]], run[2] or NEVER, run[0]))
    return [run_id for run_id, _, _ in waiting]


def _leased_points(*, now: datetime) -> dict[int, int]:
    leased = Point.objects.filter(state=PointState.LEASED, lease_until__gte=now).order_by()
    return dict(leased.values_list("run__account_id").annotate(Count("pk")))


def _last_served(*, accounts: set[int]) -> dict[int, datetime]:
    rows = Run.objects.filter(account_id__in=accounts).order_by().values_list("account_id").annotate(Max("served_at"))
    return {account_id: served_at or NEVER for account_id, served_at in rows}
