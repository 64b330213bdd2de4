"""Where the services of a blueprint stand: plain values in, plain values out, and nothing of the database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from catalog.container_facts import slot_of
from core.errors import Violation

Value = TypeVar("Value")


@dataclass(frozen=True)
class Need(Generic[Value]):
    """An item for a category of each machine. Drives come beside those that are there; anything else replaces."""

    category_code: str
    value: Value
    count: int = 1


@dataclass(frozen=True)
class ServiceRule(Generic[Value]):
    """A service stands in its own role where that has machines, else in the other one; agents run on a third.

    While it shares, all roles together may have `shares_up_to` machines without a warning; None sets no limit.
    """

    key_name: str
    name: str
    role: str
    otherwise: str = ""
    agents: str = ""
    shares_up_to: int | None = None
    needs: tuple[Need[Value], ...] = ()


@dataclass(frozen=True)
class Placement(Generic[Value]):
    """The services of each role in the order of their rules, and those of which each machine runs a part."""

    machines: Mapping[str, int]
    services: Mapping[str, tuple[ServiceRule[Value], ...]]
    agents: Mapping[str, tuple[ServiceRule[Value], ...]]
    homeless: tuple[ServiceRule[Value], ...]

    def needs(self, role: str) -> tuple[Need[Value], ...]:
        """Return what the services of a role need of each of its machines."""
        return tuple(need for rule in self.services.get(role, ()) for need in rule.needs)

    @property
    def machine_count(self) -> int:
        return sum(self.machines.values())

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What keeps the whole from running: services for which no machine is there."""
        return tuple(
            Violation(
                "service_homeless", f"roles.{rule.role}", f"{rule.name} stands nowhere. Ask for at least 1 {rule.role}."
            )
            for rule in self.homeless
        )

    @property
    def warnings(self) -> tuple[Violation, ...]:
        """What still runs but should not stay so: services that share machines in too large a whole."""
        sharing: dict[tuple[str, int], list[str]] = {}
        for role, rules in self.services.items():
            for rule in rules:
                limit = rule.shares_up_to
                if rule.role != role and limit is not None and self.machine_count > limit:
                    sharing.setdefault((role, limit), []).append(rule.name)
        return tuple(_warning(role, limit, names, self.machine_count) for (role, limit), names in sharing.items())


def services_place(*, rules: Iterable[ServiceRule[Value]], machines: Mapping[str, int]) -> Placement[Value]:
    """Say where each service stands, given how many machines each role has."""
    services: dict[str, list[ServiceRule[Value]]] = {}
    agents: dict[str, list[ServiceRule[Value]]] = {}
    homeless = []
    for rule in rules:
        home = next((role for role in (rule.role, rule.otherwise) if machines.get(role)), None)
        if home is None:
            homeless.append(rule)
            continue
        services.setdefault(home, []).append(rule)
        if rule.agents != home and machines.get(rule.agents):
            agents.setdefault(rule.agents, []).append(rule)
    return Placement(
        machines=dict(machines),
        services={role: tuple(found) for role, found in services.items()},
        agents={role: tuple(found) for role, found in agents.items()},
        homeless=tuple(homeless),
    )


def parts_with_needs(parts: Sequence[tuple[str, Value]], needs: Iterable[Need[Value]]) -> tuple[tuple[str, Value], ...]:
    """Return the parts of a machine, pairs of category code and value, with what its services need besides.

    Drives go into the next free slots. Any other need takes the place of what stands in its category.
    """
    found = list(parts)
    for need in needs:
        if slot_of(need.category_code) is None:
            found = [part for part in found if part[0] != need.category_code]
            found += [(need.category_code, need.value)] * need.count
        else:
            found += [(f"disk{slot}", need.value) for slot in _free_slots(found, need.count)]
    return tuple(found)


def _free_slots(parts: Iterable[tuple[str, Value]], count: int) -> list[int]:
    taken = {slot_of(code) for code, _ in parts}
    free = (slot for slot in range(len(taken) + count) if slot not in taken)
    return [slot for slot, _ in zip(free, range(count), strict=False)]


def _warning(role: str, limit: int, names: Sequence[str], machines: int) -> Violation:
    whole = f"the {role} in a whole of {machines:,} machines. Beyond {limit:,}"
    if len(names) == 1:
        words = f"{names[0]} still shares {whole} give it a machine of its own."
    else:
        words = f"{', '.join(names[:-1])} and {names[-1]} still share {whole} give them machines of their own."
    return Violation("services_share", f"roles.{role}", words)
