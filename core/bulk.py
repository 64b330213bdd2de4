"""Very many rows at once: an order may hold hundreds of thousands of machines, a catalogue as many prices."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

ROWS_AT_ONCE = 10_000


def insert_alike(*, alike: Model, varying: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert a row like `alike`, which is itself not saved, for each of `rows`; return how many that were.

    Each of `rows` holds the values of the `varying` columns. The values of all others are prepared once, which makes
    this more than ten times as fast as `bulk_create`. Nothing of a model's own saving runs.
    """
    fields = {field.attname: field for field in alike._meta.concrete_fields if not field.primary_key}
    moving = [fields[name] for name in varying]
    fixed = [field for name, field in fields.items() if name not in varying]
    shared = [field.get_db_prep_save(getattr(alike, field.attname), connection) for field in fixed]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in [*fixed, *moving])
    table = connection.ops.quote_name(alike._meta.db_table)
    marks = ", ".join(["%s"] * len(fields))
    prepared = (
        (*shared, *(field.get_db_prep_save(value, connection) for field, value in zip(moving, row, strict=True)))
        for row in rows
    )
    inserted = 0
    with connection.cursor() as cursor:
        while batch := list(islice(prepared, ROWS_AT_ONCE)):
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", batch)
            inserted += len(batch)
    return inserted


def statistics_refresh(*rooms: str) -> None:
    """Have PostgreSQL count the tables of these rooms, after many rows came or went in one go.

    Until its own housekeeping comes by it plans queries for tables as small as they were, which made single ones take
    minutes. Other databases plan without counting.
    """
    if connection.vendor != "postgresql":
        return
    models = [model for room in rooms for model in apps.get_app_config(room).get_models(include_auto_created=True)]
    tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {tables}")
