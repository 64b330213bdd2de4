"""The machines of a plan as a question from virtual to physical, by what the catalogue says of their type."""

from dataclasses import dataclass

from catalog.models import ItemAttribute
from core.errors import RuleBroken
from planner.advice.asking import exact_words
from planner.configurations import MB_S_PER_GBPS
from planner.figure_words import value_words
from planner.fleet import Fleet
from planner.models import Plan
from simulation.machines import Machine
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.score_tables import SUITE
from simulation.scores import PLANNING_SUITE

PROXIES, STORAGE = "proxies", "storage"
ROLES = {PROXIES: ("proxy", "proxies"), STORAGE: ("storage", "storage_nodes")}
"""The roles of a shape that can be replaced: where a row of an answer keeps the machine, and how many there are."""
SLOWEST_MB_S = 10 / 1000 * MB_S_PER_GBPS


@dataclass(frozen=True)
class Replacement:
    """What to ask for instead of a role's machines: words for the fields, and what was taken to be so."""

    words: dict[str, str]
    taken: str


def replacement_of(plan: Plan, role: str) -> Replacement:
    """Return the question for the machines of a role of the plan's best shape.

    Raises RuleBroken where the plan has no such machines, or where they are servers already.
    """
    best = (plan.run.result or {}).get("best")
    if not best or role not in ROLES:
        raise RuleBroken("plan_without_answer", "This plan has no such machines. Choose another role.", field="role")
    key, count = ROLES[role]
    fleet = Fleet.from_json(plan.run.parameters["fleet"])
    machine = next(priced.machine for priced in fleet.nodes if priced.key_name == best[key])
    if machine.compute_units_are_assumed:
        raise RuleBroken("machine_is_physical", f"{machine.key_name} is a server already.", field="role")
    memory = _memory_gb(machine.key_name)
    if memory is None:
        words = f"The catalogue does not say how much memory {machine.key_name} has."
        raise RuleBroken("memory_unknown", words, field="role")
    return _replacement(machine, memory, best[count], is_storage=role == STORAGE, parameters=load_parameter_set())


def _replacement(
    machine: Machine, memory_gb: str, count: int, *, is_storage: bool, parameters: ParameterSet
) -> Replacement:
    points = machine.compute_units * parameters.value("machine.cpu_score_per_compute_unit")
    room = machine.local_storage_gb if is_storage else 0
    return Replacement(
        words={
            "score": exact_words(points, "points"),
            "table": PLANNING_SUITE,
            "memory": f"{memory_gb} GB",
            "read": "any",
            "write": "any",
            "network": exact_words(max(SLOWEST_MB_S, machine.network_mb_s), "MB/s"),
            "disk": exact_words(room, "GB") if room >= 1 else "",
            "count": str(count),
        },
        taken=(
            f"{value_words(machine.compute_units)} ECU of {machine.key_name} are taken for {value_words(points)} "
            f"points of {SUITE}, {PLANNING_SUITE}; its disks were not measured. Put in what you measured."
        ),
    )


def _memory_gb(key_name: str) -> str | None:
    facts = ItemAttribute.objects.filter(item__key_name=key_name, name="memory_gb")
    return facts.values_list("value", flat=True).first()
