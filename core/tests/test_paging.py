from datetime import UTC, datetime

import pytest

from core.models import AuditEntry
from core.paging import counted_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def seven() -> None:
    at = datetime(2026, 5, 3, tzinfo=UTC)
    AuditEntry.objects.bulk_create(
        AuditEntry(account_id=1, subject=f"order:{number}", actor="ana", to_state="placed", at=at)
        for number in range(1, 8)
    )


@pytest.mark.parametrize(
    ("number", "shown", "subjects"),
    [
        ("1", 1, ["order:1", "order:2", "order:3"]),
        ("3", 3, ["order:7"]),
        ("", 1, ["order:1", "order:2", "order:3"]),
        ("0", 1, ["order:1", "order:2", "order:3"]),
        ("1000001", 1, ["order:1", "order:2", "order:3"]),
        ("0000000019999999999999999999", 1, ["order:1", "order:2", "order:3"]),
        ("000000001" + "1" * 5000, 1, ["order:1", "order:2", "order:3"]),
        ("99999999999999999999", 1, ["order:1", "order:2", "order:3"]),
        ("²", 1, ["order:1", "order:2", "order:3"]),
    ],
)
def test_a_page_and_the_count_of_all_rows_cost_one_query(seven, django_assert_num_queries, number, shown, subjects):
    with django_assert_num_queries(1):
        page = counted_page(AuditEntry.objects.all(), number=number, size=3)
        found = [entry.subject for entry in page]

    assert (page.number, found) == (shown, subjects)
    assert (page.paginator.count, page.paginator.num_pages) == (7, 3)


@pytest.mark.parametrize("number", ["4", "1000000"])
def test_a_page_beyond_the_last_one_is_the_last_one(seven, number):
    page = counted_page(AuditEntry.objects.all(), number=number, size=3)

    assert (page.number, [entry.subject for entry in page]) == (3, ["order:7"])


def test_nothing_is_one_empty_page():
    page = counted_page(AuditEntry.objects.all(), number="1", size=3)

    assert (list(page), page.number, page.paginator.num_pages) == ([], 1, 1)
