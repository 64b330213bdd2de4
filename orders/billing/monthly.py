"""The monthly run: one bill for every account that has had anything, started by the ticker and safe to start again."""

from datetime import datetime

from jobs.services import run_start
from orders.billing.months import Month
from orders.models import Resource

BILL_KIND = "bill"
"""The name under which orders/tasks.py registers the work."""


def accounts_to_bill(*, month: Month) -> list[int]:
    """Return the accounts that have, or had, an active machine or volume by the end of a month."""
    had = Resource.objects.filter(active_at__lt=month.end).order_by("account_id")
    return list(had.values_list("account_id", flat=True).distinct())


def bills_start(now: datetime) -> None:
    """Have every account's invoices for the present month put together, each as a run of its own."""
    month = Month.of(now)
    for account_id in accounts_to_bill(month=month):
        run_start(
            kind=BILL_KIND,
            account_id=account_id,
            created_by="",
            parameters={"account_id": account_id, "month": str(month)},
            points=[{}],
            now=now,
        )
