"""Reading the fields of one row of catalogue data, with every problem noted and none raised."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

FEE_PLACES = 6
FEE_LIMIT = Decimal(10**9)
WHOLE_LIMIT = 2**31 - 1
FILE_CODES = frozenset(
    {
        *("no_file", "unreadable", "not_utf8", "not_gzip", "not_json", "not_csv", "too_large", "shape_unknown"),
        *("column_missing", "column_unknown"),
    }
)


@dataclass(frozen=True)
class RowNote:
    """One thing in a file that is refused or doubtful: where it stands, which rule it breaks, the way out in words."""

    path: str
    line: int | None
    field: str
    code: str
    words: str

    @property
    def is_about_a_file(self) -> bool:
        """Whether a whole file cannot be read, so that leaving out a row does not help."""
        return self.code in FILE_CODES

    def as_dict(self) -> dict[str, str | int | None]:
        return asdict(self)

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.field}: {self.words}" if self.field else f"{place}: {self.words}"


@dataclass(frozen=True)
class Cells:
    """The fields of one row. Each method reads one field; what it cannot read it notes in `refused`.

    `field_names` says how the file itself calls a field where that differs from our word for it.
    """

    path: str
    line: int | None
    values: Mapping[str, Any]
    refused: list[RowNote]
    prefix: str = ""
    field_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where in its file the row stands, such as "line 7" or "[0].items[3]"."""
        return f"line {self.line}" if self.line is not None else self.prefix.removesuffix(".")

    def note(self, field: str, code: str, words: str) -> RowNote:
        return RowNote(self.path, self.line, f"{self.prefix}{self.field_names.get(field, field)}", code, words)

    def refuse(self, field: str, code: str, words: str) -> None:
        self.refused.append(self.note(field, code, words))

    def text(self, field: str, *, longest: int = 300) -> str:
        """Return the field's words without blanks around them; "" where it is empty or refused."""
        value = self.values.get(field)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.refuse(field, "not_text", f"{value!r} is not text. Put it in quotation marks.")
            return ""
        value = value.strip()
        if any(not letter.isprintable() for letter in value):
            self.refuse(field, "control_character", "Contains a control character or a line break. Remove it.")
            return ""
        if len(value) > longest:
            self.refuse(field, "too_long", f"Has {len(value)} characters. Shorten it to {longest}.")
            return ""
        return value

    def required(self, field: str, *, longest: int = 300) -> str:
        before = len(self.refused)
        value = self.text(field, longest=longest)
        if not value and len(self.refused) == before:
            self.refuse(field, "missing", "Is empty. Fill it in.")
        return value

    def choice(self, field: str, options: Iterable[str]) -> str:
        value = self.required(field)
        known = sorted(options)
        if value and value not in known:
            self.refuse(
                field, "unknown_word", f"“{value}” is unknown here. Write one of: {', '.join(known) or 'none'}."
            )
            return ""
        return value

    def list_of(self, field: str) -> tuple[str, ...]:
        """Return the names in a field, which blanks separate (in JSON: a list of text)."""
        value = self.values.get(field)
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return tuple(value)
        return tuple(self.text(field, longest=1000).split())

    def decimal(self, field: str, *, places: int = FEE_PLACES, limit: Decimal = FEE_LIMIT) -> Decimal | None:
        """Return a number of zero or more as an exact decimal; None where the field is empty or refused."""
        value = self.text(field)
        if not value:
            return None
        try:
            number = Decimal(value)
        except InvalidOperation:
            self.refuse(field, "not_a_number", f"“{value}” is not a number. Write it like 137.75, or leave it empty.")
            return None
        words = _number_refusal(number, places=places, limit=limit)
        if words:
            self.refuse(field, "out_of_range", f"“{value}” {words}")
            return None
        return number

    def whole(self, field: str, *, smallest: int = 0, largest: int = WHOLE_LIMIT) -> int | None:
        value = self.values.get(field)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        elif value is not None:
            value = self.text(field)
        if not value:
            return None
        if not (value.isascii() and value.isdigit() and len(value) <= 10 and smallest <= int(value) <= largest):
            self.refuse(field, "not_whole", f"“{value}” is not a whole number from {smallest} to {largest}.")
            return None
        return int(value)

    def flag(self, field: str) -> bool:
        value = self.values.get(field, False)
        if not isinstance(value, bool):
            self.refuse(field, "not_a_flag", f"{value!r} is neither true nor false. Write one of the two.")
            return False
        return value

    def moment(self, field: str) -> datetime | None:
        """Return a date or a time; without a zone it is UTC."""
        value = self.text(field)
        if not value:
            return None
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.refuse(field, "not_a_date", f"“{value}” is not a date. Write it like 2012-03-06.")
            return None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _number_refusal(number: Decimal, *, places: int, limit: Decimal) -> str:
    if not number.is_finite():
        return "is not a number that can be charged. Write a finite one, or leave it empty."
    if number < 0:
        return "is below zero. Write zero or more."
    if number >= limit:
        return f"is too large. Write less than {limit:,}."
    if number != round(number, places):
        return f"has more than {places} places after the point. Round it."
    return ""
