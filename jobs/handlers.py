"""What a kind of run does. Rooms above register their kinds in their tasks.py, which only workers import."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from jobs.models import JsonDict


class Cancelled(Exception):
    """Raised by a handler that stops because nobody wants its answer any more."""


class TryLater(Exception):
    """Raised by a handler that has to wait for something outside; its point is taken up again at that time.

    It is no failure, however often it happens: what counts are starts that crash or lose their worker.
    """

    def __init__(self, at: datetime, reason: str) -> None:
        super().__init__(reason)
        self.at = at
        self.reason = reason


@dataclass(frozen=True)
class PointContext:
    """What a point may know and say while it is computed."""

    run_id: int
    index: int
    seed: int
    start: int
    """1, and one more each time the point is taken up again."""
    parameters: JsonDict
    is_cancelled: Callable[[], bool]
    say: Callable[[str], None]

    def stop_if_cancelled(self) -> None:
        """Leave the computation when its answer is not wanted any more; raises Cancelled."""
        if self.is_cancelled():
            raise Cancelled


Execute = Callable[[PointContext, JsonDict], JsonDict]
Finish = Callable[[int, JsonDict, list[JsonDict]], JsonDict]
Settle = Callable[[int, JsonDict], None]
PlanStage = Callable[[int, JsonDict, list[JsonDict]], list[JsonDict] | None]


@dataclass(frozen=True)
class Handler:
    """The functions of one kind of run."""

    execute: Execute
    finish: Finish
    settle: Settle | None
    plan_stage: PlanStage | None


_handlers: dict[str, Handler] = {}


def register(
    kind: str,
    *,
    execute: Execute,
    finish: Finish,
    settle: Settle | None = None,
    plan_stage: PlanStage | None = None,
) -> None:
    """Say how a kind of run is computed.

    `execute(context, point_parameters)` computes one point; it may run more than once and gets the same seed.
    `finish(run_id, run_parameters, results)` joins all results, in the order of the points, to the run's result.
    `settle(run_id, result)` writes rows of its room in the transaction that makes the run done.
    `plan_stage(stage, run_parameters, results)` makes the kind one of stages: whenever all points so far are done it
    returns the points of the next stage, in view of the results so far, or None when no stage is left. It is called in
    the transaction that completes a stage's last point, so it must be quick, and the same results must give the same
    points.
    """
    _handlers[kind] = Handler(execute=execute, finish=finish, settle=settle, plan_stage=plan_stage)


def handler_for(kind: str) -> Handler:
    """Return the handler of a kind; raises LookupError when no installed room registered it."""
    try:
        return _handlers[kind]
    except KeyError:
        raise LookupError(f"No handler is registered for runs of the kind “{kind}”.") from None


def point_seed(*, run_seed: int, index: int) -> int:
    """Return the seed of one point: the same on every worker and in every attempt."""
    sequence = np.random.SeedSequence(run_seed, spawn_key=(index,))
    return int(sequence.generate_state(1, np.uint64)[0])
