"""Tables of processor scores, one suite and version each: those that come along, and those that somebody brings.

A score means something beside others of the same suite and version alone, so that a table never mixes two.
"""

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from simulation.scores import PROCESSORS, SUITE_COLUMNS, processor_named_in

SUITE = "CPU Mark"
"""The suite of the tables that come along: simulation/data/cpu_scores.csv."""
COLUMNS = ("suite", "version", "cpu", "score")
LONGEST_NAME = 80
LARGEST_SCORE = 1e9
MOST_ROWS = 20_000
MOST_PROBLEMS = 20
"""Mistakes of a file that are told at once."""
SEPARATORS = ",;\t"
REMARK = "#"
NUL = "\x00"
NUMBER = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?|\d+(\.\d+)?")
SEVERAL = re.compile(r"\b(dual|quad|two|four|\d+\s*[x×])\b", re.I)


@dataclass(frozen=True)
class ScoreTable:
    """What single processors scored in one version of one suite, with where that is from."""

    suite: str
    version: str
    scores: Mapping[str, float]
    source: str

    @property
    def name(self) -> str:
        return f"{self.suite}, {self.version}"


class TableRefused(ValueError):
    """A table that cannot be taken; `args` say everything that is wrong, each with its line and the way out."""


def shipped_table(version: str) -> ScoreTable:
    """Return the table of a version that comes along; raises KeyError for another."""
    if version not in SUITE_COLUMNS:
        raise KeyError(version)
    found = {name: each for name, each in PROCESSORS.items() if version in each.scores}
    sources = dict.fromkeys(each.source for each in found.values())
    scores = {name: float(each.scores[version]) for name, each in found.items()}
    return ScoreTable(SUITE, version, scores, "; ".join(sources))


def processor_in(description: str, table: ScoreTable) -> str | None:
    """Return the processor of the table that a description names; None where the table has no such one.

    Another version of a processor is another processor: "E5-2620 v3" has no score where only "E5-2620" has one.
    """
    named = processor_named_in(description)
    if named is not None:
        return named if named in table.scores else None
    words = f" {_plain(description)} "
    found = [name for name in table.scores if f" {_plain(name)} " in words]
    return max(found, key=len, default=None)


def read_table(text: str, *, source: str) -> ScoreTable:
    """Read a CSV of suite, version, cpu and score; every row is of one suite and version, and of one processor.

    A first line that begins with "#" says where the scores are from; without it that is `source`. Raises TableRefused
    with all that is wrong.
    """
    rows = _rows(text)
    if rows[0][1][0].startswith(REMARK):
        source = ", ".join(rows.pop(0)[1]).lstrip(f"{REMARK} ") or source
    if not rows:
        raise TableRefused(f"There is nothing below the remark. Write the line: {','.join(COLUMNS)}.")
    header, begin = tuple(cell.casefold() for cell in rows[0][1]), rows[0][0]
    if sorted(header) != sorted(COLUMNS):
        raise TableRefused(f"Line {begin}: the columns must be {', '.join(COLUMNS)}.")
    if len(rows) == 1:
        raise TableRefused("There is no score below the header. Write one processor on each line.")
    problems: list[str] = []
    scores: dict[str, float] = {}
    lines: dict[str, int] = {}
    first: dict[str, str] | None = None
    for line, cells in rows[1:]:
        if len(cells) != len(COLUMNS):
            problems.append(f"Line {line}: {len(cells)} cells, and {len(COLUMNS)} are needed: {', '.join(header)}.")
            continue
        row = dict(zip(header, cells, strict=True))
        first = first or row
        name = _named(row["cpu"])
        problems += [f"Line {line}: {words}" for words in _row_problems(row, first)]
        if name in lines:
            problems.append(f"Line {line}: {name} has a score in line {lines[name]} already. Leave one of them out.")
        lines.setdefault(name, line)
        scores[name] = _score(row["score"]) or 0.0
    if problems or first is None:
        raise TableRefused(*_cut(problems))
    return ScoreTable(first["suite"], first["version"], scores, source)


def table_text(table: ScoreTable) -> str:
    """Write a table as the CSV that `read_table` reads back the same."""
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([f"{REMARK} {table.source}"])
    writer.writerow(COLUMNS)
    writer.writerows((table.suite, table.version, name, f"{score:.15g}") for name, score in table.scores.items())
    return written.getvalue()


def _rows(text: str) -> list[tuple[int, Sequence[str]]]:
    if NUL in text:
        raise TableRefused("There is a NUL character in it, which no text has. Send the table as plain text.")
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    named = next((line for line in plain.split("\n") if "suite" in line.casefold() and REMARK not in line), "")
    separator = max(SEPARATORS, key=named.count)
    reader = csv.reader(StringIO(plain), delimiter=separator, strict=True)
    rows: list[tuple[int, Sequence[str]]] = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((reader.line_num, [cell.strip() for cell in cells]))
    except csv.Error as error:
        raise TableRefused(f"Line {reader.line_num} cannot be read: {error}. Is the file whole?") from None
    if not rows:
        raise TableRefused(f"There is nothing in it. Begin with the line: {','.join(COLUMNS)}.")
    if len(rows) > MOST_ROWS:
        raise TableRefused(f"It has more than {MOST_ROWS:,} lines. Leave out processors that nobody sells.")
    return rows


def _row_problems(row: Mapping[str, str], first: Mapping[str, str]) -> Iterator[str]:
    for column in ("suite", "version"):
        value, expected = row[column], first[column]
        if not value:
            yield f"the {column} is missing: scores of another one cannot be compared. Write it on every line."
        elif value != expected and expected:
            yield f"the {column} is “{value[:LONGEST_NAME]}”, above it is “{expected[:LONGEST_NAME]}”. {ONE_ONLY}"
        elif len(value) > LONGEST_NAME:
            yield f"the {column} is too long. Write at most {LONGEST_NAME} characters."
    if not row["cpu"]:
        yield "the cpu is missing."
    elif len(row["cpu"]) > LONGEST_NAME:
        yield f"the cpu is too long. Write at most {LONGEST_NAME} characters."
    elif SEVERAL.search(row["cpu"]):
        yield f"“{row['cpu']}” is several processors. Write what one of them scores alone, or leave it out."
    if _score(row["score"]) is None:
        yield f"the score “{row['score'][:20]}” is no number above zero. Write it like 7295."


ONE_ONLY = "A table holds one suite and version; import the other one by itself."


def _score(text: str) -> float | None:
    if not NUMBER.fullmatch(text):
        return None
    score = float(text.replace(",", ""))
    return score if 0 < score <= LARGEST_SCORE and math.isfinite(score) else None


def _named(cpu: str) -> str:
    return processor_named_in(cpu) or " ".join(cpu.split())


def _plain(words: str) -> str:
    return " ".join(re.findall(r"[a-z0-9][a-z0-9.-]*", words.casefold()))


def _cut(problems: Sequence[str]) -> Sequence[str]:
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], f"And {more:,} more."] if more > 0 else problems
