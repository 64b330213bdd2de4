"""One worker's turn: claim a point, compute it under its lease, store what came out."""

import logging
import os
import socket

from core import clock
from core.errors import RuleBroken
from jobs import bells
from jobs.handlers import Cancelled, Handler, PointContext, TryLater, handler_for, point_seed
from jobs.leases import lease_kept
from jobs.models import JsonDict
from jobs.points import Claim, claim_is_held, point_claim, point_complete, point_fail, point_postpone, progress_say
from jobs.stages import results_of

logger = logging.getLogger(__name__)


def work_once() -> bool:
    """Compute the next point, whosever turn it is; False when nothing waits."""
    claim = point_claim(now=clock.now(), worker=f"{socket.gethostname()}:{os.getpid()}")
    if claim is None:
        return False
    bells.ring_for_waiting(now=clock.now())
    with lease_kept(claim=claim):
        _perform(claim=claim)
    bells.ring_for_waiting(now=clock.now())
    return True


def _perform(*, claim: Claim) -> None:
    try:
        handler = handler_for(claim.kind)
        result = _compute(handler=handler, claim=claim)
        is_stored = point_complete(
            claim=claim, result=result, now=clock.now(), settle=handler.settle, plan_stage=handler.plan_stage
        )
    except Cancelled:
        is_stored = False
    except TryLater as later:
        is_stored = point_postpone(claim=claim, until=later.at, reason=later.reason)
    except RuleBroken as refusal:
        is_stored = point_fail(claim=claim, reason=refusal.words, now=clock.now(), is_expected=True)
    except Exception as crash:
        # Whatever broke in a handler belongs to its run; the worker goes on with other people's work.
        logger.exception("Point %s of run %s crashed.", claim.index, claim.run_id)
        reason = f"{type(crash).__name__}: {crash}"
        is_stored = point_fail(claim=claim, reason=reason, now=clock.now(), is_expected=False)
    if not is_stored:
        logger.info("The answer of point %s of run %s came too late and was dropped.", claim.index, claim.run_id)


def _compute(*, handler: Handler, claim: Claim) -> JsonDict:
    if claim.is_final:
        return handler.finish(claim.run_id, claim.run_parameters, results_of(run_id=claim.run_id))
    context = PointContext(
        run_id=claim.run_id,
        index=claim.index,
        seed=point_seed(run_seed=claim.run_seed, index=claim.index),
        start=claim.token,
        parameters=claim.run_parameters,
        is_cancelled=lambda: not claim_is_held(claim=claim),
        say=lambda words: progress_say(claim=claim, words=words),
    )
    return handler.execute(context, claim.parameters)
