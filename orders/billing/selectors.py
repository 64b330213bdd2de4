"""Reading invoices. Every question names the account that asks."""

from django.db.models import QuerySet

from orders.models import Invoice


def invoices_of(*, account_id: int) -> QuerySet[Invoice]:
    """Return the account's invoices, the newest first."""
    return Invoice.objects.filter(account_id=account_id).select_related("account", "partner")


def invoice_of(*, invoice_id: int, account_id: int) -> Invoice:
    """Return one invoice with its lines; raises Invoice.DoesNotExist."""
    return invoices_of(account_id=account_id).prefetch_related("lines").get(pk=invoice_id)
