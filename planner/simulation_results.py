"""Reading the results of simulation runs: their points, the best one, bands, and what was swept."""

from collections.abc import Sequence

from planner.chart_parts import Json, with_unit
from planner.figure_words import value_words

NamedResult = tuple[str, Json]
"""A run's name, "" where it stands alone, and its result."""


def is_swept(runs: Sequence[NamedResult]) -> bool:
    """Return whether all runs went through values of the same field, so that the values make an axis."""
    fields = {(result["swept"] or {}).get("field") for _, result in runs}
    return len(fields) == 1 and None not in fields


def swept_words(runs: Sequence[NamedResult]) -> str:
    """Return what the first run went through, with its unit; "" where it went through nothing."""
    swept = runs[0][1]["swept"]
    return with_unit(swept["label"], swept["unit"]) if swept else ""


def possible_points(result: Json) -> list[Json]:
    """Return the points that the model could answer."""
    return [point for point in result["points"] if not point["problem"]]


def best_point(result: Json) -> Json | None:
    """Return the point with the best primary figure; the first one where better or worse means nothing."""
    known = [(value, point) for point in possible_points(result) if (value := primary(result, point)) is not None]
    better = result["metrics"].get(result["primary"], {}).get("better", "")
    if better and known:
        choose = max if better == "higher" else min
        return choose(known, key=lambda pair: pair[0])[1]
    return next(iter(possible_points(result)), None)


def primary(result: Json, point: Json) -> float | None:
    """Return the point's figure that the run is drawn by, where it has that as a number."""
    value = point["figures"].get(result["primary"], {}).get("value")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def band(result: Json, point: Json) -> tuple[float, float] | None:
    """Return the band of a point's primary figure; the interval over replications where it has no band."""
    figure, value = point["figures"].get(result["primary"], {}), primary(result, point)
    if figure.get("low") is not None and figure.get("high") is not None:
        return float(figure["low"]), float(figure["high"])
    if value is not None and figure.get("interval") is not None:
        return value - figure["interval"], value + figure["interval"]
    return None


def unit_of(result: Json) -> str:
    """Return the unit of the figure that the run is drawn by."""
    return str(result["metrics"].get(result["primary"], {}).get("unit", ""))


def label_of(result: Json) -> str:
    """Return the words of the figure that the run is drawn by."""
    return str(result["metrics"].get(result["primary"], {}).get("label", result["primary"]))


def primary_words(result: Json, point: Json) -> str:
    """Return the primary figure with its unit: "7,012 ops/s"."""
    return f"{value_words(primary(result, point))} {unit_of(result)}".strip()
