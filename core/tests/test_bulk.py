from datetime import UTC, datetime

import pytest
from django.db import connection

from core.bulk import insert_alike, statistics_refresh
from core.models import AuditEntry, OutboxEvent

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def test_the_rows_are_those_that_bulk_create_would_write():
    facts = {"account_id": 7, "actor": "ana", "to_state": "placed", "at": NOON, "why": 'It\'s "100 %" right.'}
    AuditEntry.objects.bulk_create(AuditEntry(subject=f"order:{n}", from_state="", **facts) for n in range(3))
    wanted = list(
        AuditEntry.objects.values_list("account_id", "subject", "actor", "from_state", "to_state", "why", "at")
    )
    AuditEntry.objects.all().delete()

    count = insert_alike(
        alike=AuditEntry(from_state="", **facts), varying=("subject",), rows=((f"order:{n}",) for n in range(3))
    )

    assert count == 3
    found = AuditEntry.objects.values_list("account_id", "subject", "actor", "from_state", "to_state", "why", "at")
    assert list(found) == wanted


def test_json_and_missing_times_are_written_as_the_model_means_them():
    event = OutboxEvent(account_id=7, kind="order.active", payload={"number": 1}, created_at=NOON)

    insert_alike(alike=event, varying=("subject",), rows=[("order:1",)])

    found = OutboxEvent.objects.get()
    assert (found.subject, found.payload, found.created_at, found.delivered_at) == (
        "order:1",
        {"number": 1},
        NOON,
        None,
    )


def test_no_rows_are_no_rows():
    assert insert_alike(alike=AuditEntry(), varying=("subject",), rows=[]) == 0
    assert not AuditEntry.objects.exists()


def test_more_rows_than_go_at_once_are_all_written(monkeypatch):
    monkeypatch.setattr("core.bulk.ROWS_AT_ONCE", 4)
    entry = AuditEntry(account_id=7, actor="ana", to_state="placed", at=NOON)

    assert insert_alike(alike=entry, varying=("subject",), rows=[(str(n),) for n in range(9)]) == 9
    assert sorted(AuditEntry.objects.values_list("subject", flat=True)) == [str(n) for n in range(9)]


def test_a_row_of_another_length_is_a_mistake():
    with pytest.raises(ValueError, match="zip"):
        insert_alike(alike=AuditEntry(), varying=("subject",), rows=[("a", "b")])


@pytest.mark.postgres
def test_postgresql_knows_of_new_rows_once_its_statistics_are_refreshed():
    facts = {"account_id": 7, "actor": "ana", "to_state": "placed", "at": NOON, "why": "It is right."}
    insert_alike(
        alike=AuditEntry(from_state="", **facts), varying=("subject",), rows=((f"order:{n}",) for n in range(2_500))
    )

    statistics_refresh("core")

    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [AuditEntry._meta.db_table])
        assert cursor.fetchone() == (2_500,)
