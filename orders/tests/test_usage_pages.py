"""The operator sends tables of use up, and reads what is recorded."""

from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.tests.factories import client_of, make_operator
from core.errors import InputRefused
from orders.billing.usage_reading import readings_in_csv
from orders.models import UsageRecord

HEADER = "resource,month,item,quantity"


@pytest.fixture
def operator(db):
    return client_of(make_operator())


def send(client, *rows, encoding="utf-8"):
    file = SimpleUploadedFile("use.csv", "\n".join([HEADER, *rows]).encode(encoding))
    return client.post(reverse("usage"), {"table": file}, follow=True)


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_a_table_is_recorded_and_shown_and_again_changes_nothing(operator, servers):
    row = f"{servers[0].uuid},2026-06,traffic,350.5"

    first, again = send(operator, row), send(operator, row)

    assert "1 recorded, 0 corrected, 0 as they were." in text_of(first)
    assert "0 recorded, 0 corrected, 1 as they were." in text_of(again)
    assert "350.5" in text_of(again)
    assert list(UsageRecord.objects.values_list("quantity", flat=True)) == [Decimal("350.5")]


def test_every_row_that_is_wrong_is_named_and_nothing_is_recorded(operator, servers):
    good = f"{servers[0].uuid},2026-06,traffic,350.5"

    answer = send(operator, good, "server-7,2026-13,traffic,many")

    words = text_of(answer)
    assert answer.status_code == 422
    assert "Nothing was recorded." in words
    for field in ("row 3.resource", "row 3.month", "row 3.quantity"):
        assert f"{field}: " in words
    assert not UsageRecord.objects.exists()


def test_what_is_no_text_is_refused(operator):
    answer = send(operator, "größer", encoding="latin-1")

    assert answer.status_code == 422
    assert "Save it as CSV in UTF-8." in text_of(answer)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["column_missing"]),
        ("resource,month\n", ["column_missing"]),
        (f"{HEADER}\n", ["no_readings"]),
        (f"{'x' * 131_073},month\n", ["not_csv"]),
        (f"{HEADER}\n{'x' * 131_073}\n", ["not_csv"]),
        (f"{HEADER}\na,b,c,{'9' * 40}\n", ["resource_not_uuid", "month_not_readable", "quantity_not_number"]),
        (f"{HEADER}\nshort\n", ["resource_not_uuid", "month_not_readable", "quantity_not_number"]),
    ],
)
def test_a_table_that_cannot_be_read_says_why(text, codes):
    with pytest.raises(InputRefused) as refused:
        readings_in_csv(text)

    assert [violation.code for violation in refused.value.violations] == codes


def test_only_the_operator_sees_the_page(servers, ana):
    assert client_of(ana).get(reverse("usage")).status_code == 403
