"""Numbers without gaps: those of a partner's orders, quotes and invoices."""

from django.db.models import F

from accounts.models import Partner
from orders.locks import locked_number_series
from orders.models import NumberSeries


def next_number(*, partner: Partner, kind: NumberSeries.Kind) -> int:
    """Give the partner's next number of a kind; a transaction that fails gives it back."""
    series = locked_number_series(partner=partner, kind=kind)
    NumberSeries.objects.filter(pk=series.pk).update(last_number=F("last_number") + 1)
    series.refresh_from_db()
    return series.last_number
