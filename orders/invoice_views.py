"""Pages of money: invoices, what is spent on what, the budget, and the tags of an order."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from catalog.fees import rate_words
from core.clock import now
from core.errors import InputRefused, RuleBroken
from core.forms import problem_words
from core.money import Money
from orders.billing.budgets import budget_set, is_short
from orders.billing.charts import month_address, spend_figure
from orders.billing.documents import invoice_as_csv
from orders.billing.months import Month
from orders.billing.selectors import budget_of, invoice_of, invoices_of
from orders.billing.spending import Share, Spend, month_to_break_down, spend_of
from orders.changing import order_tag
from orders.forms import BudgetForm, TagsForm
from orders.models import BillingOrder, Budget, Invoice, InvoiceLine
from orders.views import order_refused

INVOICES_ON_A_PAGE = 25


@account_required
@require_safe
def invoice_list(request: AccountRequest) -> HttpResponse:
    page = Paginator(invoices_of(account_id=request.account.pk), INVOICES_ON_A_PAGE).get_page(request.GET.get("page"))
    rows = [{"invoice": invoice, "total": _total(invoice)} for invoice in page]
    return render(request, "orders/invoice_list.html", {"page": page, "rows": rows})


@account_required
@require_safe
def invoice_detail(request: AccountRequest, invoice_id: int) -> HttpResponse:
    invoice = _invoice_or_404(request, invoice_id)
    context = {
        "invoice": invoice,
        "total": _total(invoice),
        "net": Money(invoice.net, invoice.currency),
        "lines": [_row(line) for line in invoice.lines.all() if line.kind != InvoiceLine.Kind.TAX],
        "taxes": [_row(line) for line in invoice.lines.all() if line.kind == InvoiceLine.Kind.TAX],
    }
    return render(request, "orders/invoice_detail.html", context)


@account_required
@require_safe
def invoice_csv(request: AccountRequest, invoice_id: int) -> HttpResponse:
    invoice = _invoice_or_404(request, invoice_id)
    response = HttpResponse(invoice_as_csv(invoice), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="invoice-{invoice.number}.csv"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@action_required("manage", to_read="read")
def spend(request: AccountRequest) -> HttpResponse:
    """What the account spends, on what, and against which budget."""
    budget = budget_of(account_id=request.account.pk)
    may_change = can(request.role, "manage")
    initial = {"amount": budget.amount, "warn_percent": budget.warn_percent} if budget else {}
    form = BudgetForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            budget_set(account=request.account, **form.cleaned_data)
        except InputRefused as refusal:
            for violation in refusal.violations:
                form.add_error(violation.field, violation.words)
        else:
            messages.success(
                request, "The budget is set." if form.cleaned_data["amount"] else "There is no budget now."
            )
            return redirect("spend")
    breakdown_month, problem = _asked_month(request)
    context = {
        **_spend_context(request, budget, breakdown_month=breakdown_month),
        "form": form,
        "may_change": may_change,
        "problem": problem,
    }
    return render(request, "orders/spend.html", context, status=422 if form.errors or problem else 200)


@account_required
@require_safe
def spend_this_month(request: AccountRequest) -> HttpResponse:
    """The fragment that the home page shows."""
    budget = budget_of(account_id=request.account.pk)
    found = spend_of(account=request.account, now=now())
    context = {"spend": found, "budget": _budget_words(request, budget), "is_short": budget and is_short(budget, found)}
    return render(request, "orders/spend_this_month.html", context)


@require_POST
@action_required("place")
def order_tags(request: AccountRequest, order_id: int) -> HttpResponse:
    form = TagsForm(request.POST)
    if not form.is_valid():
        return order_refused(
            request, order_id, RuleBroken("tags_refused", f"The tags are as they were. {problem_words(form)}")
        )
    try:
        order_tag(order_id=order_id, account_id=request.account.pk, tags=form.cleaned_data["tags"])
    except BillingOrder.DoesNotExist:
        raise Http404 from None
    messages.success(request, "Spend is summed by these tags.")
    return redirect("order-detail", order_id)


def _asked_month(request: AccountRequest) -> tuple[Month | None, str]:
    """Return the month that is to be broken down, none for the present one, and what is wrong with what was asked."""
    asked = request.GET.get("month", "")
    try:
        return (month_to_break_down(asked, now=now()) if asked else None), ""
    except InputRefused as refusal:
        return None, refusal.words


def _spend_context(request: AccountRequest, budget: Budget | None, *, breakdown_month: Month | None) -> dict[str, Any]:
    found = spend_of(account=request.account, now=now(), breakdown_month=breakdown_month)
    return {
        "spend": found,
        "budget": _budget_words(request, budget),
        "is_short": budget is not None and is_short(budget, found),
        "figure": spend_figure(found, budget=str(budget.amount) if budget else None),
        "columns": [
            {"label": "Month", "unit": "UTC", "is_number": False},
            {"label": "Owed", "unit": found.forecast.currency, "is_number": True},
        ],
        "rows": [
            [format_html('<a href="{}">{}</a>', month_address(month), month.words), str(amount)]
            for month, amount in found.by_month
        ],
        "shares": [
            ("By package", _rows(found, found.by_package)),
            ("By location", _rows(found, found.by_location)),
            ("By tag", _rows(found, found.by_tag)),
        ],
    }


def _rows(spend: Spend, shares: tuple[Share, ...]) -> list[dict[str, Any]]:
    whole = spend.breakdown_total.amount
    return [
        {"name": share.name, "amount": share.amount, "percent": round(100 * share.amount.amount / whole)}
        for share in shares
    ]


def _budget_words(request: AccountRequest, budget: Budget | None) -> Money | None:
    return Money(budget.amount, request.account.currency) if budget else None


def _row(line: InvoiceLine) -> dict[str, Any]:
    rate = "" if line.rate is None else rate_words(line.rate)
    return {"line": line, "rate": rate, "amount": Money(line.amount, line.invoice.currency)}


def _total(invoice: Invoice) -> Money:
    return Money(invoice.net + invoice.tax, invoice.currency)


def _invoice_or_404(request: AccountRequest, invoice_id: int) -> Invoice:
    try:
        return invoice_of(invoice_id=invoice_id, account_id=request.account.pk)
    except Invoice.DoesNotExist:
        raise Http404 from None
