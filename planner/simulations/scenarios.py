"""Scenarios as nested values: reading and setting fields by their paths, and finding everything wrong at once."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from core.errors import Violation
from planner.simulations.fields import WORKLOADS, Workload
from simulation.bottlenecks import stations_of
from simulation.kv_store import check_length, kv_run
from simulation.parameters import ParameterSet
from simulation.predict import METRICS_BY_WORKLOAD
from simulation.scenarios import Scenario, ScenarioError, required

Json = dict[str, Any]
MOST_IN_A_RUN = {("block_io", "queue_depth"): 16384, ("document_store", "clients"): 4096}
"""Exact mean value analysis goes through every customer; more would hold a worker for longer than others can wait."""
CUSTOMERS = ("queue_depth", "clients", "workers")
ENOUGH_TO_CHECK = 64
"""Whether a scenario makes sense shows with as many customers; a page need not solve it with thousands."""
NOT_USED = {"workload", "engine", "access", "duration_seconds", "object_gb", "writers", "hours", "drive_class"}
"""Fields that published scenarios hold and that no model needs."""


def value_at(scenario: Mapping[str, Any], path: str) -> Any:
    """Return the value of a field, or None where it is missing."""
    value: Any = scenario
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def with_value(scenario: Mapping[str, Any], path: str, value: Any) -> Json:
    """Return the scenario with another value in one field."""
    changed = deepcopy(dict(scenario))
    *parents, last = path.split(".")
    part = changed
    for name in parents:
        if not isinstance(part.get(name), dict):
            part[name] = {}
        part = part[name]
    part[last] = value
    return changed


def default_scenario(workload: Workload) -> Json:
    """Return what the workload's form begins with."""
    scenario: Json = {"workload": workload.key}
    for field in workload.fields:
        if field.default is not None:
            scenario = with_value(scenario, field.path, field.default)
    return scenario


def flat_paths(scenario: Mapping[str, Any], *, above: str = "") -> list[str]:
    """Return the paths of all values that a scenario holds."""
    paths = []
    for name, value in scenario.items():
        path = f"{above}{name}"
        paths += flat_paths(value, above=f"{path}.") if isinstance(value, Mapping) and value else [path]
    return paths


def scenario_violations(scenario: Json, parameters: ParameterSet) -> list[Violation]:
    """Return everything wrong with a scenario.

    The models name the first field that they cannot use. With something usable in its place they name the next one,
    until nothing is left to name.
    """
    workload = WORKLOADS.get(str(scenario.get("workload")))
    if workload is None:
        known = ", ".join(WORKLOADS)
        words = f"workload: must be one of {known}, not {scenario.get('workload')!r}."
        return [Violation("workload_unknown", "workload", words)]
    known_paths = {path for field in workload.fields for path in _with_parents(field.path)}
    found = [
        Violation("field_unknown", path, f"{path}: a {workload.name.lower()} scenario has no such field. Leave it out.")
        for path in flat_paths(scenario)
        if path not in known_paths | NOT_USED
    ]
    usable = default_scenario(workload)
    tried = scenario
    for _ in range(len(workload.fields) + 1):
        refusal = refusal_of(tried, parameters)
        if refusal is None or any(violation.field == refusal.field for violation in found):
            break
        code = "missing" if refusal.reason.startswith("is missing") else "out_of_range"
        found.append(Violation(code, refusal.field, f"{refusal.field}: {refusal.reason}."))
        tried = with_value(tried, refusal.field, value_at(usable, refusal.field))
    return found


def _with_parents(path: str) -> list[str]:
    names = path.split(".")
    return [".".join(names[: count + 1]) for count in range(len(names))]


def refusal_of(scenario: Json, parameters: ParameterSet) -> ScenarioError | None:
    """Return why the workload's model cannot tell its main figure, naming the field; None where it can."""
    try:
        _check(scenario, parameters)
    except ScenarioError as refusal:
        return refusal
    return None


def _check(scenario: Json, parameters: ParameterSet) -> None:
    workload = WORKLOADS[scenario["workload"]]
    for (key, field), most in MOST_IN_A_RUN.items():
        if key == workload.key and isinstance(scenario.get(field), int) and scenario[field] > most:
            raise ScenarioError(field, f"must be at most {most:,} in a run, not {scenario[field]:,}")
    if workload.key == "kv_store":
        check_length(kv_run(scenario, parameters))
        return
    quick = _with_few_customers(scenario)
    metric: Callable[[Scenario, ParameterSet], Any] = METRICS_BY_WORKLOAD[workload.key][workload.primary]
    metric(quick, parameters)
    stations_of(quick, parameters)


def _with_few_customers(scenario: Json) -> Json:
    many = [name for name in CUSTOMERS if isinstance(scenario.get(name), int) and scenario[name] > ENOUGH_TO_CHECK]
    for name in many:
        required(scenario, name)
    return {**scenario, **dict.fromkeys(many, ENOUGH_TO_CHECK)}
