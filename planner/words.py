"""Findings in words: why a shape lost, and what an impossible demand runs into and by how much."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from core import units
from core.money import Money
from planner.demand import Demand, Goal
from planner.rows import Row
from planner.shapes import MOST_GROUPS, dollars
from planner.storage_limits import DriveLimit, RaidLimit, limits_words, weaker_limits
from simulation.object_store import RESPONSE_TIME


def reason_lost(demand: Demand, row: Row, best: Row) -> str:
    """Say in one line why `row` is not the answer."""
    size = (
        f"{row['proxies']:,} prox{'y' if row['proxies'] == 1 else 'ies'} of {row['nodes_per_proxy']} storage nodes each"
    )
    if demand.goal is Goal.MINIMISE_COST:
        if row["cents"] == best["cents"]:
            return f"The same price, {_tie_words(demand, row, best)}."
        verb = "ask" if " and " in row["bound_by"] else "asks"
        return f"{_more(demand, row, best)}: {row['bound_by']} {verb} for {size}, limited by {row['limit']}."
    if demand.goal is Goal.MAXIMISE_THROUGHPUT:
        if row["mb_s"] == best["mb_s"]:
            return f"As fast, {_tie_words(demand, row, best)}."
        return f"{_rate(best['mb_s'] - row['mb_s'])} less: the budget ends at {size}, limited by {row['limit']}."
    if row["capacity_gb"] == best["capacity_gb"]:
        return f"As large, {_tie_words(demand, row, best)}."
    return f"{units.capacity_words(best['capacity_gb'] - row['capacity_gb'])} less: the budget ends at {size}."


def _tie_words(demand: Demand, row: Row, best: Row) -> str:
    """Say what decided between two shapes that reach the goal equally, in the order in which ties are decided."""
    if machines := row["machines"] - best["machines"]:
        return f"with {machines} more machine{'s' if machines > 1 else ''}"
    if row["cents"] > best["cents"]:
        return f"for {_more(demand, row, best)}"
    if row["mb_s"] < best["mb_s"]:
        return f"with {_rate(best['mb_s'] - row['mb_s'])} less"
    return "and equal in everything else; it comes later in the catalogue"


def _more(demand: Demand, row: Row, best: Row) -> str:
    return f"{Money(dollars(row['cents'] - best['cents']), demand.currency)} {demand.cost_words} more"


def hover_words(row: Row, demand: Demand) -> str:
    """Return the whole configuration in the lines of a hover box."""
    balancers = f"<br>{row['balancers']} × {demand.balancer} as balancers" if row["balancers"] else ""
    return (
        f"<b>{row['shape']}</b>{balancers}<br>{Money(dollars(row['cents']), demand.currency)} {demand.cost_words}"
        f"<br>{units.throughput_words(row['mb_s'])}, {units.capacity_words(row['capacity_gb'])} usable"
    )


def problem_of(demand: Demand, nearest: Mapping[str, Row]) -> dict[str, Any]:
    """Say which limit makes the demand impossible, by how much, and the nearest possible one.

    `nearest` has what could be had instead: "cheapest" keeps all but the budget, "most_for_the_budget" gives up the
    other limit; "with_more_once" keeps all but the budget for what is paid once; a `disks_wish` keeps all but a limit
    on disks; whatever the money, "fastest" keeps the capacity, "largest" nothing. What cannot be had is missing.
    """
    if "with_more_once" in nearest:
        return _once_short(demand, nearest["with_more_once"])
    if "cheapest" in nearest:
        return _budget_short(demand, nearest)
    for raid, drives in weaker_limits(demand.raid, demand.drives):
        if found := nearest.get(disks_wish(raid, drives)):
            return _disks_short(demand, found, raid, drives)
    if "fastest" in nearest:
        return _throughput_short(demand, nearest["fastest"])
    if "largest" in nearest:
        return _capacity_short(demand, nearest["largest"])
    words = "No machine type sold here has local storage, so no capacity can be stored."
    return {"limit": "capacity", "words": words, "short_by": None, "nearest_possible": None}


def _budget_short(demand: Demand, nearest: Mapping[str, Row]) -> dict[str, Any]:
    cheapest = nearest["cheapest"]
    cost = dollars(cheapest["cents"])
    short = cost - (demand.budget or 0)
    is_capacity_kept = demand.goal is Goal.MAXIMISE_THROUGHPUT
    kept = units.capacity_words(demand.capacity_gb or 0) if is_capacity_kept else _rate(demand.throughput_mb_s or 0)
    words = (
        f"The budget binds: the cheapest configuration for {kept} ({cheapest['shape']}) costs "
        f"{Money(cost, demand.currency)} {demand.cost_words}, {Money(short, demand.currency)} more than the budget."
    )
    if most := nearest.get("most_for_the_budget"):
        bought = units.capacity_words(most["capacity_gb"]) if is_capacity_kept else _rate(most["mb_s"])
        words += f" The budget buys at most {bought}."
    return _problem("budget", words, short_by=short, nearest=cost, unit=demand.currency)


def _once_short(demand: Demand, best: Row) -> dict[str, Any]:
    once = Decimal(best["once_cost"])
    short = once - (demand.budget_once or 0)
    words = (
        f"What is paid once binds: without that limit the best configuration ({best['shape']}) owes "
        f"{Money(once, demand.currency)} once, {Money(short, demand.currency)} more than is to be paid."
    )
    return _problem("budget_once", words, short_by=short, nearest=once, unit=demand.currency)


def disks_wish(raid: RaidLimit, drives: DriveLimit) -> str:
    """Return the name of the wish for the same on other disks."""
    return f"disks {raid} {drives}"


def _disks_short(demand: Demand, found: Row, raid: RaidLimit, drives: DriveLimit) -> dict[str, Any]:
    limit = "drives" if raid is demand.raid else "raid" if drives is demand.drives else "raid and drives"
    instead = limits_words(raid, drives) or "any disks"
    words = (
        f"The limit on disks binds: nothing sold here does this on {limits_words(demand.raid, demand.drives)}. On "
        f"{instead} the best configuration is {found['shape']}: {units.capacity_words(found['capacity_gb'])} at "
        f"{_rate(found['mb_s'])} for {Money(dollars(found['cents']), demand.currency)} {demand.cost_words}."
    )
    return {"limit": limit, "words": words, "short_by": None, "nearest_possible": instead}


def _throughput_short(demand: Demand, fastest: Row) -> dict[str, Any]:
    passed, needed = Decimal(str(fastest["mb_s"])), Decimal(str(demand.needed_mb_s))
    limit, cause, way_out = _most_machines(demand, is_behind_balancers=fastest["limit"] == "balancers")
    if demand.latency_ms is not None and fastest["limit"] == RESPONSE_TIME:
        limit, cause = "latency", f"The response time binds: a request of 1 MB may take {demand.latency_ms:f} ms."
        way_out = "Allow more time, or ask for less."
    figures = f"That passes at most {_rate(passed)}, and {_rate(needed)} is needed: {_rate(needed - passed)} short."
    return _problem(limit, f"{cause} {figures} {way_out}", short_by=needed - passed, nearest=passed, unit="MB/s")


def _capacity_short(demand: Demand, largest: Row) -> dict[str, Any]:
    held, asked = Decimal(str(largest["capacity_gb"])), demand.capacity_gb or Decimal(0)
    limit, cause, way_out = _most_machines(demand, is_behind_balancers=False)
    held_words, asked_words, short_words = (units.capacity_words(each) for each in (held, asked, asked - held))
    figures = f"That holds at most {held_words}, and {asked_words} is asked: {short_words} short."
    return _problem(limit, f"{cause} {figures} {way_out}", short_by=asked - held, nearest=held, unit="GB")


def _most_machines(demand: Demand, *, is_behind_balancers: bool) -> tuple[str, str, str]:
    """Return what binds where not even unlimited money helps, in words, and the way out."""
    if demand.balancers == 0:
        return "balancers", "The balancers bind: with none there is one proxy alone.", "Allow balancers."
    if demand.balancers is not None and is_behind_balancers:
        cause = f"The balancers bind: {demand.balancers} × {demand.balancer} is all there may be."
        return "balancers", cause, "Add balancers, or leave their number open."
    cause = f"The size binds: {MOST_GROUPS:,} proxies are the most that is planned."
    return "size", cause, "Split the demand, or ask for less."


def _problem(limit: str, words: str, *, short_by: Decimal, nearest: Decimal, unit: str) -> dict[str, Any]:
    return {
        "limit": limit,
        "words": words,
        "short_by": f"{short_by:.2f} {unit}",
        "nearest_possible": f"{nearest:.2f} {unit}",
    }


def _rate(mb_s: Decimal | float) -> str:
    return units.throughput_words(mb_s)
