"""What the pages of a piece of advice show: plain values from its run, for templates."""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from core.money import Money
from core.spreadsheets import csv_of
from planner.advice.charts import cost_panel
from planner.advice.models import Advice
from planner.advice.registry import KINDS
from planner.figure_words import value_words

Json = dict[str, Any]
CSV_COLUMNS = (
    *("rank", "title", "place", "figure", "value", "unit", "monthly_cost", "metered_cost", "once_cost", "currency"),
    *("meets", "reason", "change", "key"),
)
BASIS_WORDS = {"calibrated": "calibrated", "assumed": "assumed", "published": "measured", "specification": "measured"}


def progress(advice: Advice) -> Json:
    """Return how far the run has come, in words and per cent."""
    run = advice.run
    return {
        "words": run.progress_words or "Waiting for a worker",
        "percent": 100 * run.progress_done // max(1, run.progress_total),
    }


def answer(advice: Advice) -> Json:
    """Return everything the answer page shows."""
    found = advice.run.result or {}
    context: Json = {"found": found, "kind": KINDS[advice.kind], "notes": found["notes"], "left_out": found["left_out"]}
    if not found["best"]:
        nearest = found["problem"]["nearest"]
        return context | {
            "problem": found["problem"],
            "nearest": _shown(nearest, found["currency"]) if nearest else None,
            "part": _part(advice, nearest, found["currency"]),
        }
    best = _shown(found["best"], found["currency"])
    return context | {
        "best": best,
        "heading": f"{best['title']}: {best['cost']} a month{_metered_words(best)}",
        "runners_up": [_shown(row, found["currency"]) for row in found["runners_up"]],
        "panel": cost_panel(found),
        "part": _part(advice, found["best"], found["currency"]),
    }


def answer_csv(advice: Advice) -> str:
    """Return the best configuration, those that lost and the front as a table; its header alone without an answer.

    A point of the front has no cost once.
    """
    found = advice.run.result or {}
    best, front = found.get("best"), found.get("front", ())
    rows = [{**best, "rank": "best"}] if best else []
    rows += [
        {**row, "rank": str(place), "change": row["change"]["words"]}
        for place, row in enumerate(found.get("runners_up", ()), start=2)
    ]
    rows = [{**row, "value": row["main"]["value"]} for row in rows] + [{**point, "rank": "front"} for point in front]
    shown = best or (found.get("problem") or {}).get("nearest") or {"main": {"label": "", "unit": ""}}
    same = {"figure": shown["main"]["label"], "unit": shown["main"]["unit"], "currency": found.get("currency")}
    cells = [{**row, **same, "meets": "yes" if row["meets"] else "no"} for row in rows]
    return csv_of(columns=CSV_COLUMNS, rows=([row.get(name) for name in CSV_COLUMNS] for row in cells))


def _part(advice: Advice, row: Json | None, currency: str) -> Json | None:
    """Return what this kind of advice shows besides, if it does."""
    page_part = KINDS[advice.kind].page_part
    return page_part(advice.demand, row, currency) if page_part and row else None


def _shown(row: Json, currency: str) -> Json:
    """Return a configuration with its money and figures in words, and its roles as boxes."""
    return {
        **row,
        "cost": Money(Decimal(row["monthly_cost"]), currency),
        "metered": _metered(row, currency),
        "once": Money(Decimal(row["once_cost"]), currency) if Decimal(row["once_cost"]) else None,
        "main_words": _figure_words(row["main"]),
        "figures": [_figure(figure, row["needs"]) for figure in row["figures"]],
        "roles": [_role(role, currency) for role in row["roles"]],
        "boxes": [_box(role) for role in row["roles"] if role["drawn_as"]],
        "drawing_words": ", ".join(f"{role['quantity']} {role['name']}" for role in row["roles"]),
    }


def _metered(row: Json, currency: str) -> Money | None:
    """Return what the use of a configuration is expected to cost a month; None where nothing is metered."""
    cost = Decimal(row.get("metered_cost", 0))
    return Money(cost, currency) if cost else None


def _metered_words(row: Json) -> str:
    return f" + {row['metered']} expected for use" if row["metered"] else ""


def _figure(figure: Json, needs: Sequence[Mapping[str, Any]]) -> Json:
    need = next((each for each in needs if each["label"] == figure["label"]), None)
    return {
        "label": figure["label"],
        "words": value_words(figure["value"]),
        "unit": figure["unit"],
        "band": _band(figure),
        "tag": BASIS_WORDS[figure["basis"]],
        "basis": figure["basis"],
        "asked": f"{value_words(need['asked'])} {need['unit']}".strip() if need else "",
        "is_short": need is not None and not need["is_met"],
    }


def _figure_words(figure: Json) -> str:
    return f"{value_words(figure['value'])} {figure['unit']}".strip()


def _band(figure: Json) -> str:
    if figure["low"] >= figure["value"] and figure["high"] <= figure["value"]:
        return ""
    return f"{value_words(figure['low'])} to {value_words(figure['high'])}"


def _role(role: Json, currency: str) -> Json:
    """Return a role with equal parts of several slots together, and what they come to."""
    counts = Counter(part["item_id"] for part in role["parts"])
    costs: dict[int, Decimal] = {}
    for part in role["parts"]:
        costs[part["item_id"]] = costs.get(part["item_id"], Decimal(0)) + Decimal(part["monthly_cost"])
    firsts = {part["item_id"]: part for part in reversed(role["parts"])}
    parts = [
        {
            "words": part["description"] if counts[item_id] == 1 else f"{counts[item_id]} × {part['description']}",
            "cost": Money(costs[item_id], currency),
            "is_illustrative": part["basis"] != "published",
        }
        for item_id, part in reversed(firsts.items())
    ]
    return {**role, "cost": Money(Decimal(role["monthly_cost"]), currency), "priced_parts": parts}


def _box(role: Json) -> Json:
    return {
        "key": role["drawn_as"],
        "label": role["name"].lower(),
        "count": role["quantity"],
        "machine_type": role["package_name"],
        "note": f"{role['location_name']}, {role['term']}",
    }
