"""Invoices, spend and the budget over the API: what the pages show, and nothing of anybody else."""

import csv
import io
from decimal import Decimal

import pytest
from django.utils import timezone

from accounts.tests.factories import make_member
from api.tests.conftest import caller_for
from orders.billing.invoicing import account_bill
from orders.billing.months import Month
from orders.models import Budget, OrderLine, Resource, ResourceState, TaxRate, UsageRecord
from orders.placing import order_place
from orders.tests.fulfilment_steps import make_servers_with_traffic

pytestmark = pytest.mark.django_db

NOTHING_SET = {"currency": "USD", "amount": None, "warn_percent": None}


@pytest.fixture
def olga(account):
    return caller_for(account, make_member(account, email="olga@north.example", role="owner"))


@pytest.fixture
def last_month():
    return Month.of(timezone.now()).previous


@pytest.fixture
def invoice(draft, account, ana, last_month):
    """This month's invoice: the hours of last month, at 1.44 together, the 10.00 of its beginning, and 19 % on both."""
    TaxRate.objects.create(account=account, name="VAT", percent=19, valid_from=last_month.first)
    order_place(order_id=draft.pk, account_id=account.pk, user=ana, now=timezone.now(), shown_monthly=None)
    Resource.objects.update(state=ResourceState.ACTIVE, active_at=last_month.begin)
    (invoice,) = account_bill(account_id=account.pk, month=last_month.next, now=timezone.now())
    return invoice


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_an_invoice_says_each_line_and_what_they_come_to(program, invoice, draft, last_month):
    hours = 24 * last_month.days
    proxies, nodes = Decimal("0.32") * 2 * hours, Decimal("0.08") * 10 * hours
    net = proxies + nodes + 10

    answer = program.get(f"/api/v1/invoices/{invoice.pk}").json()

    assert {name: answer[name] for name in ("number", "month", "currency", "net", "total")} == {
        "number": 1,
        "month": str(last_month.next),
        "currency": "USD",
        "net": f"{net:.2f}",
        "total": f"{net + invoice.tax:.2f}",
    }
    lines = {
        (line["kind"], line["period"]): line for line in answer["lines"] if "storage nodes" not in line["description"]
    }
    assert lines["recurring", str(last_month)] == {
        "kind": "recurring",
        "order": draft.pk,
        "period": str(last_month),
        "description": f"The m1.large, proxies, N. Virginia, {last_month.words}",
        "quantity": str(2 * hours),
        "unit": "hour",
        "rate": "0.32",
        "amount": f"{proxies:.2f}",
    }
    assert lines["once", str(last_month)]["amount"] == "10.00"
    assert (lines["tax", answer["month"]]["amount"], lines["tax", answer["month"]]["order"]) == (answer["tax"], None)
    assert sum(Decimal(line["amount"]) for line in answer["lines"]) == Decimal(answer["total"])


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_the_list_of_invoices_leads_to_each_and_to_its_table(program, invoice):
    page = program.get("/api/v1/invoices").json()
    listed = page["results"][0]
    whole = program.get(listed["href"]).json()
    table = program.get(whole["csv"])

    assert page["count"] == 1
    assert {name: whole[name] for name in listed} == listed
    assert table["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert [row["amount"] for row in rows] == [line["amount"] for line in whole["lines"]]


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_caller_that_accepts_only_csv_gets_it_and_is_refused_in_json(program, invoice):
    only = {"accept": "text/csv"}

    assert program.get(f"/api/v1/invoices/{invoice.pk}/csv", **only).status_code == 200
    refused = program.get("/api/v1/invoices/0/csv", **only)
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_spend_is_what_is_owed_by_now_and_by_the_end_of_the_month(program, invoice, account, last_month):
    month, last = last_month.next, Decimal("1.44") * 24 * last_month.days + 10
    forecast = f"{Decimal('1.44') * 24 * month.days:.2f}"

    spend = program.get("/api/v1/spend").json()

    assert 0 <= Decimal(spend.pop("committed")) <= Decimal(forecast)
    assert spend == {
        "month": str(month),
        "currency": "USD",
        "forecast": forecast,
        "by_month": [
            {"month": str(last_month), "amount": f"{last:.2f}"},
            {"month": str(month), "amount": forecast},
        ],
        "breakdown_month": str(month),
        "by_package": [{"name": "Virtual server", "amount": forecast}],
        "by_location": [{"name": "N. Virginia", "amount": forecast}],
        "by_tag": [{"name": "without a tag", "amount": forecast}],
        "unpriced": [],
        "other_currencies": [],
        "budget": NOTHING_SET,
        "is_short": False,
    }


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_spend_of_a_month_before_is_broken_down_on_request(program, invoice, last_month):
    last = f"{Decimal('1.44') * 24 * last_month.days + 10:.2f}"

    spend = program.get(f"/api/v1/spend?month={last_month}").json()

    assert (spend["month"], spend["breakdown_month"]) == (str(last_month.next), str(last_month))
    assert spend["by_package"] == [{"name": "Virtual server", "amount": last}]
    assert spend["by_location"] == [{"name": "N. Virginia", "amount": last}]
    assert spend["by_tag"] == [{"name": "without a tag", "amount": last}]


@pytest.mark.parametrize(
    ("asked", "code"), [("2026-13", "month_not_readable"), ("9999-12", "month_to_come"), ("May", "month_not_readable")]
)
def test_a_month_that_cannot_be_broken_down_is_refused(program, asked, code):
    answer = program.get(f"/api/v1/spend?month={asked}")

    assert answer.status_code == 422
    assert [(each["code"], each["field"]) for each in answer.json()["violations"]] == [(code, "month")]


def test_use_without_a_rate_is_told_with_the_spend(account, ana, shop):
    server, _ = make_servers_with_traffic(shop=shop, account=account, user=ana)
    OrderLine.objects.filter(key_name="traffic").update(usage_tiers=[[1000, "0.08"]])
    UsageRecord.objects.create(
        resource=server,
        order_line=OrderLine.objects.get(key_name="traffic"),
        month=Month(2026, 6).first,
        quantity="375.5",
        recorded_by="otto",
        recorded_at=timezone.now(),
    )

    spend = caller_for(account, ana).get("/api/v1/spend").json()

    assert spend["unpriced"] == [{"month": "2026-06", "item": "The traffic", "units": "125.5", "unit": "GB"}]


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_an_owner_sets_changes_and_removes_the_budget(olga, program, invoice):
    assert program.get("/api/v1/budget").json() == NOTHING_SET

    first = olga.put("/api/v1/budget", {"amount": "100000"})
    second = olga.put("/api/v1/budget", {"amount": "900.50", "warn_percent": 50})

    assert first.json() == {"currency": "USD", "amount": "100000.00", "warn_percent": 80}
    assert second.json() == {"currency": "USD", "amount": "900.50", "warn_percent": 50}
    assert program.get("/api/v1/budget").json() == second.json()
    spend = program.get("/api/v1/spend").json()
    assert (spend["budget"], spend["is_short"]) == (second.json(), True)
    assert olga.put("/api/v1/budget", {"amount": None}).json() == NOTHING_SET
    assert not Budget.objects.exists()


def test_every_problem_of_a_budget_is_named_and_it_stays_as_it_was(olga):
    olga.put("/api/v1/budget", {"amount": "2000.00"})

    answer = olga.put("/api/v1/budget", {"amount": "-5", "warn_percent": 500})

    assert answer.status_code == 422
    assert [(each["code"], each["field"]) for each in answer.json()["violations"]] == [
        ("budget_not_positive", "amount"),
        ("warn_percent_out_of_range", "warn_percent"),
    ]
    assert (Budget.objects.get().amount, Budget.objects.get().warn_percent) == (2000, 80)


@pytest.mark.parametrize("body", [{}, {"warn_percent": 80}, {"amount": "1.00", "colour": "red"}, {"amount": "1.001"}])
def test_a_budget_of_another_shape_is_refused(olga, body):
    assert olga.put("/api/v1/budget", body).status_code == 422
    assert not Budget.objects.exists()


def test_only_an_owner_sets_the_budget(program):
    assert program.put("/api/v1/budget", {"amount": "1.00"}).status_code == 403
    assert not Budget.objects.exists()


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_another_account_sees_no_invoice_no_spend_and_no_budget(olga, invoice, stranger):
    olga.put("/api/v1/budget", {"amount": "2000.00"})

    for path in ("", "/csv"):
        assert stranger.get(f"/api/v1/invoices/{invoice.pk}{path}").status_code == 404
    assert stranger.get("/api/v1/invoices").json()["count"] == 0
    assert stranger.get("/api/v1/spend").json()["by_package"] == []
    assert stranger.get("/api/v1/budget").json() == NOTHING_SET
