"""The text that YCSB prints at the end of a run: lines such as "[READ], AverageLatency(us), 3.97"."""

import re

from planner.measurements.reading.numbers import Cell, DecimalSign, number_of, sign_of
from planner.measurements.reading.readings import Findings, ReadFile, Reading, refused

KIND = "ycsb"
OVERALL = "OVERALL"
OPERATIONS = ("READ", "UPDATE", "INSERT", "SCAN", "READ-MODIFY-WRITE", "DELETE")
LINE = re.compile(r"\[(?P<part>[^\]]+)\][,;]\s*(?P<what>[^,;]+)[,;]\s*(?P<value>.*)")
FIGURES = {
    "AverageLatency(us)": ("mean_ms", 1000.0),
    "95thPercentileLatency(us)": ("p95_ms", 1000.0),
    "99thPercentileLatency(us)": ("p99_ms", 1000.0),
    "AverageLatency(ms)": ("mean_ms", 1.0),
    "95thPercentileLatency(ms)": ("p95_ms", 1.0),
    "99thPercentileLatency(ms)": ("p99_ms", 1.0),
}
THREADS = re.compile(r"-threads\s+(\d{1,6})\b")


def read_ycsb(text: str, *, decimal_sign: DecimalSign | None = None) -> ReadFile:
    """Read requests a second of the run, and the latencies of each operation. Raises InputRefused with the line."""
    lines = text.rstrip("\n").split("\n")
    parts = [(number, LINE.fullmatch(line.strip())) for number, line in enumerate(lines, start=1)]
    figures = [(line, match["part"].strip(), match["what"].strip(), match["value"]) for line, match in parts if match]
    wanted = [figure for figure in figures if _metric(figure[1], figure[2])]
    if not figures:
        raise refused("not_this_kind", "This is no output of YCSB: no line is like [OVERALL], RunTime(ms), 1000.")
    if lines[-1].lstrip().startswith("[") and (parts[-1][1] is None or not text.endswith("\n")):
        raise refused("file_truncated", "The output breaks off in this line. Upload the whole of it.", line=len(lines))
    if not any(part == OVERALL and what.startswith("Throughput") for _, part, what, _ in figures):
        words = "The output has no [OVERALL] throughput: it breaks off here. Upload the whole of it."
        raise refused("file_truncated", words, line=len(lines))
    sign = sign_of([Cell(line, value) for line, _, _, value in wanted], chosen=decimal_sign, is_by_program=True)
    threads = THREADS.search(text)
    return _read(wanted, sign, conditions={"clients": int(threads[1])} if threads else {})


def _read(wanted: list[tuple[int, str, str, str]], sign: DecimalSign, *, conditions: dict[str, int]) -> ReadFile:
    findings = Findings()
    readings = []
    for line, part, what, words in wanted:
        metric, divisor = _metric(part, what) or ("", 1.0)
        value = number_of(words, sign)
        value = None if value is None else value / divisor
        if findings.check(metric, value, line=line, words=words) and value is not None:
            label = "whole run" if part == OVERALL else part.lower()
            readings.append(Reading(label, metric, value, conditions))
    findings.refuse_if_wrong()
    return ReadFile(KIND, tuple(readings))


def _metric(part: str, what: str) -> tuple[str, float] | None:
    if part == OVERALL:
        return ("throughput_ops", 1.0) if what.startswith("Throughput(ops/sec)") else None
    return FIGURES.get(what) if part.upper() in OPERATIONS else None
