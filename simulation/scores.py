"""Benchmark scores of processors, one suite and version in a column, and the compute units that a score stands for.

Scores of two columns are never compared: the suite's scale changed in 2020.
"""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from simulation.parameters import ParameterSet

PLANNING_SUITE = "2022-08 (version 10)"
"""The one suite and version that planning converts: only there both processors of published compute units have one."""
SUITE_COLUMNS = {
    "2014": "score_c2014",
    "2017": "score_c2017",
    "2020 (before version 10)": "score_c2020_before_v10",
    PLANNING_SUITE: "score_2022_08_v10",
}
PROCESSOR_WORDS = re.compile(r"\b(?:(?P<line>E\d)-)?(?P<model>[A-Z]?\d{4}[A-Z]?)(?:\s+(?P<version>v\d))?\b")


@dataclass(frozen=True)
class ProcessorScores:
    """One processor with the single-processor scores that were found for it, by suite and version."""

    processor: str
    clock_ghz: float | None
    cores: int
    threads: int | None
    scores: Mapping[str, int]
    named_in: str
    source: str


def processor_named_in(description: str) -> str | None:
    """Return the processor that a description names, with its version: "E5-2620 v4" is another one than "E5-2620"."""
    for match in PROCESSOR_WORDS.finditer(description):
        if match["line"] or match["model"][0].isalpha():
            name = f"{match['line']}-{match['model']}" if match["line"] else match["model"]
            return f"{name} {match['version']}" if match["version"] else name
    return None


def processor_score(processor: str, *, suite: str = PLANNING_SUITE) -> int | None:
    """Return the score of one such processor in that suite and version; None where the table has none."""
    known = PROCESSORS.get(processor)
    return known.scores.get(suite) if known else None


def score_compute_units(score: float, *, processors: int, parameters: ParameterSet) -> float:
    """Return the compute units (ECU) of so many processors of that score in PLANNING_SUITE.

    Two processors are taken to do twice what one does (an assumption).
    """
    return processors * score / parameters.value("machine.cpu_score_per_compute_unit")


def _read_processors() -> dict[str, ProcessorScores]:
    text = (resources.files("simulation") / "data" / "cpu_scores.csv").read_text(encoding="utf-8")
    rows = [_processor(row) for row in csv.DictReader(text.splitlines())]
    return {row.processor: row for row in rows}


def _processor(row: Mapping[str, str]) -> ProcessorScores:
    return ProcessorScores(
        processor=row["cpu"],
        clock_ghz=float(row["clock_ghz"]) if row["clock_ghz"] else None,
        cores=int(row["cores"]),
        threads=int(row["threads"]) if row["threads"] else None,
        scores={suite: int(row[column]) for suite, column in SUITE_COLUMNS.items() if row[column]},
        named_in=row["named_in"],
        source=row["source"],
    )


PROCESSORS: Mapping[str, ProcessorScores] = _read_processors()
"""The processors of simulation/data/cpu_scores.csv by name."""
