"""What the figures of a simulation are called, their units, and which way is better."""

from collections.abc import Iterable
from typing import Any

HIGHER, LOWER, NEITHER = "higher", "lower", ""
OPS, MB_S, MS = "ops/s", "MB/s", "ms"

METRIC_WORDS: dict[str, tuple[str, str, str]] = {
    "iops": ("I/Os a second", "IOPS", HIGHER),
    "throughput_mb_s": ("Throughput", MB_S, HIGHER),
    "latency_ms": ("Mean latency", MS, LOWER),
    "bottleneck": ("Bottleneck", "", NEITHER),
    "throughput_ops": ("Throughput", OPS, HIGHER),
    "throughput_ops_peak": ("Peak throughput", OPS, HIGHER),
    "throughput_range_ops": ("Throughput over 10 s windows", OPS, NEITHER),
    "get_mean_ms": ("Mean get", MS, LOWER),
    "get_median_ms": ("Median get", MS, LOWER),
    "get_p99_ms": ("99th percentile get", MS, LOWER),
    "put_mean_ms": ("Mean put", MS, LOWER),
    "put_median_ms": ("Median put", MS, LOWER),
    "put_p99_ms": ("99th percentile put", MS, LOWER),
    "sustainable_ops": ("Most that keeps the promise", OPS, HIGHER),
    "reads_per_second": ("Reads", "reads/s", HIGHER),
    "reads_per_second_peak": ("Reads at best", "reads/s", HIGHER),
    "updates_per_second": ("Updates", "updates/s", HIGHER),
    "updates_per_second_peak": ("Updates at best", "updates/s", HIGHER),
    "saturation_storage_nodes": ("Storage nodes that saturate a proxy", "nodes", NEITHER),
    "cheapest_storage_nodes": ("Storage nodes with the least $ per MB/s", "nodes", NEITHER),
    "cheapest_storage_and_nodes": ("Storage type and nodes with the least $ per MB/s", "", NEITHER),
    "cheapest_proxy_and_storage": ("Pair of types with the least $ per MB/s", "", NEITHER),
    "raw_per_usable": ("Raw for each usable", "GB/GB", LOWER),
    "minutes": ("Full build", "minutes", LOWER),
    "random_mb_s": ("Random throughput", MB_S, HIGHER),
    "write_penalty": ("Drive I/Os of one small write", "", LOWER),
    "usable_fraction": ("Usable share", "", HIGHER),
    "drives_that_may_fail": ("Drives that may fail", "drives", HIGHER),
    "rebuild_hours": ("Rebuild of one drive", "hours", LOWER),
    "rebuild_loss_chance": ("Chance of loss during a rebuild", "", LOWER),
    "light_one_way_ms": ("One way", MS, LOWER),
    "light_round_trip_ms": ("There and back", MS, LOWER),
}
"""Label, unit and better direction by metric."""


def metrics_json(names: Iterable[str]) -> dict[str, Any]:
    """Return the words of these figures as a result keeps them; a figure without words is called by its name."""
    return {name: _metric_json(name) for name in names}


def _metric_json(name: str) -> dict[str, str]:
    label, unit, better = METRIC_WORDS.get(name, (name.replace("_", " ").capitalize(), "", NEITHER))
    return {"label": label, "unit": unit, "better": better}
