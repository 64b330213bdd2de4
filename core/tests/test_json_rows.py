"""Rows beside rows in one query, the same on every database. Audit entries and events stand in for any two tables."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.models import OuterRef

from core.json_rows import JsonRows, Reading, read, read_both, read_together
from core.models import AuditEntry, OutboxEvent

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)
AWKWARD = "“b” \"quoted\" 'word' ü"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def warm_connection() -> None:
    """SQLite is asked once for each connection whether it knows JSON."""
    assert connection.features.supports_json_field


def make_event(subject: str, *, delivered_at: datetime | None = None) -> OutboxEvent:
    return OutboxEvent.objects.create(
        account_id=1, kind="tests", subject=subject, created_at=NOON, delivered_at=delivered_at
    )


def make_entries(subject: str, actors: list[str]) -> None:
    for actor in actors:
        AuditEntry.objects.create(account_id=7, subject=subject, actor=actor, to_state="placed", at=NOON)


def test_each_row_has_the_rows_that_belong_to_it_in_their_order(django_assert_num_queries):
    make_event("order:1")
    make_event("order:2")
    make_entries("order:2", ["a", AWKWARD])
    entries = AuditEntry.objects.filter(subject=OuterRef("subject")).order_by("-pk")
    with django_assert_num_queries(1):
        events = OutboxEvent.objects.annotate(moves=JsonRows(entries, "actor", "account_id"))
        found = {event.subject: event.moves for event in events}

    assert found == {"order:1": [], "order:2": [[AWKWARD, 7], ["a", 7]]}


def test_rows_may_stand_within_rows_and_hold_nulls():
    make_event("order:1", delivered_at=None)
    make_entries("order:1", ["a", "b"])
    same = AuditEntry.objects.filter(subject=OuterRef("subject")).order_by("pk")
    events = OutboxEvent.objects.filter(account_id=1, subject=OuterRef("subject")).order_by()

    rows = AuditEntry.objects.filter(actor="a").values_list(
        "actor", JsonRows(events, "kind", "delivered_at", JsonRows(same, "actor"))
    )

    assert list(rows) == [("a", [["tests", None, [["a"], ["b"]]]])]


def test_questions_that_have_nothing_in_common_are_answered_together(django_assert_num_queries):
    make_event("order:1")
    make_entries("order:2", ["a", "b"])

    with django_assert_num_queries(1):
        nothing, actors, subjects = read_together(
            JsonRows(OutboxEvent.objects.filter(pk__in=[]), "pk"),
            JsonRows(AuditEntry.objects.order_by("-pk"), "actor"),
            JsonRows(OutboxEvent.objects.order_by("pk"), "subject", "account_id"),
        )

    assert (nothing, actors, subjects) == ([], [["b"], ["a"]], [["order:1", 1]])


def test_two_readings_cost_one_query_and_nothing_asked_costs_none(django_assert_num_queries):
    make_event("order:1")
    make_entries("order:2", ["a", "b"])
    actors = Reading((JsonRows(AuditEntry.objects.order_by("pk"), "actor"),), lambda rows: [name for (name,) in rows])
    counts = Reading((JsonRows(OutboxEvent.objects.all(), "pk"), JsonRows(AuditEntry.objects.all(), "pk")), both_counts)
    nothing = Reading((), lambda: "nothing")

    with django_assert_num_queries(1):
        assert read_both(actors, counts) == (["a", "b"], (1, 2))
    with django_assert_num_queries(1):
        assert read_both(nothing, actors) == ("nothing", ["a", "b"])
    with django_assert_num_queries(0):
        assert read(nothing) == "nothing"


def both_counts(events: list[list[int]], entries: list[list[int]]) -> tuple[int, int]:
    return len(events), len(entries)
