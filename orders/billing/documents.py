"""An invoice as a table for spreadsheets."""

from core.spreadsheets import csv_of
from orders.models import Invoice

CSV_COLUMNS = ("period", "kind", "description", "quantity", "unit", "rate", "amount")


def invoice_as_csv(invoice: Invoice) -> str:
    """Return every line of an invoice, taxes included."""
    rows = [[*(getattr(line, name) for name in CSV_COLUMNS), invoice.currency] for line in invoice.lines.all()]
    return csv_of(columns=[*CSV_COLUMNS, "currency"], rows=rows)
