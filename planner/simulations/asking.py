"""Reading the question of a simulation from typed words, with everything that is wrong with it at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.errors import InputRefused, Violation
from planner.simulations.fields import WORKLOADS, Field, Workload
from planner.simulations.quantities import read_whole
from planner.simulations.scenarios import (
    Json,
    default_scenario,
    refusal_of,
    scenario_violations,
    value_at,
    with_value,
)
from planner.simulations.sweeps import MOST_REPLICATIONS, read_values, values_words
from simulation.parameters import ParameterSet, load_parameter_set

SWEEP_FIELD, SWEEP_VALUES, REPLICATIONS, SEED, NAME = "sweep_field", "sweep_values", "replications", "seed", "name"
MOST_SEED = 2**63 - 1
LONGEST_NAME = 120
LONGEST_WORDS = 500
VALUES_TRIED = 50
"""Of a sweep in which the first values are all impossible, so many are tried before it is refused."""


@dataclass(frozen=True)
class Sweep:
    """The field whose values are tried one after the other."""

    field: str
    values: tuple[Any, ...]

    def as_json(self) -> Json:
        return {"field": self.field, "values": list(self.values)}


@dataclass(frozen=True)
class Question:
    """What to simulate: a scenario, perhaps with a sweep over one field, repeated with other random numbers."""

    scenario: Json
    name: str
    sweep: Sweep | None = None
    replications: int = 1
    with_bands: bool = True
    seed: int | None = None

    @property
    def workload(self) -> Workload:
        return WORKLOADS[self.scenario["workload"]]

    @property
    def hardest(self) -> Json:
        """The scenario with the largest swept value: the one that takes the longest."""
        if self.sweep is None or not all(isinstance(value, int | float) for value in self.sweep.values):
            return self.scenario
        return with_value(self.scenario, self.sweep.field, max(self.sweep.values))

    @property
    def tasks(self) -> int:
        """How many runs the question needs."""
        return self.replications * (len(self.sweep.values) if self.sweep else 1)


def question_from_words(words: Mapping[str, str]) -> Question:
    """Read a question as people type it; fields are named as in the scenario. Raises InputRefused naming each field."""
    workload = WORKLOADS.get(words.get("workload", ""))
    if workload is None:
        known = ", ".join(WORKLOADS)
        raise InputRefused((Violation("workload_unknown", "workload", f"Choose a workload: {known}."),))
    scenario, problems = _scenario_from_words(words, workload)
    sweep = _sweep_from_words(words, workload, problems)
    swept = workload.field(words.get(SWEEP_FIELD, ""))
    if swept and sweep is None:
        # Its values could not be read, which is said; that the field itself is empty need not be.
        scenario = with_value(scenario, swept.path, value_at(default_scenario(workload), swept.path))
    return checked_question(
        scenario=scenario,
        sweep=sweep,
        replications=_whole(words, REPLICATIONS, 1, problems) if workload.key == "kv_store" else 1,
        seed=_whole(words, SEED, None, problems),
        with_bands=words.get("without_bands", "") == "",
        name=words.get(NAME, ""),
        problems=problems,
    )


def checked_question(
    *,
    scenario: Json,
    sweep: Sweep | None,
    replications: int | None,
    seed: int | None,
    with_bands: bool,
    name: str,
    problems: Sequence[Violation],
) -> Question:
    """Check a question against the models; raises InputRefused with what was wrong before and what is found here."""
    parameters = load_parameter_set()
    found = list(problems)
    named = {violation.field for violation in found}
    settled = _with_first_possible(scenario, sweep, parameters)
    found += [
        replace(each, field=SWEEP_VALUES, words=f"None of these values: {each.words}")
        if sweep and each.field == sweep.field
        else each
        for each in scenario_violations(settled, parameters)
        if each.field not in named
    ]
    if replications is not None and not 1 <= replications <= MOST_REPLICATIONS:
        found.append(_out_of_range(REPLICATIONS, f"Write a number from 1 to {MOST_REPLICATIONS}."))
    if seed is not None and not 0 <= seed <= MOST_SEED:
        found.append(_out_of_range(SEED, "Write a number from 0 to 9,223,372,036,854,775,807."))
    if len(name) > LONGEST_NAME:
        found.append(Violation("too_long", NAME, f"Write at most {LONGEST_NAME} characters."))
    if found:
        raise InputRefused(tuple(found))
    return Question(
        scenario=with_value(scenario, sweep.field, sweep.values[0]) if sweep else scenario,
        name=name.strip() or name_of(scenario, sweep),
        sweep=sweep,
        replications=replications or 1,
        with_bands=with_bands,
        seed=seed,
    )


def name_of(scenario: Json, sweep: Sweep | None) -> str:
    """Return a name for who gave none: the workload, what is swept, and the machine."""
    workload = WORKLOADS[scenario["workload"]]
    array = value_at(scenario, "array") or value_at(scenario, "node.array") or {}
    field = workload.field("array.drives") or workload.field("node.array.drives")
    about = []
    if value_at(scenario, "node.platform"):
        about.append("virtual" if value_at(scenario, "node.platform") == "virtual" else "bare metal")
    if field and array and (sweep is None or sweep.field != field.path):
        about.append(f"{array.get('drives')} × {str(array.get('drive_class')).replace('_', ' ')}")
    if sweep and (swept := workload.field(sweep.field)):
        about.append(f"{swept.label.lower()} {values_words(sweep.values, swept)}")
    return f"{workload.name}: {', '.join(about)}"[:LONGEST_NAME] if about else workload.name


def _with_first_possible(scenario: Json, sweep: Sweep | None, parameters: ParameterSet) -> Json:
    """Return the scenario with the first swept value that the model takes, so that only other fields are left wrong."""
    if sweep is None:
        return scenario
    tried = [with_value(scenario, sweep.field, value) for value in sweep.values[:VALUES_TRIED]]
    refusals = ((each, refusal_of(each, parameters)) for each in tried)
    return next((each for each, refusal in refusals if refusal is None or refusal.field != sweep.field), tried[0])


def _scenario_from_words(words: Mapping[str, str], workload: Workload) -> tuple[Json, list[Violation]]:
    scenario: Json = {"workload": workload.key}
    problems = []
    for field in workload.fields:
        text = words.get(field.path, "").strip()
        if not text or words.get(SWEEP_FIELD) == field.path:
            continue
        try:
            scenario = with_value(scenario, field.path, _read(field, text))
        except ValueError as error:
            problems.append(Violation("not_readable", field.path, str(error)))
    return scenario, problems


def _read(field: Field, text: str) -> Any:
    if len(text) > LONGEST_WORDS:
        raise ValueError(f"Write at most {LONGEST_WORDS} characters.")
    return field.read(text)


def _sweep_from_words(words: Mapping[str, str], workload: Workload, problems: list[Violation]) -> Sweep | None:
    path, text = words.get(SWEEP_FIELD, ""), words.get(SWEEP_VALUES, "").strip()
    if not path:
        return None
    field = workload.field(path)
    if field is None:
        words_ = f"{workload.name} has no field “{path[:LONGEST_WORDS]}”. Choose one of its fields."
        problems.append(Violation("field_unknown", SWEEP_FIELD, words_))
        return None
    try:
        if len(text) > 10 * LONGEST_WORDS:
            raise ValueError(f"Write at most {10 * LONGEST_WORDS:,} characters.")
        return Sweep(field=path, values=tuple(read_values(text, field)))
    except ValueError as error:
        problems.append(Violation("not_readable", SWEEP_VALUES, str(error)))
        return None


def _whole(words: Mapping[str, str], name: str, default: int | None, problems: list[Violation]) -> int | None:
    text = words.get(name, "").strip()
    if not text:
        return default
    try:
        return read_whole(text[:LONGEST_WORDS])
    except ValueError as error:
        problems.append(Violation("not_readable", name, str(error)))
        return default


def _out_of_range(field: str, words: str) -> Violation:
    return Violation("out_of_range", field, words)
