"""Numbers as any locale writes them: 1,234.5 and 1.234,5 and 1 234,5. One file uses one decimal sign."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from planner.measurements.reading.readings import refused

SPACES = " \u00a0\u202f'"


class DecimalSign(StrEnum):
    POINT = "point"
    COMMA = "comma"


@dataclass(frozen=True)
class Cell:
    """A number as a file writes it, and where."""

    line: int
    text: str


def _pattern(*, decimal: str, thousands: str) -> re.Pattern[str]:
    groups = rf"\d{{1,3}}(?:(?P<separator>[{thousands}{SPACES}])\d{{3}}(?:(?P=separator)\d{{3}})*)?|\d+"
    return re.compile(rf"(?P<sign>[-+−]?)(?P<whole>{groups}|)(?:{decimal}(?P<part>\d+))?(?P<power>[eE][+-]?\d+)?")


PATTERNS = {
    DecimalSign.POINT: _pattern(decimal=r"\.", thousands=","),
    DecimalSign.COMMA: _pattern(decimal=",", thousands="."),
}


def number_of(text: str, sign: DecimalSign) -> float | None:
    """Return a number as it reads with that decimal sign; None where it does not read as one."""
    match = PATTERNS[sign].fullmatch(text.strip())
    if match is None or not (match["whole"] or match["part"]):
        return None
    whole = re.sub(r"\D", "", match["whole"]) or "0"
    minus = "-" if match["sign"] in ("-", "−") else ""
    return float(f"{minus}{whole}.{match['part'] or '0'}{match['power'] or ''}")


def sign_of(cells: Sequence[Cell], *, chosen: DecimalSign | None = None, is_by_program: bool = False) -> DecimalSign:
    """Return the decimal sign under which all numbers of a file read.

    `chosen` is what somebody said it is. `is_by_program`: a program wrote the file with commas between its columns, so
    that a lone point is a decimal one. Raises InputRefused where some numbers read with a point alone and others with a
    comma alone, and where a number reads both ways, with both readings.
    """
    if chosen is not None:
        return chosen
    readable = [
        (cell, number_of(cell.text, DecimalSign.POINT), number_of(cell.text, DecimalSign.COMMA)) for cell in cells
    ]
    points_only = [cell for cell, point, comma in readable if point is not None and comma is None]
    commas_only = [cell for cell, point, comma in readable if point is None and comma is not None]
    if points_only and commas_only:
        with_point, with_comma = points_only[0], commas_only[0]
        raise refused(
            "decimal_sign_mixed",
            f"“{with_comma.text}” has a decimal comma, “{with_point.text}” in line {with_point.line} a decimal point. "
            "Write all numbers of the file alike.",
            line=with_comma.line,
        )
    if commas_only:
        return DecimalSign.COMMA
    differing = [(cell, point, comma) for cell, point, comma in readable if point != comma]
    unclear = [each for each in differing if not is_by_program or "," in each[0].text]
    if points_only or not unclear:
        return DecimalSign.POINT
    cell, point_value, comma_value = unclear[0]
    raise refused(
        "number_ambiguous",
        f"“{cell.text}” reads as {point_value:.15g} with a decimal point and as {comma_value:.15g} with a comma, "
        "and no other number of the file tells which. Choose the decimal sign.",
        line=cell.line,
    )
