"""What the accuracy page says: every published figure beside its prediction, and which promises hold."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.figure_words import value_words
from simulation.predict import P99_FACTOR, tolerance

Json = dict[str, Any]
Entry = Mapping[str, Any]

WORKLOAD_WORDS = {
    "block_io": "Drives and arrays",
    "kv_store": "Key-value store",
    "document_store": "Document store",
    "object_store": "Object store",
    "replicated_write": "Replicated writes",
    "build": "Build farm",
    "raid": "RAID levels",
    "light_path": "Light path",
}
STATUS_WORDS = {
    "ok": "inside",
    "miss": "miss",
    "no_model": "no model",
    "no_published_number": "no published number",
}
MISSES = ("miss", "no_model")
MOST_BLOCK_MEAN = 0.08
MOST_BLOCK_WORST = 0.20
MOST_KV_THROUGHPUT = 0.15
LEAST_OBJECT_SHARE = 9 / 11
MOST_BUILD = 0.05


@dataclass(frozen=True)
class Figure:
    """One published figure with its prediction, in words for the table and in numbers for the chart."""

    id: str
    workload: str
    metric: str
    unit: str
    source: str
    is_fitted: bool
    run_words: str
    published: Any
    predicted: Any
    low: float | None
    high: float | None
    error: float | None
    status: str
    reason: str

    @property
    def is_miss(self) -> bool:
        return self.status in MISSES

    @property
    def metric_words(self) -> str:
        return self.metric.replace("_", " ")

    @property
    def published_words(self) -> str:
        return "no number" if self.published is None else value_words(self.published)

    @property
    def predicted_words(self) -> str:
        return "nothing" if self.predicted is None else value_words(self.predicted)

    @property
    def band_words(self) -> str:
        if self.low is None or self.high is None or self.low == self.high:
            return ""
        return f"{value_words(self.low)} to {value_words(self.high)}"

    @property
    def error_words(self) -> str:
        if self.error is None:
            return ""
        return f"{self.error:+.1%}" if round(self.error, 3) else "0.0%"

    @property
    def status_words(self) -> str:
        return STATUS_WORDS[self.status]


@dataclass(frozen=True)
class WorkloadAccuracy:
    """How the figures of one workload are predicted, all of them together and each."""

    workload: str
    figures: tuple[Figure, ...]
    median: float | None
    mean: float | None
    worst: float | None
    inside: float | None

    @property
    def name(self) -> str:
        return WORKLOAD_WORDS.get(self.workload, self.workload.replace("_", " "))

    @property
    def judged(self) -> int:
        return sum(figure.status != "no_published_number" for figure in self.figures)

    @property
    def right(self) -> int:
        return sum(figure.status == "ok" for figure in self.figures)

    @property
    def has_miss(self) -> bool:
        return any(figure.is_miss for figure in self.figures)

    @property
    def errors_words(self) -> list[str]:
        """The median, mean and worst error and the share inside, as per cent; a dash where there are no numbers."""
        errors = [f"{each:.1%}" if each is not None else "–" for each in (self.median, self.mean, self.worst)]
        return [*errors, "–" if self.inside is None else f"{self.inside:.0%}"]

    @property
    def tolerance_words(self) -> str:
        """What counts as right among these figures."""
        return ", ".join(dict.fromkeys(_tolerance_words(figure) for figure in self.figures))


@dataclass(frozen=True)
class Promise:
    """What we say of the predictions, and what was found."""

    words: str
    found: str
    is_kept: bool


def workloads_of(entries: Sequence[Entry], report: Json) -> list[WorkloadAccuracy]:
    """Put the report's rows beside the published entries, a workload at a time.

    Raises ValueError where the report is on other entries.
    """
    rows = {row["id"]: row for row in report["entries"]}
    if [entry["id"] for entry in entries] != [row["id"] for row in report["entries"]]:
        raise ValueError("the report is on other figures: run `manage.py accuracy --store`")
    figures = [_figure(entry, rows[entry["id"]]) for entry in entries]
    workloads = dict.fromkeys([*WORKLOAD_WORDS, *(figure.workload for figure in figures)])
    found = []
    for workload in workloads:
        own = tuple(figure for figure in figures if figure.workload == workload)
        if own:
            totals = report["summary"][workload]
            errors = {name: totals[name] for name in ("median", "mean", "worst", "inside")}
            found.append(WorkloadAccuracy(workload=workload, figures=own, **errors))
    return found


def promises_of(workloads: Iterable[WorkloadAccuracy]) -> list[Promise]:
    """Hold the figures against what we promise of them. What has no model keeps no promise."""
    by_name = {each.workload: each.figures for each in workloads}
    block, build = by_name.get("block_io", ()), by_name.get("build", ())
    store, objects = by_name.get("kv_store", ()), by_name.get("object_store", ())
    throughput = [figure for figure in store if figure.metric.startswith("throughput")]
    tails = [figure for figure in store if figure.metric.endswith("_p99_ms")]
    bounds = [figure for figures in by_name.values() for figure in figures if isinstance(figure.published, Mapping)]
    return [
        _error_promise("Drives and arrays: the mean error is", block, most=MOST_BLOCK_MEAN, of=_mean),
        _error_promise("Drives and arrays: the worst error is", block, most=MOST_BLOCK_WORST, of=max),
        _error_promise("Key-value store: throughput is off by", throughput, most=MOST_KV_THROUGHPUT, of=max),
        _factor_promise("Key-value store: 99th percentiles are off by a factor of", tails),
        _share_promise("Object store", objects, least=LEAST_OBJECT_SHARE),
        _error_promise("Build farm: minutes and speed-ups are off by", build, most=MOST_BUILD, of=max),
        Promise(
            words="Every published bound and ordering holds",
            found=f"{sum(each.status == 'ok' for each in bounds)} of {len(bounds)}",
            is_kept=all(each.status == "ok" for each in bounds),
        ),
    ]


def run_words(scenario: Mapping[str, Any]) -> str:
    """Return what was run as a list of words: "drive class sas_15k, drives 4"."""
    return ", ".join(
        f"{name.replace('_', ' ')} {each}"
        for field, value in scenario.items()
        if field != "workload"
        for name, each in (value.items() if isinstance(value, Mapping) else [(field, value)])
    )


def _figure(entry: Entry, row: Json) -> Figure:
    scenario = entry["scenario"]
    words = run_words(scenario)
    return Figure(
        id=entry["id"],
        workload=scenario["workload"],
        metric=entry["metric"],
        unit=entry.get("unit", ""),
        source=entry.get("source", ""),
        is_fitted=entry.get("use") == "calibration",
        run_words=f"{words}; against {run_words(entry['baseline'])}" if entry.get("baseline") else words,
        published=row["published"],
        predicted=row["predicted"],
        low=row["low"],
        high=row["high"],
        error=row["error"],
        status=row["status"],
        reason=row.get("reason", ""),
    )


def _tolerance_words(figure: Figure) -> str:
    if isinstance(figure.published, Mapping):
        return "bounds hold"
    if isinstance(figure.published, str):
        return "answers exact"
    below, above = tolerance(workload=figure.workload, metric=figure.metric)
    if above == 0:
        return "counts exact"
    return f"± {above:.0%}" if math.isclose(-below, above) else f"a factor of {1 + above:g}"


def _error_promise(words: str, figures: Sequence[Figure], *, most: float, of: Any) -> Promise:
    errors = [abs(figure.error) for figure in figures if figure.error is not None]
    found = of(errors) if errors else None
    return Promise(
        words=f"{words} at most {most:.0%}",
        found="no model" if found is None else f"{found:.1%}",
        is_kept=found is not None and found <= most and all(figure.status != "no_model" for figure in figures),
    )


def _factor_promise(words: str, figures: Sequence[Figure]) -> Promise:
    factors = [max(1 + figure.error, 1 / (1 + figure.error)) for figure in figures if figure.error is not None]
    found = max(factors, default=None)
    return Promise(
        words=f"{words} at most {P99_FACTOR:g}",
        found="no model" if found is None else f"{found:.2f}",
        is_kept=found is not None and found <= P99_FACTOR and all(figure.status != "no_model" for figure in figures),
    )


def _share_promise(name: str, figures: Sequence[Figure], *, least: float) -> Promise:
    right = sum(figure.status == "ok" for figure in figures)
    needed = math.ceil(least * len(figures))
    return Promise(
        words=f"{name}: at least {needed} of {len(figures)} figures are right",
        found=f"{right} of {len(figures)}",
        is_kept=bool(figures) and right >= needed,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
