"""What an answer rests on besides its model: what was taken to be so of its machines, spares, own measurements."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.money import Money
from planner.demand import SPARES, CostBasis, Demand
from planner.measurements.pages import speed_words, thing_words
from planner.rows import Row
from simulation.drives import speed_factor
from simulation.machines import network_factor

Json = dict[str, Any]


def taken_to_be_so(fleet: Mapping[str, Any], row: Row, demand: Demand) -> list[Json]:
    """Return what was taken to be so of each machine of a shape, as the plan's kept fleet tells; those with nothing
    to tell are left out."""
    machines = {row["proxy"]: fleet["nodes"], **dict.fromkeys(_storages(row), fleet["nodes"])}
    if row["balancers"]:
        machines.setdefault(demand.balancer, fleet["balancers"])
    told = [{"machine_type": name, "notes": _notes_of(name, rows)} for name, rows in machines.items()]
    return [each for each in told if each["notes"]]


def spares_panel(demand: Demand) -> Json | None:
    """Return the kit of spares that a purchase counts, part by part where it is the illustrative one; None where the
    cost is no purchase."""
    if demand.cost_basis is not CostBasis.PURCHASE:
        return None
    is_illustrative = demand.spares is None
    return {
        "is_illustrative": is_illustrative,
        "parts": [(name, Money(price, demand.currency)) for name, price in SPARES.items()] if is_illustrative else [],
        "total": Money(demand.spares_cost, demand.currency),
        "months": f"{demand.purchase_months.normalize():f}",
    }


def measured_words(run_parameters: Mapping[str, Any]) -> list[str]:
    """Return what the account's measurements had taught when the plan was asked: "SATA drives: 0.70 times …"."""
    factors: Mapping[str, float] = run_parameters.get("factors", {})
    return [f"{thing_words(name)}: {speed_words(factor)}" for name, factor in sorted(factors.items())]


def figure_basis(run_parameters: Mapping[str, Any], row: Row, demand: Demand) -> str:
    """Say how a shape's throughput is known: assumed, measured where the account's measurements changed what is taken
    of one of its machines, or calibrated."""
    if row["is_assumed"]:
        return "assumed"
    fleet, storages = run_parameters["fleet"], set(_storages(row))
    names = {network_factor(name) for name in {row["proxy"], *storages}}
    names |= {network_factor(demand.balancer)} if row["balancers"] else set()
    machines = [each["machine"] for each in fleet["nodes"] if each["machine"]["key_name"] in storages]
    names |= {speed_factor(machine["drive_class"]) for machine in machines if machine.get("drive_class")}
    return "measured" if names & run_parameters.get("factors", {}).keys() else "calibrated"


def _storages(row: Row) -> Iterable[str]:
    return row["storages"] if "storages" in row else (row["storage"],)


def _notes_of(key_name: str, machines: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the notes of one machine; fleets of older versions have none."""
    return next((list(each.get("notes", ())) for each in machines if each["machine"]["key_name"] == key_name), [])
