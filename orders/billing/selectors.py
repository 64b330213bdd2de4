"""Reading invoices and budgets. Every question names the account that asks."""

from django.db.models import QuerySet

from orders.models import Budget, Invoice, InvoiceLine, UsageRecord


def invoices_of(*, account_id: int) -> QuerySet[Invoice]:
    """Return the account's invoices, the newest first."""
    return Invoice.objects.filter(account_id=account_id).select_related("account", "partner")


def invoice_of(*, invoice_id: int, account_id: int) -> Invoice:
    """Return one invoice with its lines; raises Invoice.DoesNotExist."""
    return invoices_of(account_id=account_id).prefetch_related("lines").get(pk=invoice_id)


def orders_by_line(invoice: Invoice) -> dict[int, int | None]:
    """Return the id of the order that each line of an invoice is for; None for a tax."""
    lines = InvoiceLine.objects.filter(invoice=invoice)
    return dict(lines.values_list("pk", "order_line__container__order_item__order_id"))


def usage_recorded() -> QuerySet[UsageRecord]:
    """Return what all machines and volumes of all accounts used, the latest month first; for the operator alone."""
    return UsageRecord.objects.select_related("resource__account__partner", "order_line__item")


def budget_of(*, account_id: int) -> Budget | None:
    """Return what the account means to spend in a month; None where it has not said."""
    return Budget.objects.filter(account_id=account_id).first()
