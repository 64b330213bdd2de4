"""Pages of invoices and spend, as their readers see them."""

import csv
import io

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.tests.factories import client_of, make_member
from orders.billing.invoicing import account_bill
from orders.billing.months import Month
from orders.models import BillingOrder, Budget, Invoice
from orders.tests.fulfilment_steps import activate, place


@pytest.fixture
def olga(account):
    return make_member(account, email="olga@north.example", role="owner")


@pytest.fixture
def invoice(draft, account, ana):
    """The invoice of last month's ten dollars once and hours, issued this month."""
    now = timezone.now()
    activate(place(draft, ana, now=now), at=Month.of(now).previous.begin)
    (invoice,) = account_bill(account_id=account.pk, month=Month.of(now), now=now)
    return invoice


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_an_invoice_shows_its_lines_and_total(invoice, ana):
    words = text_of(client_of(ana).get(reverse("invoice-detail", args=[invoice.pk])))
    listed = text_of(client_of(ana).get(reverse("invoice-list")))

    hours = 24 * Month.of(invoice.issued_at).previous.days
    assert f"${2 * 0.32 * hours + 10 * 0.08 * hours + 10:,.2f} for" in words
    assert "The m1.small, storage nodes, N. Virginia" in words
    assert "1 invoice of Aurora Studios" in listed


def test_an_invoice_as_csv_holds_every_line(invoice, ana):
    answer = client_of(ana).get(reverse("invoice-csv", args=[invoice.pk]))

    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["amount"] for row in rows] == [f"{line.amount}" for line in invoice.lines.all()]
    assert {row["currency"] for row in rows} == {"USD"}


def test_words_that_a_spreadsheet_would_take_for_a_formula_are_marked_as_words(invoice, ana):
    invoice.lines.update(description="=HYPERLINK(1)")

    answer = client_of(ana).get(reverse("invoice-csv", args=[invoice.pk]))

    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert {row["description"] for row in rows} == {"'=HYPERLINK(1)"}


def test_spend_is_shown_by_package_location_and_tag(invoice, ana):
    client = client_of(ana)
    client.post(reverse("order-tags", args=[BillingOrder.objects.get().pk]), {"tags": "Backup, berlin, backup"})

    words = text_of(client.get(reverse("spend")))

    assert BillingOrder.objects.get().tags == ["backup", "berlin"]
    for name in ("Virtual server", "N. Virginia", "berlin"):
        assert name in words


def test_an_account_without_machines_is_told_when_spend_begins(ana):
    assert "Spend begins when a machine or volume" in text_of(client_of(ana).get(reverse("spend")))


def test_an_owner_sets_a_budget_and_a_wrong_one_is_kept_on_the_page(invoice, olga):
    client = client_of(olga)

    wrong = client.post(reverse("spend"), {"amount": "-5", "warn_percent": "500"})
    client.post(reverse("spend"), {"amount": "2000", "warn_percent": "75"})

    assert wrong.status_code == 422
    assert "A budget is more than zero." in text_of(wrong)
    assert 'value="500"' in text_of(wrong)
    assert (Budget.objects.get().amount, Budget.objects.get().warn_percent) == (2000, 75)


def test_a_buyer_sees_the_budget_and_cannot_change_it(invoice, ana, account):
    Budget.objects.create(account=account, amount=2000)

    client_of(ana).post(reverse("spend"), {"amount": "1", "warn_percent": "75"})

    assert "$2,000.00 a month." in text_of(client_of(ana).get(reverse("spend")))
    assert Budget.objects.get().amount == 2000


def test_too_many_tags_are_refused_and_the_others_stay(invoice, ana):
    client = client_of(ana)
    url = reverse("order-tags", args=[BillingOrder.objects.get().pk])
    client.post(url, {"tags": "backup"})

    refused = client.post(url, {"tags": ",".join(f"tag{number}" for number in range(11))})

    assert refused.status_code == 409
    assert BillingOrder.objects.get().tags == ["backup"]


def test_the_lists_take_no_more_queries_for_more_invoices(invoice, ana, account, django_assert_max_num_queries):
    Invoice.objects.bulk_create(
        Invoice(
            account=account,
            partner=account.partner,
            number=number,
            month=Month(2000 + number // 12, number % 12 + 1).first,
            currency="USD",
            issued_at=timezone.now(),
            net=0,
            tax=0,
        )
        for number in range(2, 102)
    )
    client = client_of(ana)

    with django_assert_max_num_queries(6):
        client.get(reverse("invoice-list"))
