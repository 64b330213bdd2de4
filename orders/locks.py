"""Locked reads, always by primary key and always in this order: order, then number series."""

from accounts.models import Partner
from orders.models import BillingOrder, NumberSeries


def locked_order(*, order_id: int, account_id: int) -> BillingOrder:
    """Return the order as it stands, held until the transaction ends; raises BillingOrder.DoesNotExist."""
    return BillingOrder.objects.select_for_update().get(pk=order_id, account_id=account_id)


def locked_number_series(*, partner: Partner, kind: NumberSeries.Kind) -> NumberSeries:
    """Return the partner's number series of a kind, made at first use and held until the transaction ends."""
    NumberSeries.objects.get_or_create(partner=partner, kind=kind)
    return NumberSeries.objects.select_for_update().get(partner=partner, kind=kind)
