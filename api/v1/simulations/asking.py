"""Reading the question of a simulation from JSON, with everything that is wrong with it at once."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from api.v1.reading import read_leniently
from api.v1.simulations.shapes import SimulationAsked
from core.errors import InputRefused, Violation
from planner.simulations.asking import Question, Sweep, checked_question
from planner.simulations.fields import WORKLOADS, Field, Workload
from planner.simulations.sweeps import MOST_VALUES, read_values

DEEPEST = 4
LONGEST_TEXT = 200
SWEPT_VALUES = "sweep.values"


def question_of(data: Any) -> Question:
    """Return what is asked; raises InputRefused naming every field that is wrong, by its path in the scenario."""
    values, problems = read_leniently(SimulationAsked(), data)
    scenario = _plain(values.get("scenario") or {}, 0, problems)
    workload = WORKLOADS.get(str(scenario.get("workload")))
    sweep = _sweep(values.get("sweep"), workload, problems) if workload else None
    if workload is None and any(problem.field == "scenario" for problem in problems):
        raise InputRefused(tuple(problems))
    with_bands = values.get("bands")
    return checked_question(
        scenario=scenario,
        sweep=sweep,
        replications=values.get("replications") or 1,
        seed=values.get("seed"),
        with_bands=with_bands is not False,
        name=values.get("name") or "",
        problems=problems,
    )


def _plain(value: Any, depth: int, problems: list[Violation]) -> Any:
    """Return the scenario with floats for decimals. Texts that no answer could hold are replaced."""
    if isinstance(value, Mapping):
        if depth == DEEPEST:
            problems.append(Violation("too_deep", "scenario", f"scenario: nest at most {DEEPEST} objects."))
            return {}
        return {str(name)[:LONGEST_TEXT]: _plain(each, depth + 1, problems) for name, each in value.items()}
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, str):
        return value.encode(errors="replace").decode()[:LONGEST_TEXT]
    return [] if isinstance(value, list) else value


def _sweep(asked: Mapping[str, Any] | None, workload: Workload, problems: list[Violation]) -> Sweep | None:
    if not asked or asked.get("field") is None or asked.get("values") is None:
        return None
    field = workload.field(asked["field"])
    if field is None:
        words = f"sweep.field: {workload.name} has no such field. Choose one of: {', '.join(workload.sweepable)}."
        problems.append(Violation("field_unknown", "sweep.field", words))
        return None
    try:
        return Sweep(field.path, tuple(_values(asked["values"], field)))
    except ValueError as error:
        problems.append(Violation("not_readable", SWEPT_VALUES, f"{SWEPT_VALUES}: {error}"))
        return None


def _values(asked: Any, field: Field) -> list[Any]:
    """Return a list of values as the scenario holds them, or what a text such as "1, 2, 4…128" stands for."""
    if isinstance(asked, str):
        return read_values(asked, field)
    if not isinstance(asked, list) or not asked:
        raise ValueError("Send a list of values, or a text such as 1, 2, 4…128.")
    if len(asked) > MOST_VALUES:
        raise ValueError(f"These are {len(asked):,} values. Send at most {MOST_VALUES:,}.")
    return list(dict.fromkeys(_value(each, field) for each in asked))


def _value(value: Any, field: Field) -> Any:
    if field.kind == "choice":
        if not isinstance(value, str):
            raise ValueError(f"Send texts, such as {next(iter(field.choices or {}))}.")
        return field.read(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("Send numbers.")
    if field.kind == "whole":
        if value != int(value):
            raise ValueError(f"{value} is no whole number.")
        return int(value)
    return float(value)
