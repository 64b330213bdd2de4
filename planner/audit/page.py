"""What an audit's answer shows beside what every kind of advice shows: the load, its parts, and what each costs."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from core.money import Money
from planner.advice.arrays import LEVEL_WORDS
from planner.audit.charts import binned, load_panel, size_panel
from planner.audit.demand import LEVELS, AuditDemand
from planner.audit.parts import Part
from planner.audit.problem import shares_of
from planner.audit.words import CLASSES, duration_words, part_name
from planner.figure_words import value_words

Json = dict[str, Any]


def audit_part(demand: AuditDemand, row: Mapping[str, Any], currency: str) -> Json:
    """Return charts and tables of an audit for a configuration of the answer."""
    parts, extra = demand.parts, row["extra"]
    points = binned(parts)
    price = demand.today.monthly_price
    today_busy, new_busy = extra["today"]["busy"], extra["busy"]
    keys = [part.key for part in parts.all if part.io_kib > 0]
    today_costs = shares_of(today_busy, price, currency, keys) if price is not None else {}
    new_costs = shares_of(new_busy, Decimal(row["monthly_cost"]), currency, keys)
    shown = [part for part in parts.all if part.key in keys]
    return {
        "series": _series_words(demand),
        "heading": _heading(demand, today_busy),
        "panels": [load_panel(parts, points), size_panel(parts, points)],
        "parts": [
            _part_row(part, demand, today_busy, new_busy) | {
                "today_cost": today_costs.get(part.key), "new_cost": new_costs[part.key],
            }
            for part in shown
        ],
        "idle": _idle(today_busy, new_busy, demand, row, currency),
        "has_price": price is not None,
        "new_title": row["title"],
        "today": _today_words(demand),
        "levels": [_level_row(each, demand, currency) for each in extra["today"]["levels"]],
        "growth": value_words(demand.growth),
        "capacity": value_words(demand.capacity_gb),
        "ladder": _ladder(demand, extra["ladder"], currency),
        "level": dict(LEVELS)[demand.level],
    }  # fmt: skip


def _series_words(demand: AuditDemand) -> str:
    series = demand.parts.series
    device = f" of {series.device}" if series.device not in ("", "-") else ""
    words = (
        f"{int(series.is_measured.sum()):,} intervals of {duration_words(series.step_seconds)}{device}, "
        f"{series.start:%-d %b %Y %H:%M} to {series.at(series.count):%-d %b %Y %H:%M}, from {series.program}."
    )
    known = series.latency_ms[~np.isnan(series.latency_ms)]
    if len(known):
        mean, most = value_words(float(known.mean())), value_words(float(np.quantile(known, 0.95)))
        words += f" An I/O took {mean} ms on average, and {most} ms or less in 95 % of them."
    return words


def _heading(demand: AuditDemand, busy: Mapping[str, float]) -> str:
    jobs = [part for part in demand.parts.jobs if part.key in busy]
    total = sum(busy.values())
    words = f"Today's array is busy {_percent(total)} of the time"
    if not jobs:
        return f"{words}; nothing returns at regular times"
    most = max(jobs, key=lambda part: busy[part.key])
    name = part_name(most, demand.parts.series)
    return f"{words}, {_percent(busy[most.key])} with {name[0].lower()}{name[1:]}"


def _part_row(part: Part, demand: AuditDemand, today: Mapping[str, float], new: Mapping[str, float]) -> Json:
    series, pattern = demand.parts.series, part.pattern
    iops = part.iops[pattern.is_in] if pattern else part.iops
    mb_s = part.mb_s[pattern.is_in] if pattern else part.mb_s
    return {
        "name": part_name(part, series),
        "lasts": duration_words(pattern.width * series.step_seconds) if pattern else "",
        "iops": value_words(float(np.nanmean(iops))),
        "mb_s": value_words(float(np.nanmean(mb_s))),
        "io_kib": value_words(part.io_kib),
        "reads": f"{100 * part.read_share:.0f} %" if series.tells_reads else "as entered",
        "seen": f"{pattern.hits} of {pattern.cycles}" if pattern else "",
        "sure": _sure(pattern.confidence) if pattern else "",
        "today": _percent(today[part.key]),
        "new": _percent(new[part.key]),
    }


def _sure(confidence: float) -> str:
    return "more than 99.9 %" if confidence > 0.999 else f"{100 * confidence:.1f} %"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _idle(
    today: Mapping[str, float], new: Mapping[str, float], demand: AuditDemand, row: Mapping[str, Any], currency: str
) -> Json:
    """Return what is left of both arrays, and what that costs."""
    left_today, left_new = (max(0.0, 1 - sum(busy.values())) for busy in (today, new))
    price = demand.today.monthly_price
    return {
        "today": _percent(left_today),
        "new": _percent(left_new),
        "today_cost": shares_of({"idle": left_today}, price, currency, ["idle"])["idle"] if price is not None else None,
        "new_cost": shares_of({"idle": left_new}, Decimal(row["monthly_cost"]), currency, ["idle"])["idle"],
    }


def _today_words(demand: AuditDemand) -> str:
    today = demand.today
    return f"{today.drives} × {today.drive_gb:,g} GB {dict(CLASSES)[today.drive_class]}, {LEVEL_WORDS[today.raid]}"


def _level_row(each: Mapping[str, Any], demand: AuditDemand, currency: str) -> Json:
    today, drives = demand.today, each["drives"]
    return {
        "name": LEVEL_WORDS[each["raid"]],
        "is_today": each["raid"] == today.raid,
        "times": value_words(each["times"]) if each["times"] else "",
        "is_enough": bool(each["times"]) and each["times"] >= demand.growth,
        "usable": value_words(each["usable_gb"]) if each["usable_gb"] else "",
        "for_load": each["for_load"] or "none up to 64",
        "for_capacity": each["for_capacity"] or "none up to 64",
        "drives": drives or "none up to 64",
        "saved": _saved(drives, demand, currency),
    }


def _saved(drives: int | None, demand: AuditDemand, currency: str) -> str:
    """Say how many drives, and at today's price of a drive how much a month, that is less or more than today."""
    if drives is None:
        return ""
    fewer = demand.today.drives - drives
    if not fewer:
        return "as many as today"
    words = f"{abs(fewer)} {'fewer' if fewer > 0 else 'more'}"
    price = demand.today.monthly_price
    if price is None:
        return words
    money = Money(price * abs(fewer) / demand.today.drives, currency).owed()
    return f"{words}, {money} a month {'less' if fewer > 0 else 'more'}"


def _ladder(demand: AuditDemand, ladder: list[Json], currency: str) -> list[Json]:
    """Return the cheapest array for each level with everything, without each job, and what that saves."""
    names = {part.key: part_name(part, demand.parts.series) for part in demand.parts.jobs}
    whole = {row["level"]: row for row in ladder if not row["without"]}
    return [
        {
            "level": dict(LEVELS)[row["level"]],
            "what": _scope_words(row["without"], names),
            "title": row["title"] or "nothing on sale carries it",
            "cost": Money(Decimal(row["monthly_cost"]), currency) if row["monthly_cost"] else None,
            "saved": _difference(row, whole[row["level"]], currency),
            "is_asked": row["level"] == demand.level and demand.without == _removed(row["without"], names),
        }
        for row in ladder
    ]


def _removed(without: str, names: Mapping[str, str]) -> frozenset[str]:
    if without == "jobs":
        return frozenset(names)
    return frozenset({without} if without else ())


def _scope_words(without: str, names: Mapping[str, str]) -> str:
    if not without:
        return "with everything"
    if without == "jobs":
        return "without all jobs that return"
    return f"without {names[without][0].lower()}{names[without][1:]}"


def _difference(row: Json, whole: Json, currency: str) -> str:
    if not row["without"] or not row["monthly_cost"]:
        return ""
    if not whole["monthly_cost"]:
        return "possible only so"
    saved = Decimal(whole["monthly_cost"]) - Decimal(row["monthly_cost"])
    return f"{Money(saved, currency)} a month less" if saved else "nothing"
