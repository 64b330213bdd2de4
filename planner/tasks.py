"""The planner's work, for workers only: registered under the kind's name that web code starts it by."""

from jobs.handlers import PointContext, register
from jobs.models import JsonDict
from planner.demand import Demand
from planner.fleet import Fleet
from planner.planning import plan_answer, plan_part
from planner.services import PLAN_KIND
from simulation.parameters import load_parameter_set


def plan_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Work out one part of a plan: some proxies with every storage type."""
    fleet = Fleet.from_json(context.parameters["fleet"])
    names = ", ".join(fleet.nodes[index].key_name for index in point["proxies"])
    context.say(f"Working out groups behind {names}")
    context.stop_if_cancelled()
    return plan_part(
        fleet=fleet,
        demand=Demand.from_json(context.parameters["demand"]),
        proxies=point["proxies"],
        parameters=load_parameter_set(context.parameters["parameter_set"]),
    )


def plan_finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    """Put the parts together to the plan's answer."""
    return plan_answer(
        fleet=Fleet.from_json(parameters["fleet"]),
        demand=Demand.from_json(parameters["demand"]),
        parts=results,
        parameters=load_parameter_set(parameters["parameter_set"]),
    )


register(PLAN_KIND, execute=plan_execute, finish=plan_finish)
