"""Calls about bills: invoices, what is spent on what, and the budget."""

from collections.abc import Iterable

from django.http import HttpResponse
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.billing import shapes
from api.v1.billing.rows import budget_json, invoice_json, invoice_line, spend_json
from api.v1.calls import AccountView, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.paging import WhichPage, page_json, page_of
from core.clock import now
from orders.billing.budgets import budget_set
from orders.billing.documents import invoice_as_csv
from orders.billing.selectors import budget_of, invoice_of, invoices_of, orders_by_line
from orders.billing.spending import month_to_break_down, spend_of
from orders.models import Invoice


class WhateverIsAccepted(DefaultContentNegotiation):
    """Answers callers that accept only CSV too; where they are refused, they are told so in JSON like all others."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)


class InvoiceList(AccountView):
    @described("invoices_list", tag="billing", query=WhichPage, answer=shapes.InvoicePage, refuses=(404, 422))
    def get(self, request: Request) -> Response:
        """List the account's invoices, the newest first."""
        invoices = invoices_of(account_id=caller_of(request).account.pk)
        page = page_of(invoices, **query_of(request, shape=WhichPage))
        return Response(page_json(page, results=[invoice_line(invoice) for invoice in page]))


class InvoiceDetail(AccountView):
    @described("invoices_read", tag="billing", answer=shapes.InvoiceShape, refuses=(404,))
    def get(self, request: Request, invoice_id: int) -> Response:
        """Show an invoice with every line: what is owed for which month, by which order, and the taxes."""
        invoice = _own_invoice(request, invoice_id)
        return Response(invoice_json(invoice, orders=orders_by_line(invoice)))


class InvoiceCsv(AccountView):
    content_negotiation_class = WhateverIsAccepted

    @described("invoices_csv", tag="billing", answer=str, media_type="text/csv", refuses=(404,))
    def get(self, request: Request, invoice_id: int) -> HttpResponse:
        """Return an invoice's lines as a table for spreadsheets."""
        table = invoice_as_csv(_own_invoice(request, invoice_id))
        return HttpResponse(table, content_type="text/csv; charset=utf-8")


class SpendDetail(AccountView):
    @described("spend_read", tag="billing", query=shapes.WhichMonth, answer=shapes.SpendShape, refuses=(422,))
    def get(self, request: Request) -> Response:
        """Show what the account spends: by now, by the end of the month, in the months before, and on what."""
        account, at = caller_of(request).account, now()
        asked = query_of(request, shape=shapes.WhichMonth).get("month")
        breakdown_month = None if asked is None else month_to_break_down(asked, now=at)
        spend = spend_of(account=account, now=at, breakdown_month=breakdown_month)
        return Response(spend_json(spend, budget=budget_of(account_id=account.pk), account=account))


class BudgetDetail(AccountView):
    to_change = "manage"

    @described("budget_read", tag="billing", answer=shapes.BudgetShape)
    def get(self, request: Request) -> Response:
        """Show what the account means to spend in a month."""
        account = caller_of(request).account
        return Response(budget_json(budget_of(account_id=account.pk), account=account))

    @described("budget_set", tag="billing", takes=shapes.BudgetAsked, answer=shapes.BudgetShape, refuses=(400, 422))
    def put(self, request: Request) -> Response:
        """Set the account's monthly budget, or take it away."""
        account = caller_of(request).account
        budget = budget_set(account=account, **body_of(request, shape=shapes.BudgetAsked))
        return Response(budget_json(budget, account=account))


def _own_invoice(request: Request, invoice_id: int) -> Invoice:
    return invoice_of(invoice_id=invoice_id, account_id=caller_of(request).account.pk)
