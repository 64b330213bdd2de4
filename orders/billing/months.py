"""Calendar months in UTC, by which everything is billed."""

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

WRITTEN = re.compile(r"(\d{4})-(\d{2})")


@dataclass(frozen=True, order=True)
class Month:
    """One calendar month in UTC."""

    year: int
    number: int

    @classmethod
    def of(cls, at: date) -> "Month":
        """Return the month of a day or, in UTC, of a moment."""
        day = at.astimezone(UTC) if isinstance(at, datetime) else at
        return cls(day.year, day.month)

    @classmethod
    def parse(cls, text: str) -> "Month":
        """Read "2026-02"; raises ValueError for anything else."""
        found = WRITTEN.fullmatch(text.strip())
        if not found or not 1 <= int(found[2]) <= 12 or int(found[1]) == 0:
            raise ValueError(f"“{text}” is no month. Write it as 2026-02.")
        return cls(int(found[1]), int(found[2]))

    @property
    def days(self) -> int:
        return calendar.monthrange(self.year, self.number)[1]

    @property
    def first(self) -> date:
        return date(self.year, self.number, 1)

    @property
    def begin(self) -> datetime:
        return datetime(self.year, self.number, 1, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return self.next.begin

    @property
    def next(self) -> "Month":
        return Month.of(self.first + timedelta(days=self.days))

    @property
    def previous(self) -> "Month":
        return Month.of(self.first - timedelta(days=1))

    def __str__(self) -> str:
        return f"{self.year:04}-{self.number:02}"

    @property
    def words(self) -> str:
        return f"{self.first:%B %Y}"


def months_from(first: Month, last: Month) -> list[Month]:
    """Return the months from the first to the last, both included; none where the last comes before the first."""
    months = []
    while first <= last:
        months.append(first)
        first = first.next
    return months


def months_later(day: date, months: int) -> date:
    """Return the same day so many months later, or the last day of a month that has no such day."""
    index = day.year * 12 + day.month - 1 + months
    month = Month(index // 12, index % 12 + 1)
    return month.first.replace(day=min(day.day, month.days))
