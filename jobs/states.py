"""Which states a run may move between, and the one function that moves it."""

from datetime import datetime

from core.errors import RuleBroken
from jobs.models import FINISHED_RUN_STATES, Failure, JsonDict, Run, RunState

RUN_MOVES: dict[RunState, frozenset[RunState]] = {
    RunState.WAITING: frozenset({RunState.RUNNING, RunState.CANCELLED}),
    RunState.RUNNING: frozenset({RunState.DONE, RunState.FAILED, RunState.CANCELLED}),
    RunState.FAILED: frozenset({RunState.WAITING}),
    RunState.CANCELLED: frozenset({RunState.WAITING}),
    RunState.DONE: frozenset(),
}


def run_move(
    *,
    run: Run,
    to: RunState,
    now: datetime,
    failure: Failure | None = None,
    reason: str = "",
    result: JsonDict | None = None,
) -> None:
    """Move a locked run to another state with the facts that this state implies; raises RuleBroken."""
    current = RunState(run.state)
    if to not in RUN_MOVES[current]:
        raise RuleBroken("run_move_refused", f"A run that is {current.label.lower()} cannot become {to.label.lower()}.")
    run.state = to
    if to == RunState.WAITING:
        run.started_at = None
    if to == RunState.RUNNING:
        run.started_at = now
    run.finished_at = now if to in FINISHED_RUN_STATES else None
    run.failure = failure or ""
    run.reason = reason
    run.result = result
    run.save(update_fields=["state", "started_at", "finished_at", "failure", "reason", "result"])
