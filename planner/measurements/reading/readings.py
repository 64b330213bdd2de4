"""What is read from a file of measured results, whatever wrote it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import InputRefused, Violation

FIELD = "file"


@dataclass(frozen=True)
class Metric:
    """Something that is measured. `most` is what no machine of today comes near: more is a slip."""

    key: str
    label: str
    unit: str
    most: float
    more_is_better: bool = True


METRICS = {
    metric.key: metric
    for metric in (
        Metric("iops", "I/O a second", "IOPS", 1e9),
        Metric("throughput_mb_s", "Throughput", "MB/s", 1e7),
        Metric("network_mb_s", "Network, each way", "MB/s", 1e6),
        Metric("throughput_ops", "Requests a second", "ops/s", 1e10),
        Metric("mean_ms", "Mean latency", "ms", 1e7, more_is_better=False),
        Metric("p95_ms", "95th percentile of latency", "ms", 1e7, more_is_better=False),
        Metric("p99_ms", "99th percentile of latency", "ms", 1e7, more_is_better=False),
        Metric("value", "Value", "", 1e15),
    )
}


@dataclass(frozen=True)
class Reading:
    """One measured value. `label` is what the file calls what was measured: a job, an operation, a configuration.

    `conditions` says under which load, in the words of a scenario (`block_kib`, `queue_depth`, `operation` and so on).
    """

    label: str
    metric: str
    value: float
    conditions: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadFile:
    """All values of a file in its order, and what was taken to be so while reading."""

    kind: str
    readings: tuple[Reading, ...]
    notes: tuple[str, ...] = ()


class Findings:
    """Collects what is wrong with a file, so that everything is said at once."""

    def __init__(self) -> None:
        self.violations: list[Violation] = []

    def wrong(self, code: str, words: str, *, line: int | None = None) -> None:
        where = f"Line {line}: " if line else ""
        self.violations.append(Violation(code=code, field=FIELD, words=f"{where}{words}"))

    def refuse_if_wrong(self) -> None:
        if self.violations:
            raise InputRefused(tuple(self.violations))

    def check(self, metric: str, value: float | None, *, line: int | None, words: str) -> bool:
        """Say whether a value can have been measured; `words` is how the file writes it."""
        known = METRICS[metric]
        if value is None or not math.isfinite(value):
            self.wrong("number_unreadable", f"“{words}” is not a number. Write one such as 1234.5.", line=line)
        elif value <= 0:
            self.wrong("number_not_positive", f"{words} cannot have been measured: a result is above zero.", line=line)
        elif value > known.most:
            most = f"{known.most:,.0f} {known.unit}".strip()
            self.wrong("number_absurd", f"{words} is more than {most}. Check the unit.", line=line)
        else:
            return True
        return False


def refused(code: str, words: str, *, line: int | None = None) -> InputRefused:
    """Return the refusal of a file for one reason."""
    findings = Findings()
    findings.wrong(code, words, line=line)
    return InputRefused(tuple(findings.violations))
