"""Pages of invoices and spend, as their readers see them."""

import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.tests.factories import client_of, make_member
from orders.billing.invoicing import account_bill
from orders.billing.months import Month
from orders.models import BillingOrder, Budget, Invoice, NumberSeries, OrderLine, ResourceState, UsageRecord
from orders.tests.fulfilment_steps import activate, machines_move, place


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


def test_the_months_stay_and_lead_to_what_each_was_spent_on_when_nothing_is_there_any_more(invoice, ana):
    now = timezone.now()
    last = Month.of(now).previous
    machines_move(BillingOrder.objects.get(), ResourceState.CANCELLED, at=last.begin + timedelta(hours=10))
    client = client_of(ana)

    page = text_of(client.get(reverse("spend")))
    before = text_of(client.get(reverse("spend"), {"month": str(last)}))

    assert f'<a href="{reverse("spend")}?month={last}">{last.words}</a>' in page
    assert f"<h2>{last.next.words}: $0.00</h2>" in page
    assert "Nothing is active this month" not in page
    assert f"<h2>{last.words}: $24.40</h2>" in before  # 1.44 × 10 and 10.00 once
    assert 'Virtual server <span class="muted">100 %</span> <span class="num">$24.40</span>' in before


@pytest.mark.parametrize("asked", ["2026-13", "9999-12", "May"])
def test_a_month_that_cannot_be_broken_down_is_named_and_the_present_one_shown(invoice, ana, asked):
    answer = client_of(ana).get(reverse("spend"), {"month": asked})

    assert answer.status_code == 422
    assert ("is still to come." if asked == "9999-12" else f"“{asked}” is no month.") in text_of(answer)
    assert f"<h2>{Month.of(timezone.now()).words}: $" in text_of(answer)


def test_use_without_a_rate_is_named_on_the_page_of_spend(servers, ana):
    OrderLine.objects.filter(key_name="traffic").update(usage_tiers=[[1000, "0.08"]])
    line = OrderLine.objects.get(key_name="traffic")
    told = {"recorded_by": "otto", "recorded_at": timezone.now()}
    UsageRecord.objects.create(resource=servers[0], order_line=line, month=Month(2026, 6).first, quantity=375, **told)

    words = text_of(client_of(ana).get(reverse("spend")))

    assert "The traffic, June 2026: 125 GB beyond the allowance" in words
    assert "and some use unpriced" in text_of(client_of(ana).get(reverse("spend-this-month")))


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
    NumberSeries.objects.filter(partner=account.partner, kind=NumberSeries.Kind.INVOICE).update(last_number=101)
    client = client_of(ana)

    with django_assert_max_num_queries(6):
        client.get(reverse("invoice-list"))
