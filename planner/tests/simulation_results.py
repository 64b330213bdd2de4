"""Small results of simulation runs for tests of charts, in the form that runs store."""

from typing import Any


def make_point(
    value: Any = None,
    *,
    words: str = "",
    figure: float | None = 1000.0,
    band: tuple[float, float] | None = None,
    interval: float | None = None,
    latency: dict[str, dict[str, float]] | None = None,
    windows: list[float] | None = None,
    stations: dict[str, float] | None = None,
    bottleneck: str = "",
    problem: str = "",
) -> dict[str, Any]:
    """Make one point; with a problem it has no figures."""
    told: dict[str, Any] = {"value": figure, "low": band[0] if band else None, "high": band[1] if band else None}
    if interval is not None:
        told["interval"] = interval
    return {
        "value": value,
        "words": words,
        "figures": {} if problem or figure is None else {"throughput_ops": told},
        "latency_ms": latency or {},
        "windows": {"seconds": 10.0, "throughput": windows} if windows else None,
        "stations": [{"name": name, "utilisation": share} for name, share in (stations or {}).items()],
        "bottleneck": bottleneck,
        "problem": {"field": "clients", "words": problem} if problem else None,
    }


def make_result(*points: dict[str, Any], swept: str = "", workload: str = "kv_store", better: str = "higher") -> Any:
    """Make a result of these points; `swept` names the field that they went through."""
    return {
        "workload": workload,
        "parameter_set": "2026-11",
        "seed": 1,
        "scenario": {},
        "primary": "throughput_ops",
        "metrics": {"throughput_ops": {"label": "Requests a second", "unit": "ops/s", "better": better}},
        "swept": {"field": swept, "label": swept.capitalize(), "unit": ""} if swept else None,
        "points": list(points),
        "replications": 1,
    }
