"""The CPU list beside an answer: every processor of the table, and what the published study named."""

from typing import Any

from planner.figure_words import value_words
from planner.mapping.machines import MeasuredMachine
from simulation.scores import PROCESSORS, SUITE_COLUMNS

STUDY_SCORE = 7295
STUDY_NAMED = ("E3-1245", "L5640", "E5649")
"""The processors that the study named as good enough for its c1.xlarge, of 7,295 points in May 2012."""


def cpu_list(demand: MeasuredMachine) -> dict[str, Any]:
    """Return the rows of the CPU list, highest score first, and what is to be said of the study's processors."""
    scores = sorted(demand.table.scores.items(), key=lambda each: (-each[1], each[0]))
    enough = [name for name, score in scores if demand.with_margin(score) >= demand.score]
    return {
        "table": demand.table.name,
        "source": demand.table.source,
        "asked": value_words(demand.score),
        "margin": value_words(100 * demand.margin),
        "rows": [_row(name, score, demand) for name, score in scores],
        "heading": f"Enough alone: {len(enough)} of {len(scores)} processors",
        "study": [_study_row(name) for name in STUDY_NAMED],
        "study_score": f"{STUDY_SCORE:,}",
    }


def _row(name: str, score: float, demand: MeasuredMachine) -> dict[str, Any]:
    share = score / demand.score - 1
    verdict = (
        "enough" if share >= 0 else "within the margin" if demand.with_margin(score) >= demand.score else "too slow"
    )
    return {
        "processor": name,
        "score": f"{score:,.15g}",
        "difference": f"{100 * share:+.1f} %".replace("-", "−"),
        "verdict": verdict,
        "is_short": verdict == "too slow",
        "is_named": name in STUDY_NAMED,
    }


def _study_row(name: str) -> dict[str, Any]:
    """Return what our tables say of a processor of the study; only versions on the scale of the study's own score."""
    scores = [(version, PROCESSORS[name].scores.get(version)) for version in versions_of_that_scale()]
    known = [score for _, score in scores if score is not None]
    verdict = "at or above" if min(known) >= STUDY_SCORE else "below" if max(known) < STUDY_SCORE else "around"
    cells = [(version, "—" if score is None else f"{score:,}") for version, score in scores]
    return {"processor": name, "scores": cells, "verdict": f"{verdict} {STUDY_SCORE:,}", "is_below": verdict == "below"}


def versions_of_that_scale() -> list[str]:
    """Return the versions of the suite before its scale changed in 2020."""
    return [version for version in SUITE_COLUMNS if "version 10" not in version or "before" in version]
