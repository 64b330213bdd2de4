"""The rows of one query as a list beside each row of another: what belongs together is read in one question."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import JSONField, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import JSONArray
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler

First = TypeVar("First")
Second = TypeVar("Second")


class JsonRows(Subquery):
    """A list with one list of values for each row of a queryset, in its order; empty where it has none.

    The queryset may speak of the row beside which it stands with OuterRef, as in any Subquery. Meant for names, keys,
    flags and whole numbers: amounts of money do not go through JSON. A flag comes as 0 or 1 from SQLite.
    """

    output_field = JSONField()
    empty_result_set_value = "[]"

    def __init__(self, rows: QuerySet[Any, Any], *columns: str | Combinable) -> None:
        super().__init__(rows.values(json_row=JSONArray(*columns)))

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        template = '(SELECT JSON_GROUP_ARRAY(JSON("json_row")) FROM (%(subquery)s))'
        return self.as_sql(compiler, connection, template=template)

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        template = """(SELECT COALESCE(JSONB_AGG("json_row"), '[]'::jsonb) FROM (%(subquery)s) "json_rows")"""
        return self.as_sql(compiler, connection, template=template)


def read_together(*questions: JsonRows) -> list[list[list[Any]]]:
    """Answer several questions that have nothing to do with each other in one round to the database.

    Put together here and not by a query of queries, in which Django would take each of them apart again.
    """
    compiler = Query(None).get_compiler(DEFAULT_DB_ALIAS)
    parts = [_compiled(question, compiler) for question in questions]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(sql for sql, _ in parts)}", [each for _, given in parts for each in given])
        answers = cursor.fetchone()
    return [json.loads(answer) for answer in answers]


def _compiled(question: JsonRows, compiler: SQLCompiler) -> tuple[str, Iterable[Any]]:
    try:
        return compiler.compile(question)
    except EmptyResultSet:
        return f"'{question.empty_result_set_value}'", ()


@dataclass(frozen=True)
class Reading(Generic[First]):
    """Questions, and what to make of the rows that answer them: of two readings both can be had in one round."""

    questions: tuple[JsonRows, ...]
    make: Callable[..., First]


def read(reading: Reading[First]) -> First:
    """Read in one query, or in none where nothing is asked."""
    return reading.make(*read_together(*reading.questions)) if reading.questions else reading.make()


def read_both(first: Reading[First], second: Reading[Second]) -> tuple[First, Second]:
    """Read two things in one query."""

    def both(*rows: list[list[Any]]) -> tuple[First, Second]:
        number = len(first.questions)
        return first.make(*rows[:number]), second.make(*rows[number:])

    return read(Reading((*first.questions, *second.questions), both))
