"""What must be true of all invoices, whoever wrote their rows."""

from collections import defaultdict
from decimal import Decimal

from core.invariants import Contradictions
from orders.models import Invoice, InvoiceLine


def invoices_not_summed() -> Contradictions:
    """Yield invoices whose net and tax are not the sums of their lines."""
    sums: defaultdict[tuple[int, bool], Decimal] = defaultdict(Decimal)
    for invoice_id, kind, amount in InvoiceLine.objects.values_list("invoice_id", "kind", "amount"):
        sums[invoice_id, kind == InvoiceLine.Kind.TAX] += amount
    for pk, net, tax in Invoice.objects.values_list("pk", "net", "tax"):
        if (net, tax) != (sums[pk, False], sums[pk, True]):
            summed = f"its lines come to {sums[pk, False]} and {sums[pk, True]} tax."
            yield f"invoice:{pk}", f"It says {net} and {tax} tax; {summed}"


def billed_without_a_machine() -> Contradictions:
    """Yield invoice lines of order lines of which no machine or volume ever became active."""
    lines = InvoiceLine.objects.filter(order_line__isnull=False).exclude(
        order_line__container__resources__active_at__isnull=False
    )
    for pk, invoice_id, amount in lines.values_list("pk", "invoice_id", "amount"):
        yield f"invoice:{invoice_id}", f"line {pk} asks {amount} for something that never became active."
