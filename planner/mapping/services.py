"""What people do with tables of scores: import one, remove one."""

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Partner, User
from core.errors import InputRefused, RuleBroken, Violation
from planner.advice.asking import LONGEST_LIST
from planner.mapping.models import ImportedScore, ImportedScoreTable
from simulation.score_tables import TableRefused, read_table, table_text

LONGEST_SOURCE = 200


def score_table_import(
    *, partner: Partner | None, user: User, text: str, source: str, now: datetime
) -> ImportedScoreTable:
    """Keep a table for the partner's accounts, or for everybody's without one.

    Raises InputRefused with all that is wrong with it, and RuleBroken for a suite and version that is there already.
    """
    source = " ".join(source.split())
    problems = []
    if not source:
        problems.append(Violation("source_missing", "source", "Say where the scores are from."))
    if len(source) > LONGEST_SOURCE:
        problems.append(Violation("too_long", "source", f"Write at most {LONGEST_SOURCE} characters."))
    try:
        table = read_table(text, source=source)
    except TableRefused as refusal:
        problems += [Violation("table_refused", "file", words) for words in refusal.args]
        raise InputRefused(tuple(problems)) from None
    if len(table_text(table)) > LONGEST_LIST:
        words = f"The table is too long: its rows may have {LONGEST_LIST:,} characters. Leave out what nobody sells."
        problems.append(Violation("too_long", "file", words))
    if problems:
        raise InputRefused(tuple(problems))
    try:
        with transaction.atomic():
            kept = ImportedScoreTable.objects.create(
                partner=partner,
                suite=table.suite,
                version=table.version,
                source=source,
                imported_by=user,
                imported_at=now,
            )
            rows = [ImportedScore(table=kept, processor=name, score=score) for name, score in table.scores.items()]
            ImportedScore.objects.bulk_create(rows)
    except IntegrityError:
        words = f"There is a table of {table.name} already. Remove it first, then import this one."
        raise RuleBroken("table_exists", words, field="file") from None
    return kept


def score_table_remove(*, partner: Partner | None, table_id: int) -> str:
    """Remove a table of the partner, or everybody's without one; questions asked with it keep its scores.

    Returns its name. Raises ImportedScoreTable.DoesNotExist for another's.
    """
    table = ImportedScoreTable.objects.get(pk=table_id, partner=partner)
    name = str(table)
    table.delete()
    return name
