"""The planner's work, for workers only: registered under the kind's name that web code starts it by."""

from jobs.handlers import PointContext, point_seed, register
from jobs.models import JsonDict
from planner.demand import Demand
from planner.fleet import Fleet
from planner.planning import plan_answer, plan_part
from planner.services import PLAN_KIND
from planner.simulations.results import refused_outcome, result_of, scenario_with, swept_values, value_words
from planner.simulations.starting import SIMULATION_KIND
from simulation.kernels.outcomes import Effort, mean_outcome, scenario_outcome
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.scenarios import ScenarioError


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


def simulation_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Do some tasks of a simulation, each one swept value in one replication, with random numbers of its own."""
    parameters = load_parameter_set(context.parameters["parameter_set"])
    values = swept_values(context.parameters)
    replications = context.parameters["replications"]
    outcomes = []
    for task in range(point["first"], point["end"]):
        value, replication = values[task // replications], task % replications
        context.stop_if_cancelled()
        context.say(_progress_words(context.parameters, value=value, replication=replication))
        seed = point_seed(run_seed=context.seed, index=task - point["first"])
        outcomes.append(_task_outcome(context.parameters, value, replication, parameters, seed=seed))
    return {"outcomes": outcomes}


def simulation_finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    """Join the outcomes of all tasks: one for each swept value, its replications as means with intervals."""
    outcomes = [outcome for result in results for outcome in result["outcomes"]]
    replications = parameters["replications"]
    groups = [outcomes[first : first + replications] for first in range(0, len(outcomes), replications)]
    return result_of(parameters, [mean_outcome(group) for group in groups])


def _task_outcome(asked: JsonDict, value: object, replication: int, parameters: ParameterSet, *, seed: int) -> JsonDict:
    is_first = replication == 0
    effort = Effort(
        operations=asked["operations"],
        members=asked["members"] if is_first else 0,
        most_windows=asked["most_windows"] if is_first else 1,
    )
    try:
        return scenario_outcome(scenario_with(asked, value), parameters, seed=seed, effort=effort)
    except ScenarioError as refusal:
        return refused_outcome(field=refusal.field, words=refusal.reason)


def _progress_words(asked: JsonDict, *, value: object, replication: int) -> str:
    words = value_words(asked, value) or "Simulating"
    return f"{words}, run {replication + 1} of {asked['replications']}" if asked["replications"] > 1 else words


register(PLAN_KIND, execute=plan_execute, finish=plan_finish)
register(SIMULATION_KIND, execute=simulation_execute, finish=simulation_finish)
