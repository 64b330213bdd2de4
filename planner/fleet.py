"""The machines a plan may choose from, with what each costs a month: a snapshot that a plan keeps for good."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from core.errors import RuleBroken
from planner.demand import DEFAULT_BALANCER, Demand
from planner.storage_limits import unfit_reason
from simulation.machines import Machine
from simulation.object_store import balancer_mb_s
from simulation.parameters import ParameterSet

EXACT = 10**8
"""Prices are whole hundred-millionths here: six places of a fee times two of the hours, so that no cent is lost."""
MOST_FEE = 10**9
"""Money a month for one machine: what costs more is not planned with, so that whole clusters stay within 64 bits."""

FEE_COLUMNS = ("line_fees", "line_rates", "once_fees")


@dataclass(frozen=True)
class PricedMachine:
    """A machine type as a role of a cluster: its physics, its price and the order lines that make it.

    `lines` pairs (category code, item key name); `line_fees` is what one piece of each line costs a month on the
    `term`, `line_rates` what it costs an hour where the term is hourly, `once_fees` what it costs once. `notes` say
    what was taken to be so. `raid` is the level of its data array and `equipment` its disks and uplink in words; both
    are empty where nobody knows them. What is no proxy only stores: another one costs less and is as good in front.
    Rates and fees that a plan of an older version did not keep are empty.
    """

    machine: Machine
    title: str
    package_key_name: str
    lines: tuple[tuple[str, str], ...]
    line_fees: tuple[Decimal, ...]
    term: str = "hourly"
    line_rates: tuple[Decimal, ...] = ()
    once_fees: tuple[Decimal, ...] = ()
    notes: tuple[str, ...] = ()
    raid: str = ""
    equipment: str = ""
    is_proxy: bool = True

    @property
    def key_name(self) -> str:
        return self.machine.key_name

    def unfit_reason(self, demand: Demand) -> str:
        """Say why it cannot store what is demanded on the disks asked for; empty where it can."""
        return unfit_reason(
            raid=self.raid, drive_class=self.machine.drive_class, raid_limit=demand.raid, drive_limit=demand.drives
        )

    def at_hours(self, hours_per_month: Decimal) -> "PricedMachine":
        """Return the machine at another number of hours a month; monthly fees stay, and so do fees without a rate."""
        if not self.line_rates:
            return self
        return replace(self, line_fees=tuple(rate * hours_per_month for rate in self.line_rates))


class LeftOut(Exception):
    """Why a machine cannot be planned with."""


@dataclass(frozen=True)
class Fleet:
    """All machines sold here and now, types and complete servers: as nodes (proxies and storage), and as balancers."""

    currency: str
    location: str
    catalog_version: str
    nodes: tuple[PricedMachine, ...]
    balancers: tuple[PricedMachine, ...]
    left_out: tuple[tuple[str, str], ...]
    """Pairs of key name and the reason why the machine is not planned with."""

    @cached_property
    def proxies(self) -> list[int]:
        """The places of the nodes that may stand in front of others; all may store."""
        return [place for place, machine in enumerate(self.nodes) if machine.is_proxy]

    def balancer(self, key_name: str) -> PricedMachine:
        """Return the machine type chosen for balancing; raises RuleBroken where it is not sold here."""
        for machine in self.balancers:
            if machine.key_name == key_name:
                return machine
        known = ", ".join(sorted(machine.key_name for machine in self.balancers))
        way_out = f"Choose one of: {known}." if known else "No machine type sold there can balance."
        words = f"“{key_name}” is not sold as a balancer in {self.location}. {way_out}"
        raise RuleBroken("balancer_unknown", words, field="balancer")

    def balancer_here(self, key_name: str, parameters: ParameterSet) -> str:
        """Return the balancer asked for; where it is the usual one and not sold here, the one of least money for each
        MB/s that it passes."""
        if key_name != DEFAULT_BALANCER or not self.balancers:
            return key_name
        if any(machine.key_name == key_name for machine in self.balancers):
            return key_name
        cheapest = min(
            self.balancers,
            key=lambda each: (float(sum(each.line_fees)) / balancer_mb_s(each.machine, parameters), each.key_name),
        )
        return cheapest.key_name

    def as_json(self) -> dict[str, Any]:
        """Return the fleet as plain JSON, equal to what is read back from it."""
        return {
            "currency": self.currency,
            "location": self.location,
            "catalog_version": self.catalog_version,
            "nodes": [_machine_json(machine) for machine in self.nodes],
            "balancers": [_machine_json(machine) for machine in self.balancers],
            "left_out": [list(pair) for pair in self.left_out],
        }

    def at_hours(self, hours_per_month: Decimal) -> "Fleet":
        """Return the fleet at another number of hours a month."""
        return replace(
            self,
            nodes=tuple(machine.at_hours(hours_per_month) for machine in self.nodes),
            balancers=tuple(machine.at_hours(hours_per_month) for machine in self.balancers),
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Fleet":
        return cls(
            currency=data["currency"],
            location=data["location"],
            catalog_version=data["catalog_version"],
            nodes=_machines(data["nodes"]),
            balancers=_machines(data["balancers"]),
            left_out=tuple((key, reason) for key, reason in data["left_out"]),
        )


def _machine_json(machine: PricedMachine) -> dict[str, Any]:
    fees = {name: [str(fee) for fee in getattr(machine, name)] for name in FEE_COLUMNS}
    lists = {"lines": [list(line) for line in machine.lines], "notes": list(machine.notes)}
    return {**vars(machine), "machine": asdict(machine.machine), **fees, **lists}


def _machines(rows: Sequence[Mapping[str, Any]]) -> tuple[PricedMachine, ...]:
    return tuple(
        PricedMachine(
            machine=Machine(**row["machine"]),
            title=row["title"],
            package_key_name=row["package_key_name"],
            lines=tuple((category, item) for category, item in row["lines"]),
            term=row.get("term", "hourly"),
            notes=tuple(row.get("notes", ())),
            raid=row.get("raid", ""),
            equipment=row.get("equipment", ""),
            is_proxy=row.get("is_proxy", True),
            **{name: tuple(Decimal(fee) for fee in row.get(name, ())) for name in FEE_COLUMNS},
        )
        for row in rows
    )
