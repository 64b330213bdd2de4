"""Which plans would be answered otherwise with what was measured since, at their own prices, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from planner.demand import Demand
from planner.figure_words import value_words
from planner.fleet import Fleet, PricedMachine
from planner.models import Plan
from planner.planning import plan_now
from planner.selectors import fleet_of
from simulation.machines import Machine
from simulation.parameters import ParameterSet, load_parameter_set

SHOWN = ("shape", "mb_s", "capacity_gb", "cents", "limit", "storage_nodes", "proxies", "balancers")
SPEEDS = (
    ("disk_write_mb_s", "writes of its disks"),
    ("disk_read_mb_s", "reads of its disks"),
    ("network_mb_s", "network"),
)
Json = dict[str, Any]


def review_of(plan: Plan, *, factors: Mapping[str, float]) -> Json:
    """Return an answered plan's best shape as it is and as it would be with these factors, and why they differ.

    Prices and machines are those that the plan keeps, with the layouts of servers that are worth it only now, and so is
    what its simulations taught; nothing but what was measured differs. Costs are on the plan's basis.
    """
    asked, answered = plan.run.parameters, plan.run.result or {}
    shipped = load_parameter_set(asked["parameter_set"])
    then, now = shipped.with_factors(asked.get("factors", {})), shipped.with_factors(factors)
    fleet, demand = Fleet.from_json(asked["fleet"]), Demand.from_json(asked["demand"])
    before, after = (_sold(plan, demand, fleet, parameters) for parameters in (then, now))
    moved = _moved(before, after)
    taught = _corrections(answered)
    old = answered["best"]
    fleet_now = _fleet_with(fleet, moved, after=after, came=_came(before, after))
    new = plan_now(fleet=fleet_now, demand=demand, parameters=now, corrections=taught)["best"]
    return {
        "plan_id": plan.pk,
        "words": plan.words,
        "currency": fleet.currency,
        "cost_words": demand.cost_words,
        "old": _shown(old),
        "new": _shown(new),
        "is_changed": _shape_of(old) != _shape_of(new),
        "reasons": _reasons(old, new, fleet, moved),
    }


def _corrections(answered: Json) -> list[Json]:
    """Return what simulations had taught before the answer was found; the oldest plans were not simulated."""
    rounds = (answered.get("phases") or {}).get("optimisation") or [{}]
    corrections: list[Json] = rounds[-1].get("corrections", [])
    return corrections


def _sold(plan: Plan, demand: Demand, fleet: Fleet, parameters: ParameterSet) -> Fleet:
    """Return what was sold when the plan was asked, every layout that the plan keeps included."""
    return fleet_of(
        account=plan.account,
        location=plan.location,
        hours_per_month=demand.hours_per_month,
        at=plan.created_at,
        parameters=parameters,
        keep={machine.key_name for machine in fleet.nodes},
    )


def _moved(before: Fleet, after: Fleet) -> dict[str, Machine]:
    """Return the machines that measurements made faster or slower since the plan was asked, by name."""
    machines = {priced.key_name: priced.machine for priced in (*before.balancers, *before.nodes)}
    return {
        priced.key_name: priced.machine
        for priced in (*after.balancers, *after.nodes)
        if machines.get(priced.key_name) != priced.machine
    }


def _came(before: Fleet, after: Fleet) -> list[PricedMachine]:
    """Return the layouts that measurements made worth it: others that were as good for less are slower now."""
    known = {machine.key_name for machine in before.nodes}
    return [machine for machine in after.nodes if machine.key_name not in known]


def _fleet_with(fleet: Fleet, moved: Mapping[str, Machine], *, after: Fleet, came: Sequence[PricedMachine]) -> Fleet:
    """Return the fleet with the moved machines as they are now, in front where they are worth it now."""
    proxies = {machine.key_name: machine.is_proxy for machine in after.nodes}

    def now(priced: PricedMachine) -> PricedMachine:
        name = priced.key_name
        return replace(priced, machine=moved.get(name, priced.machine), is_proxy=proxies.get(name, priced.is_proxy))

    return replace(fleet, nodes=(*map(now, fleet.nodes), *came), balancers=tuple(now(each) for each in fleet.balancers))


def _reasons(old: Json | None, new: Json | None, fleet: Fleet, moved: Mapping[str, Machine]) -> list[str]:
    """Say which machines of either shape are faster or slower now, and what limits."""
    before = {priced.key_name: priced.machine for priced in fleet.nodes}
    used = dict.fromkeys(row[role] for row in (old, new) if row for role in ("proxy", "storage"))
    words = [_speed_words(before[name], moved[name]) for name in used if name in moved and name in before]
    if old and new and old["limit"] != new["limit"]:
        words.append(f"What limits moves from the {old['limit']} to the {new['limit']}.")
    if not words and _shape_of(old) != _shape_of(new):
        words.append("What the models take for the workload changed with the measurements.")
    return words


def _speed_words(before: Machine, after: Machine) -> str:
    speeds = [
        f"{words} {value_words(getattr(before, name))} → {value_words(getattr(after, name))} MB/s"
        for name, words in SPEEDS
        if getattr(before, name) and getattr(after, name) and getattr(before, name) != getattr(after, name)
    ]
    return f"{before.key_name}: {', '.join(speeds)}." if speeds else f"{before.key_name} is measured otherwise."


def _shape_of(row: Json | None) -> tuple[Any, ...] | None:
    return (row["shape"], row["balancers"]) if row else None


def _shown(row: Json | None) -> Json | None:
    return {name: row[name] for name in SHOWN} if row else None
