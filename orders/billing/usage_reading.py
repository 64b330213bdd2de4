"""Readings of use as people and programs send them: a table with a row for each, or plain words."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from io import StringIO
from uuid import UUID

from core.errors import InputRefused, Violation
from orders.billing.months import Month
from orders.billing.usage import Reading

COLUMNS = ("resource", "month", "item", "quantity")
LONGEST_QUANTITY = 30


def readings_in_csv(text: str) -> list[Reading]:
    """Read a table with the columns resource, month, item and quantity; raises InputRefused with every problem."""
    rows = csv.DictReader(StringIO(text.removeprefix("\ufeff")), restval="")
    try:
        names, found = rows.fieldnames or (), list(rows)
    except csv.Error as error:
        raise InputRefused((Violation("not_csv", "", f"This is no table of rows: {error}. Send CSV."),)) from None
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        words = f"The first row names no column {', '.join(missing)}. It is: {','.join(COLUMNS)}."
        raise InputRefused((Violation("column_missing", "row 1", words),))
    return readings_of((f"row {number}", row) for number, row in enumerate(found, start=2))


def readings_of(rows: Iterable[tuple[str, Mapping[str, str]]]) -> list[Reading]:
    """Read rows of words, each with its field; raises InputRefused with every problem, and for no rows at all."""
    problems: list[Violation] = []
    readings = [reading for field, row in rows for reading in _reading(field, row, problems)]
    if not readings and not problems:
        problems.append(Violation("no_readings", "", "There is no reading in it. Send at least one."))
    if problems:
        raise InputRefused(tuple(problems))
    return readings


def _reading(field: str, row: Mapping[str, str], problems: list[Violation]) -> Iterator[Reading]:
    words = {name: row[name].strip() for name in COLUMNS}
    resource, month, quantity = _uuid(words["resource"]), _month(words["month"]), _quantity(words["quantity"])
    if resource is None:
        told = f"“{words['resource']}” is no UUID of a machine or volume. Copy it from its order."
        problems.append(Violation("resource_not_uuid", f"{field}.resource", told))
    if month is None:
        told = f"“{words['month']}” is no month. Write it as 2026-02."
        problems.append(Violation("month_not_readable", f"{field}.month", told))
    if quantity is None:
        told = f"“{words['quantity']}” is no number. Write it as 1234.5."
        problems.append(Violation("quantity_not_number", f"{field}.quantity", told))
    if resource is not None and month is not None and quantity is not None:
        yield Reading(field, resource, month, words["item"], quantity)


def _uuid(word: str) -> UUID | None:
    try:
        return UUID(word)
    except ValueError:
        return None


def _month(word: str) -> Month | None:
    try:
        return Month.parse(word)
    except ValueError:
        return None


def _quantity(word: str) -> Decimal | None:
    try:
        return Decimal(word) if len(word) <= LONGEST_QUANTITY else None
    except InvalidOperation:
        return None
