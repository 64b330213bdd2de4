"""Periodic work of orders, which the ticker imports."""

from datetime import timedelta

from jobs.periodic import register_periodic
from orders.billing.budgets import budgets_warn
from orders.billing.monthly import bills_start
from orders.fulfilment.sweeping import fulfilment_sweep

register_periodic("orders.fulfilment", timedelta(minutes=1), fulfilment_sweep)
register_periodic("orders.bills", "month", bills_start)
register_periodic("orders.budgets", timedelta(hours=1), budgets_warn)
