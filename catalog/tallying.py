"""Counting what a loading does, and writing rows so that only differences are written."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import models

BATCH = 500
Progress = Callable[[str, int, int], None]
"""Told of a kind of rows how many of how many are written."""
M = TypeVar("M", bound=models.Model)
Key = TypeVar("Key", bound=Hashable)


def no_progress(kind: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass
class Tally:
    """How many rows of each kind a loading added, changed and closed, and how many links between rows it changed."""

    added: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    links: int = 0
    progress: Progress = no_progress

    @property
    def total(self) -> int:
        return self.added.total() + self.changed.total() + self.closed.total() + self.links


def create_rows(*, rows: Iterable[M], model: type[M], kind: str, progress: Progress) -> None:
    """Insert rows in batches, telling the progress."""
    made = list(rows)
    for start in range(0, len(made), BATCH):
        model._default_manager.bulk_create(made[start : start + BATCH])
        progress(kind, min(start + BATCH, len(made)), len(made))


def write_rows(
    *, model: type[M], kind: str, existing: Mapping[Key, M], wanted: Mapping[Key, dict[str, Any]], tally: Tally
) -> dict[Key, M]:
    """Make the rows that are missing and change those that differ; return every wanted row by its key."""
    made = {key: model(**values) for key, values in wanted.items() if key not in existing}
    create_rows(rows=made.values(), model=model, kind=kind, progress=tally.progress)
    tally.added[kind] += len(made)
    edited = []
    for key in (key for key in wanted if key in existing):
        row = existing[key]
        differing = {name: value for name, value in wanted[key].items() if getattr(row, name) != value}
        for name, value in differing.items():
            setattr(row, name, value)
        if differing:
            edited.append(row)
    if edited:
        model._default_manager.bulk_update(edited, list(next(iter(wanted.values()))), batch_size=BATCH)
    tally.changed[kind] += len(edited)
    return {key: made.get(key) or existing[key] for key in wanted}


def add_links(
    *, through: type[models.Model], columns: tuple[str, str], pairs: set[tuple[int, int]], tally: Tally
) -> None:
    """Make the links that are missing."""
    rows = through._default_manager.values_list(*columns)
    missing = pairs - {(first, second) for first, second in rows}
    _insert_links(through, columns, missing)
    tally.links += len(missing)


def set_links(
    *,
    through: type[models.Model],
    columns: tuple[str, str],
    pairs: set[tuple[int, int]],
    speaks_of: Callable[[int, int], bool],
    tally: Tally,
    **among: Any,
) -> None:
    """Make exactly these links among those that the catalogue speaks of; others stay."""
    rows = through._default_manager.filter(**among).values_list(*columns, "pk")
    existing = {(first, second): pk for first, second, pk in rows}
    surplus = [pk for pair, pk in existing.items() if pair not in pairs and speaks_of(*pair)]
    for start in range(0, len(surplus), BATCH):
        through._default_manager.filter(pk__in=surplus[start : start + BATCH]).delete()
    missing = pairs - existing.keys()
    _insert_links(through, columns, missing)
    tally.links += len(surplus) + len(missing)


def _insert_links(through: type[models.Model], columns: tuple[str, str], pairs: set[tuple[int, int]]) -> None:
    links = [through(**dict(zip(columns, pair, strict=True))) for pair in sorted(pairs)]
    through._default_manager.bulk_create(links, batch_size=BATCH)
