"""The machines a plan may choose from, with what each costs a month: a snapshot that a plan keeps for good."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from core.errors import RuleBroken
from simulation.machines import Machine

EXACT = 10**8
"""Prices are whole hundred-millionths here: six places of a fee times two of the hours, so that no cent is lost."""
MOST_FEE = 10**9
"""Money a month for one machine: what costs more is not planned with, so that whole clusters stay within 64 bits."""


@dataclass(frozen=True)
class PricedMachine:
    """A machine type as a role of a cluster: its physics, its price and the order lines that make it.

    `lines` pairs (category code, item key name); `line_fees` is what one piece of each line costs a month.
    """

    machine: Machine
    title: str
    package_key_name: str
    lines: tuple[tuple[str, str], ...]
    line_fees: tuple[Decimal, ...]

    @property
    def key_name(self) -> str:
        return self.machine.key_name


@dataclass(frozen=True)
class Fleet:
    """All machine types sold here and now: as nodes (proxies and storage), and as balancers."""

    currency: str
    location: str
    catalog_version: str
    nodes: tuple[PricedMachine, ...]
    balancers: tuple[PricedMachine, ...]
    left_out: tuple[tuple[str, str], ...]
    """Pairs of key name and the reason why the machine type is not planned with."""

    def balancer(self, key_name: str) -> PricedMachine:
        """Return the machine type chosen for balancing; raises RuleBroken where it is not sold here."""
        for machine in self.balancers:
            if machine.key_name == key_name:
                return machine
        known = ", ".join(sorted(machine.key_name for machine in self.balancers))
        way_out = f"Choose one of: {known}." if known else "No machine type sold there can balance."
        words = f"“{key_name}” is not sold as a balancer in {self.location}. {way_out}"
        raise RuleBroken("balancer_unknown", words, field="balancer")

    def as_json(self) -> dict[str, Any]:
        data = asdict(self)
        for machine in (*data["nodes"], *data["balancers"]):
            machine["line_fees"] = [str(fee) for fee in machine["line_fees"]]
        return data

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


def _machines(rows: Sequence[Mapping[str, Any]]) -> tuple[PricedMachine, ...]:
    return tuple(
        PricedMachine(
            machine=Machine(**row["machine"]),
            title=row["title"],
            package_key_name=row["package_key_name"],
            lines=tuple((category, item) for category, item in row["lines"]),
            line_fees=tuple(Decimal(fee) for fee in row["line_fees"]),
        )
        for row in rows
    )
