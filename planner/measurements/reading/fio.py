"""Results that fio writes as JSON (`--output-format=json`), of version 2 and later.

Since version 3 latencies are in nanoseconds (`clat_ns`), before in microseconds (`clat`); `bw` is in KiB a second in
all versions, `bw_bytes` beside it in the newer ones. Jobs that ran at the same time and alike are one load.
"""

import json
import math
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.measurements.reading.readings import Findings, ReadFile, Reading, refused

KIND = "fio"
KIB = 1024
DEFAULT_BLOCK_KIB = 4.0
DIRECTIONS = ("read", "write", "mixed")
SIZE = re.compile(r"([0-9]{1,12})\s*([kmg]?)(?:i?b)?", re.I)
SIZE_KIB = {"": 1 / KIB, "k": 1.0, "m": float(KIB), "g": float(KIB**2)}
RANDOM = ("randread", "randwrite", "randrw")
SEQUENTIAL = ("read", "write", "rw", "readwrite")
WAITING_ENGINES = ("sync", "psync", "vsync", "pvsync", "pvsync2", "mmap")
"""Engines that wait for each I/O, so that a job has one outstanding whatever depth it asks for; psync is the usual."""
MOST_LETTERS = 120
UNFIT_FOR_TEXT = ("Cc", "Cs")
"""Kinds of characters that JSON can write and no page or database can: control characters, and half a character."""
Json = Mapping[str, Any]


def read_fio(text: str) -> ReadFile:
    """Read the jobs of a fio run. Raises InputRefused naming line and column where the JSON breaks off, or every job
    that ended with an error or has a value that cannot be."""
    document, note = _document(text)
    findings = Findings()
    readings: list[Reading] = []
    for jobs in _together(_jobs(document), _part(document, "global options"), findings):
        readings += _readings(jobs, findings)
    findings.refuse_if_wrong()
    if not readings:
        raise refused("nothing_measured", "No job of the file read or wrote anything.")
    return ReadFile(KIND, tuple(readings), (note,) if note else ())


def _document(text: str) -> tuple[Json, str]:
    """Return what fio wrote; lines of warnings before it are passed over."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.lstrip().startswith("{")), None)
    if first is None:
        raise refused("not_this_kind", "This is no JSON of fio: run fio with --output-format=json.")
    try:
        document = json.loads("\n".join(lines[first:]), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        line = first + error.lineno
        words = f"Column {error.colno}: the JSON cannot be read on ({error.msg}). Is the file whole?"
        raise refused("file_truncated", words, line=line) from None
    except ValueError:
        raise refused("number_absurd", "The file has a number of thousands of digits, which nobody measured.") from None
    except RecursionError:
        raise refused("not_this_kind", "This is no JSON of fio.") from None
    if not isinstance(document, dict):
        raise refused("not_this_kind", "This is no JSON of fio.")
    skipped = first and any(line.strip() for line in lines[:first])
    return document, f"{first} lines before the JSON were passed over." if skipped else ""


def _no_number(word: str) -> Any:
    raise refused("number_unreadable", f"The file has {word}, which is not a number.")


def _jobs(document: Json) -> list[Json]:
    jobs = document.get("jobs", document.get("client_stats"))
    if not isinstance(jobs, list) or not all(isinstance(job, dict) for job in jobs) or "fio version" not in document:
        raise refused("not_this_kind", "This is no JSON of fio: it names no fio version with its jobs.")
    together = [job for job in jobs if job.get("jobname") == "All clients"]
    return together or jobs


@dataclass(frozen=True)
class _Job:
    """One job: its options, and what it did in each direction."""

    name: str
    options: Json
    access: str
    block_kib: float
    sides: Mapping[str, Json]


def _together(jobs: list[Json], global_options: Json, findings: Findings) -> list[list[_Job]]:
    """Return the jobs by what ran at the same time and alike: the array saw them as one load."""
    groups: dict[tuple[Any, ...], list[_Job]] = {}
    for number, each in enumerate(jobs, start=1):
        name = _text(each.get("jobname") or f"job {number}")
        options = {**global_options, **_part(each, "job options")}
        if each.get("error"):
            findings.wrong("job_failed", f"The job “{name}” ended with error {_text(each['error'])}. Measure again.")
            continue
        sides = {way: each[way] for way in DIRECTIONS if _moved(each.get(way))}
        access = _access(options, name, findings)
        if access is None or not sides or not _rates_are_good(name, sides, findings):
            continue
        job = _Job(name, options, access, _block_kib(options, sides), sides)
        groups.setdefault((str(each.get("groupid")), access, job.block_kib), []).append(job)
    return list(groups.values())


def _rates_are_good(name: str, sides: Mapping[str, Json], findings: Findings) -> bool:
    checks = [
        findings.check("iops", _number(side, "iops"), line=None, words=f"{name}: {way} iops {_words(side, 'iops')}")
        for way, side in sides.items()
    ]
    return all(checks)


def _readings(jobs: list[_Job], findings: Findings) -> list[Reading]:
    name = " + ".join(dict.fromkeys(job.name for job in jobs))
    sides = [(way, side) for job in jobs for way, side in job.sides.items()]
    total = sum(_number(side, "iops") or 0.0 for _, side in sides)
    conditions = {
        "access": jobs[0].access,
        "block_kib": jobs[0].block_kib,
        "queue_depth": _queue_depth(jobs),
        **_operation(sides, total, jobs[0].options),
    }
    values = [("iops", total), ("throughput_mb_s", sum(_mb_s(side) or 0.0 for _, side in sides))]
    values += _latencies([side for _, side in sides], total)
    return [
        Reading(name, metric, value, conditions)
        for metric, value in values
        if findings.check(metric, value, line=None, words=f"{name}: {metric} {value:g}")
    ]


def _queue_depth(jobs: Sequence[_Job]) -> int:
    """Return how many I/Os all jobs keep outstanding; one entry may stand for all clones of a job."""
    depth = 0
    for name in dict.fromkeys(job.name for job in jobs):
        clones = [job for job in jobs if job.name == name]
        options = clones[0].options
        waits = str(options.get("ioengine", "psync")) in WAITING_ENGINES
        depth += max(len(clones), _whole(options, "numjobs")) * (1 if waits else _whole(options, "iodepth"))
    return depth


def _moved(side: Any) -> bool:
    """Say whether a direction did anything; a value that cannot be counts, so that it is refused."""
    return isinstance(side, dict) and any(_words(side, key) not in ("0", "0.0", "") for key in ("io_bytes", "iops"))


def _access(options: Json, name: str, findings: Findings) -> str | None:
    pattern = _text(options.get("rw", options.get("readwrite", "read"))).partition(":")[0]
    if pattern in RANDOM:
        return "random"
    if pattern in SEQUENTIAL:
        return "sequential"
    findings.wrong("pattern_unknown", f"The job “{name}” runs rw={pattern}: only reads and writes are learnt from.")
    return None


def _operation(sides: Sequence[tuple[str, Json]], total: float, options: Json) -> dict[str, Any]:
    ways = {way for way, _ in sides}
    if "mixed" in ways:
        return {"operation": "mixed", "read_fraction": _whole(options, "rwmixread", otherwise=50) / 100}
    if len(ways) == 1:
        return {"operation": ways.pop()}
    reads = sum(_number(side, "iops") or 0.0 for way, side in sides if way == "read")
    return {"operation": "mixed", "read_fraction": round(reads / total, 6)}


def _latencies(sides: Sequence[Json], total: float) -> list[tuple[str, float]]:
    """Return the mean of completion latencies, and the 99th percentile where one job and direction was measured."""
    weighed = [(_number(side, "iops") or 0.0, *_latency_ms(side)) for side in sides]
    found = []
    if all(mean for _, mean, _ in weighed):
        found.append(("mean_ms", sum(rate * (mean or 0.0) for rate, mean, _ in weighed) / total))
    if len(weighed) == 1 and weighed[0][2]:
        found.append(("p99_ms", weighed[0][2]))
    return found


def _latency_ms(side: Json) -> tuple[float | None, float | None]:
    for key, per_ms in (("clat_ns", 1e6), ("clat", 1e3), ("lat_ns", 1e6), ("lat", 1e3)):
        latency = side.get(key)
        if isinstance(latency, dict) and (mean := _number(latency, "mean")):
            percentile = _number(_part(latency, "percentile"), "99.000000")
            return mean / per_ms, percentile / per_ms if percentile else None
    return None, None


def _mb_s(side: Json) -> float | None:
    exact = _number(side, "bw_bytes")
    if exact is not None:
        return exact / 1e6
    kib = _number(side, "bw")
    return None if kib is None else kib * KIB / 1e6


def _block_kib(options: Json, moved: Mapping[str, Json]) -> float:
    """Return the size of one I/O: as it was asked, or what moved over how often."""
    asked = SIZE.fullmatch(str(options.get("bs", options.get("blocksize", ""))).split(",")[0].strip())
    if asked:
        return int(asked[1]) * SIZE_KIB[asked[2].lower()]
    rate = sum(_number(side, "iops") or 0.0 for side in moved.values())
    bytes_s = sum(_mb_s(side) or 0.0 for side in moved.values()) * 1e6
    if "bs" not in options and "bsrange" not in options and "bssplit" not in options:
        return DEFAULT_BLOCK_KIB
    return max(0.5, round(bytes_s / rate / KIB, 1))


def _whole(options: Json, key: str, *, otherwise: int = 1) -> int:
    words = str(options.get(key, otherwise))
    return max(1, int(words)) if words.isascii() and words.isdecimal() and len(words) < 7 else otherwise


def _part(whole: Json, key: str) -> Json:
    part = whole.get(key)
    return part if isinstance(part, dict) else {}


def _number(part: Json, key: str) -> float | None:
    value = part.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) < sys.float_info.max else math.inf


def _words(part: Json, key: str) -> str:
    return _text(part.get(key, ""))


def _text(value: Any) -> str:
    """Return what the file says so that it can be shown and kept: the start of what is long, and marks for characters
    that are none."""
    letters = str(value)[:MOST_LETTERS]
    return "".join("\ufffd" if unicodedata.category(each) in UNFIT_FOR_TEXT else each for each in letters)
