"""The planner's work, for workers only: registered under the kind's name that web code starts it by."""

from collections.abc import Callable
from typing import Any

from numpy.random import SeedSequence

from jobs.handlers import PointContext, point_seed, register
from jobs.models import JsonDict
from planner.advice.services import ADVICE_KIND
from planner.advice.working import advice_execute, advice_finish
from planner.demand import Demand
from planner.fleet import Fleet
from planner.measurements.calibrating import kept_parameters
from planner.measurements.review import review_of
from planner.measurements.services import REVIEW_KIND
from planner.models import Plan
from planner.phases.profiling import JOBS as JOBS_OF_A_PROFILE
from planner.phases.profiling import profile_pair
from planner.phases.sampling import sample_part
from planner.phases.stages import answer_of, next_points, phase_of
from planner.phases.validation import validate_part
from planner.planning import plan_part
from planner.services import PLAN_KIND
from planner.shapes import groups_of
from planner.simulations.results import refused_outcome, result_of, scenario_with, swept_values, value_words
from planner.simulations.starting import SIMULATION_KIND
from simulation.clusters import ClusterNetwork
from simulation.kernels.clusters import ClusterRun, simulate_cluster
from simulation.kernels.mixed import solved_mix
from simulation.kernels.outcomes import Effort, mean_outcome, scenario_outcome
from simulation.kernels.ranking import front_rows
from simulation.kernels.replications import interval_of
from simulation.kernels.scalability import fit_scalability
from simulation.parameters import ParameterSet
from simulation.scenarios import ScenarioError


def plan_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Work out one part of a phase of a plan."""
    context.stop_if_cancelled()
    return PHASES[phase_of(point)](context, point)


def sampling_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Sample some proxies with every kind of storage node."""
    question = question_of(context.parameters)
    context.say(f"Sampling groups behind {_names(question, point)}")
    return sample_part(groups_of(**question, proxies=point["proxies"]), proxies=len(point["proxies"]))


def profiling_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Profile one pair: its groups at each count, and the law that they follow."""

    def say(words: str) -> None:
        context.stop_if_cancelled()
        context.say(words)

    return profile_pair(
        point=point,
        **question_of(context.parameters),
        seed=context.seed,
        simulate=_simulated_mb_s,
        fit=fit_scalability,
        say=say,
    )


def optimisation_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Find the best shapes of some proxies, in view of what validation taught."""
    question = question_of(context.parameters)
    context.say(f"Optimising, round {point.get('round', 1)}: groups behind {_names(question, point)}")
    corrections = point.get("corrections", [])
    found = plan_part(
        **question, proxies=point["proxies"], corrections=corrections, front_rows=front_rows, solve_mix=solved_mix
    )
    return {"phase": "optimisation", "round": point.get("round", 1), "corrections": corrections, **found}


def validation_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Simulate the chosen cluster in some replications."""
    context.say(f"Validating {point['row']['shape']}, round {point['round']}")
    question = question_of(context.parameters)
    return validate_part(point=point, **question, seed=context.seed, simulate=_simulated)


def plan_stage(stage: int, parameters: JsonDict, results: list[JsonDict]) -> list[JsonDict] | None:
    """Say what comes after these results."""
    question = question_of(parameters)
    return next_points(
        fleet=question["fleet"],
        demand=question["demand"],
        results=results,
        interval_of=interval_of,
        fit=fit_scalability,
    )


def plan_finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    """Put what all phases found together to the plan's answer."""
    return answer_of(**question_of(parameters), results=results, interval_of=interval_of, fit=fit_scalability)


def question_of(parameters: JsonDict) -> dict[str, Any]:
    """Return what a plan's run keeps of its question: the fleet, the demand, and the parameters of that moment."""
    return {
        "fleet": Fleet.from_json(parameters["fleet"]),
        "demand": Demand.from_json(parameters["demand"]),
        "parameters": kept_parameters(parameters),
    }


PHASES: dict[str, Callable[[PointContext, JsonDict], JsonDict]] = {
    "sampling": sampling_execute,
    "profiling": profiling_execute,
    "optimisation": optimisation_execute,
    "validation": validation_execute,
}


def _names(question: dict[str, Any], point: JsonDict) -> str:
    return ", ".join(question["fleet"].nodes[index].key_name for index in point["proxies"])


def _simulated(network: ClusterNetwork, seed: SeedSequence) -> ClusterRun:
    return simulate_cluster(network, seed=seed)


def _simulated_mb_s(network: ClusterNetwork, seed: SeedSequence) -> float:
    return simulate_cluster(network, seed=seed, jobs=JOBS_OF_A_PROFILE).mb_s


def simulation_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Do some tasks of a simulation, each one swept value in one replication, with random numbers of its own."""
    parameters = kept_parameters(context.parameters)
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


def review_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Ask one plan's question again with what was measured since."""
    context.stop_if_cancelled()
    plan = Plan.objects.select_related("account", "location", "run").get(pk=point["plan_id"])
    context.say(plan.words)
    return review_of(plan, factors=context.parameters["factors"])


def review_finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    """List the plans that were looked at, those with another answer first."""
    return {"plans": sorted(results, key=lambda row: not row["is_changed"]), "factors": parameters["factors"]}


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


register(PLAN_KIND, execute=plan_execute, finish=plan_finish, plan_stage=plan_stage)
register(ADVICE_KIND, execute=advice_execute, finish=advice_finish)
register(SIMULATION_KIND, execute=simulation_execute, finish=simulation_finish)
register(REVIEW_KIND, execute=review_execute, finish=review_finish)
