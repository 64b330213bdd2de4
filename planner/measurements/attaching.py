"""Attaching readings to what was measured: the scenario that the models can predict, and what the value teaches."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from catalog.models import Item
from core.errors import InputRefused, Violation
from jobs.models import RunState
from planner.configurations import MACHINE_TYPE, Configuration
from planner.measurements.reading.plain import KIND as PLAIN
from planner.measurements.reading.readings import Reading
from planner.models import Simulation
from planner.simulation_results import best_point
from planner.simulations.filling import LONGEST_ID, Source, configuration_from, sources_of
from planner.simulations.history import simulations_of
from simulation.machines import NETWORK_PARAMETER_BY_IO_CLASS, network_factor
from simulation.parameters import ParameterSet
from simulation.predict import METRICS_BY_WORKLOAD
from simulation.refit import LEARNT_FROM, Lesson, lesson_of, predicted_value, ratio_lesson
from simulation.scenarios import ScenarioError

RECENT_SIMULATIONS = 20
SIMULATION = "simulation"
NETWORK = "network"
MODEL_METRICS = {("block_io", "mean_ms"): "latency_ms"}
"""What the models call a metric, where they have another word."""
CONDITIONS = {
    "block_io": ("access", "block_kib", "queue_depth", "operation", "read_fraction"),
    "object_store": ("operation",),
    "document_store": ("clients",),
}
"""Which conditions of a file replace those of a scenario."""
Json = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """What was measured: in words, what is known of it, and the scenario without the load of the file."""

    words: str
    facts: Json = field(default_factory=dict)
    scenario: Json = field(default_factory=dict)
    simulation: Simulation | None = None
    machine_type: str = ""
    network_mb_s: float | None = None


@dataclass(frozen=True)
class Attached:
    """One reading with what it is of, what the models say of it, and what it teaches, if anything."""

    reading: Reading
    target: Target
    scenario: Json
    predicted: float | None
    lesson: Lesson | None


def targets_of(*, account_id: int) -> list[tuple[str, list[Source]]]:
    """Return what results may be attached to, in groups: the account's simulations, orders, blueprints, machines."""
    simulations = Simulation.objects.filter(account_id=account_id).values_list("pk", "name")[:RECENT_SIMULATIONS]
    sources = [Source(f"{SIMULATION}:{number}", name) for number, name in simulations]
    return [("As simulated", sources), *sources_of(account_id=account_id)]


def attach(
    readings: Sequence[Reading], *, kind: str, source: str, name: str, account_id: int, parameters: ParameterSet
) -> list[Attached]:
    """Attach every reading: to the source, or in a plain table to what each line names; without either to the name.

    Raises InputRefused where the source is not there or cannot have been measured that way.
    """
    if kind == PLAIN and not source:
        named = {label: _named(label, account_id, parameters) for label in {reading.label for reading in readings}}
        targets = [named[reading.label] for reading in readings]
    else:
        target = _target(source, account_id, parameters) if source else Target(name)
        _refuse_unfit(target, readings)
        targets = [target] * len(readings)
    attached = []
    taught: set[tuple[str, str]] = set()
    for reading, target in zip(readings, targets, strict=True):
        each = _attached(reading, target, parameters, may_teach=(target.words, reading.label) not in taught)
        if each.lesson:
            taught.add((target.words, reading.label))
        attached.append(each)
    return attached


def _attached(reading: Reading, target: Target, parameters: ParameterSet, *, may_teach: bool) -> Attached:
    if reading.metric == "network_mb_s":
        return _of_network(reading, target)
    scenario = _scenario(reading, target)
    if not scenario:
        return Attached(reading, target, {}, None, None)
    workload = scenario["workload"]
    metric = MODEL_METRICS.get((workload, reading.metric), reading.metric)
    try:
        predicted = predicted_value(scenario, metric, parameters)
        teaches = may_teach and predicted is not None and reading.metric in LEARNT_FROM.get(workload, ())
        lesson = lesson_of(scenario, metric, reading.value, parameters) if teaches else None
    except ScenarioError as error:
        raise _refused(f"The models cannot take {target.words} like that: {error.field} {error.reason}.") from None
    if target.simulation and (predicted is None or workload not in METRICS_BY_WORKLOAD):
        predicted = _simulated(target.simulation, metric) or predicted
    return Attached(reading, target, scenario, predicted, lesson)


def _of_network(reading: Reading, target: Target) -> Attached:
    if not target.machine_type or target.network_mb_s is None:
        return Attached(reading, target, {}, None, None)
    lesson = ratio_lesson(network_factor(target.machine_type), measured=reading.value, predicted=target.network_mb_s)
    scenario = {"workload": NETWORK, "machine_type": target.machine_type}
    return Attached(reading, target, scenario, target.network_mb_s, lesson)


def _scenario(reading: Reading, target: Target) -> Json:
    """Return the scenario of a target under the load of the file; empty where the models know nothing of either."""
    if not target.scenario:
        return {}
    taken = CONDITIONS.get(target.scenario["workload"], ())
    load = {name: value for name, value in reading.conditions.items() if name in taken}
    scenario = target.scenario | load
    if scenario["workload"] == "block_io" and scenario.get("operation") != "mixed":
        scenario.pop("read_fraction", None)
    return scenario


def _refuse_unfit(target: Target, readings: Sequence[Reading]) -> None:
    """Refuse results of an array for what has no array that is known, and of one workload for another."""
    is_of_array = any("queue_depth" in reading.conditions for reading in readings)
    workload = target.scenario.get("workload")
    if is_of_array and target.facts and workload != "block_io":
        words = (
            f"These are results of an array, and of {target.words} no array is known: its kind of drives, their number "
            "and the RAID level. Choose a configuration that says them."
        )
        raise _refused(words)
    if workload == "block_io" and not is_of_array:
        raise _refused(f"{target.words} is an array, and these results do not say the load that it was under.")


def _target(source: str, account_id: int, parameters: ParameterSet) -> Target:
    kind, _, number = source.partition(":")
    if kind == SIMULATION and number.isascii() and number.isdecimal() and len(number) < LONGEST_ID:
        simulation = simulations_of(account_id=account_id).filter(pk=int(number)).first()
        if simulation:
            return _simulation_target(simulation)
    elif configuration := configuration_from(key=source, account_id=account_id):
        return _configuration_target(configuration, parameters)
    raise _refused("What was measured is not there any more. Choose it again.")


def _simulation_target(simulation: Simulation) -> Target:
    return Target(
        words=simulation.name,
        facts={"simulation": simulation.pk, "scenario": simulation.scenario},
        scenario=dict(simulation.scenario),
        simulation=simulation,
    )


def _configuration_target(configuration: Configuration, parameters: ParameterSet) -> Target:
    array = configuration.array
    scenario = {"workload": "block_io", "array": array, "mount": "data"} if array else {}
    target = Target(configuration.title, facts=_plain_facts(configuration), scenario=scenario)
    if not configuration.machine_type:
        return target
    network = _machine_target(configuration.machine_type, parameters)
    return Target(
        words=configuration.title,
        facts=target.facts,
        scenario=scenario,
        machine_type=configuration.machine_type,
        network_mb_s=network.network_mb_s if network else None,
    )


def _plain_facts(configuration: Configuration) -> Json:
    return {**asdict(configuration), "drives": [asdict(group) for group in configuration.drives]}


def _named(label: str, account_id: int, parameters: ParameterSet) -> Target:
    """Return what a line of a plain table names: one of the account's simulations, a machine type, or just a name."""
    simulation = simulations_of(account_id=account_id).filter(name=label).first()
    if simulation:
        return _simulation_target(simulation)
    return _machine_target(label, parameters) or Target(label)


def _machine_target(key_name: str, parameters: ParameterSet) -> Target | None:
    items = Item.objects.filter(key_name=key_name, categories__category_code=MACHINE_TYPE)
    item = items.prefetch_related("attributes").order_by("pk").first()
    if item is None:
        return None
    facts = {fact.name: fact.value for fact in item.attributes.all()}
    return Target(key_name, facts=facts, machine_type=key_name, network_mb_s=_network_mb_s(facts, parameters))


def _network_mb_s(facts: Mapping[str, str], parameters: ParameterSet) -> float | None:
    """Return what is taken for a machine type's network: the published figure, or what its I/O class stands for."""
    if facts.get("network_mb_s"):
        return float(facts["network_mb_s"])
    parameter = NETWORK_PARAMETER_BY_IO_CLASS.get(facts.get("io_class", ""))
    return parameters.value(parameter) if parameter else None


def _simulated(simulation: Simulation, metric: str) -> float | None:
    """Return what a finished simulation of one point found for a metric."""
    if simulation.run.state != RunState.DONE or simulation.sweep or not simulation.run.result:
        return None
    point = best_point(simulation.run.result)
    value = point["figures"].get(metric, {}).get("value") if point else None
    return float(value) if isinstance(value, int | float) else None


def _refused(words: str) -> InputRefused:
    return InputRefused((Violation(code="source_unfit", field="source", words=words),))
