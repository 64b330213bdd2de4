"""Plans for workers under test: the first point of each phase hangs when it is first started, to be killed there."""

import signal

from jobs.handlers import PointContext, register
from jobs.models import JsonDict, Point
from planner import tasks
from planner.services import PLAN_KIND


def execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Work out a point, as the product does; nothing ends the first start of a phase but a signal."""
    earlier = Point.objects.filter(run=context.run_id, index__lt=context.index, parameters__phase=point["phase"])
    if context.start == 1 and not earlier.exists():
        signal.pause()
    return tasks.plan_execute(context, point)


register(PLAN_KIND, execute=execute, finish=tasks.plan_finish, plan_stage=tasks.plan_stage)
