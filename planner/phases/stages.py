"""The order of the phases: what the next stage of a plan's run is, in view of what the stages before found."""

from collections.abc import Sequence
from typing import Any

from planner.demand import Demand
from planner.fleet import Fleet
from planner.phases.profiling import Fit, corrections_of, profiles_joined, profiling_points
from planner.phases.sampling import samples_joined
from planner.phases.validation import (
    MORE_PARTS,
    MOST_ROUNDS,
    PARTS,
    IntervalOf,
    correction_of,
    validated,
    validation_points,
)
from planner.phases.winning import with_changes
from planner.planning import best_row, corrected, parts_of, plan_answer
from planner.shapes import groups_of
from simulation.parameters import ParameterSet

PHASES = ("sampling", "profiling", "optimisation", "validation")
"""The phases by the number of their first stage; later stages are further rounds of the last two."""

Json = dict[str, Any]


def first_points(fleet: Fleet) -> list[Json]:
    """Return the points of the sampling."""
    return [{"phase": "sampling", "proxies": proxies} for proxies in parts_of(fleet)]


def next_points(
    *, fleet: Fleet, demand: Demand, results: Sequence[Json], interval_of: IntervalOf, fit: Fit
) -> list[Json] | None:
    """Return the points of the stage after these results, or None where the answer is found.

    `fit` fits the laws of growth again where a validated point joins its profile.
    """
    phase = phase_of(results[-1])
    if phase == "sampling":
        return profiling_points(samples_joined(results), demand) or optimisation_points(fleet, number=1)
    if phase == "profiling":
        return optimisation_points(fleet, number=1, corrections=corrections_of(_profiles(results)))
    number = round_of(results[-1])
    if phase == "optimisation":
        best = best_row(demand, in_round(results, phase, number))
        return validation_points(best, number=number) if best else None
    found = in_round(results, phase, number)
    outcome = validated(found, demand, interval_of=interval_of)
    if outcome["verdict"] == "on the line" and len(found) == PARTS:
        return validation_points(outcome["row"], number=number, count=MORE_PARTS)
    if outcome["verdict"] != "falls short" or number == MOST_ROUNDS:
        return None
    outcomes = _outcomes(results, demand, interval_of)
    correction = correction_of(outcome, profiles_joined(_profiles(results), outcomes, demand, fit=fit))
    if correction is None:
        return None
    corrections = [*in_round(results, "optimisation", number)[0].get("corrections", []), correction]
    return optimisation_points(fleet, number=number + 1, corrections=corrections)


def optimisation_points(fleet: Fleet, *, number: int, corrections: Sequence[Json] = ()) -> list[Json]:
    """Return the points of one round of the optimisation; corrections are what profiling and validation taught it."""
    return [
        {"phase": "optimisation", "round": number, "proxies": proxies, "corrections": list(corrections)}
        for proxies in parts_of(fleet)
    ]


def answer_of(
    *,
    fleet: Fleet,
    demand: Demand,
    results: Sequence[Json],
    parameters: ParameterSet,
    interval_of: IntervalOf,
    fit: Fit,
) -> Json:
    """Put everything together: the answer of the last round, and what each phase found on the way."""
    rounds = max(round_of(result) for result in results)
    parts = in_round(results, "optimisation", rounds)
    answer = plan_answer(fleet=fleet, demand=demand, parts=parts, parameters=parameters)
    answer["runners_up"] = _with_changes(answer, fleet, demand, parameters, parts[0].get("corrections", []))
    outcomes = _outcomes(results, demand, interval_of)
    samples = [result for result in results if phase_of(result) == "sampling"]
    answer["phases"] = {
        "sampling": samples_joined(samples) if samples else None,
        "profiling": profiles_joined(_profiles(results), outcomes, demand, fit=fit),
        "optimisation": [_round(results, number, demand) for number in range(1, rounds + 1)],
        "validation": outcomes,
    }
    return answer


def _with_changes(
    answer: Json, fleet: Fleet, demand: Demand, parameters: ParameterSet, corrections: Sequence[Json]
) -> list[Json]:
    rows = answer["runners_up"]
    if not rows:
        return []
    proxies = sorted({row["rank"][0] for row in rows})
    groups = corrected(groups_of(fleet=fleet, demand=demand, parameters=parameters, proxies=proxies), corrections)
    return with_changes(rows, best=answer["best"], groups=groups, table=answer["slider"], demand=demand)


def phase_of(result: Json) -> str:
    """Return which phase found a result; runs of older versions knew the optimisation alone."""
    return str(result.get("phase", "optimisation"))


def round_of(result: Json) -> int:
    """Return in which round a result was found; sampling and profiling belong to the first."""
    return int(result.get("round", 1))


def in_round(results: Sequence[Json], phase: str, number: int) -> list[Json]:
    """Return the results of one phase in one round."""
    return [result for result in results if phase_of(result) == phase and round_of(result) == number]


def _outcomes(results: Sequence[Json], demand: Demand, interval_of: IntervalOf) -> list[Json]:
    """Return what the validation of each round found so far."""
    return [
        validated(found, demand, interval_of=interval_of)
        for number in range(1, MOST_ROUNDS + 1)
        if (found := in_round(results, "validation", number))
    ]


def _profiles(results: Sequence[Json]) -> list[Json]:
    return [_without_phase(result) for result in results if phase_of(result) == "profiling"]


def _round(results: Sequence[Json], number: int, demand: Demand) -> Json:
    parts = in_round(results, "optimisation", number)
    best = best_row(demand, parts)
    return {
        "round": number,
        "shape": best["shape"] if best else None,
        "mb_s": best["mb_s"] if best else None,
        "cents": best["cents"] if best else None,
        "considered": sum(part["considered"] for part in parts),
        "corrections": parts[0].get("corrections", []),
    }


def _without_phase(result: Json) -> Json:
    return {name: value for name, value in result.items() if name != "phase"}
