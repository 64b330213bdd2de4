"""Imported tables of scores: who may choose which, and how one goes into a question."""

import re
from collections.abc import Mapping

from django.db.models import Q, QuerySet

from planner.mapping.models import ImportedScoreTable
from simulation.score_tables import ScoreTable, table_text

IMPORTED = "imported-"
NAME = re.compile(rf"{IMPORTED}(?P<number>[1-9]\d{{0,17}})")


def tables_for(*, partner_id: int | None) -> QuerySet[ImportedScoreTable]:
    """Return the tables that a partner's accounts may use: its own and everybody's. No partner: everybody's alone."""
    return ImportedScoreTable.objects.filter(Q(partner_id=partner_id) | Q(partner__isnull=True))


def table_choices(partner_id: int) -> list[tuple[str, str]]:
    """Return the tables that a partner's accounts may choose: names with words."""
    return [(f"{IMPORTED}{table.pk}", str(table)) for table in tables_for(partner_id=partner_id)]


def with_scores(words: Mapping[str, str], partner_id: int) -> Mapping[str, str]:
    """Write the scores of an imported table into the question that names it, so that the question keeps them for good.

    A table that the partner's accounts may not use, or that is gone, adds nothing; own scores stay as they are.
    """
    named = NAME.fullmatch(words.get("table", "").strip())
    if not named or words.get("scores", "").strip():
        return words
    table = tables_for(partner_id=partner_id).filter(pk=int(named["number"])).first()
    return {**words, "scores": table_text(scores_of(table))} if table else words


def scores_of(table: ImportedScoreTable) -> ScoreTable:
    """Return an imported table as plain values."""
    scores = dict(table.scores.values_list("processor", "score"))
    return ScoreTable(table.suite, table.version, scores, table.source)
