"""Locks of this room. The run is always locked before its points, so that no two transactions wait for each other."""

from jobs.models import Run


def run_locked(*, run_id: int) -> Run:
    """Read a run again and hold it until the transaction ends."""
    return Run.objects.select_for_update().get(pk=run_id)
