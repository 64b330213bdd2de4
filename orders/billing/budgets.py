"""Budgets: what an account means to spend in a month, and the one warning when it is about to spend more."""

import logging
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.urls import reverse

from accounts.models import Account, Membership, Role
from accounts.selectors import partner_address
from core.errors import InputRefused, Violation
from core.money import Money
from orders.billing.months import Month
from orders.billing.spending import Spend, spend_of
from orders.mailing import mail_start
from orders.models import Budget

logger = logging.getLogger(__name__)


@transaction.atomic
def budget_set(*, account: Account, amount: Decimal | None, warn_percent: int) -> Budget | None:
    """Set an account's monthly budget, or take it away; raises InputRefused with every problem.

    A changed budget warns again in the same month.
    """
    if amount is None:
        Budget.objects.filter(account=account).delete()
        return None
    problems = []
    if amount <= 0:
        words = "A budget is more than zero. Leave it empty for none."
        problems.append(Violation("budget_not_positive", "amount", words))
    if not 1 <= warn_percent <= 100:
        words = f"A warning comes at 1 to 100 per cent of the budget, not at {warn_percent}."
        problems.append(Violation("warn_percent_out_of_range", "warn_percent", words))
    if problems:
        raise InputRefused(tuple(problems))
    values = {"amount": amount, "warn_percent": warn_percent, "warned_month": None}
    budget, _ = Budget.objects.update_or_create(account=account, defaults=values)
    return budget


def is_short(budget: Budget, spend: Spend) -> bool:
    """Tell whether this month's forecast reaches the share of the budget that warns."""
    return spend.forecast.amount * 100 >= budget.amount * budget.warn_percent


def budgets_warn(now: datetime) -> None:
    """Warn the owners of every account whose month is about to pass its budget, once a month."""
    month = Month.of(now)
    unwarned = Budget.objects.exclude(warned_month=month.first)
    for budget in unwarned.select_related("account__partner"):
        try:
            with transaction.atomic():
                _warn(budget, month, now=now)
        except Exception:
            # One account whose spend cannot be worked out must not keep the others from their warning.
            logger.exception("The budget of account %s could not be looked at.", budget.account_id)


def _warn(budget: Budget, month: Month, *, now: datetime) -> None:
    spend = spend_of(account=budget.account, now=now)
    # The condition lets one of several tickers send it.
    unwarned = Budget.objects.filter(pk=budget.pk).exclude(warned_month=month.first)
    if is_short(budget, spend) and unwarned.update(warned_month=month.first):
        _send(budget, spend, now=now)


def _send(budget: Budget, spend: Spend, *, now: datetime) -> None:
    account = budget.account
    owners = Membership.objects.filter(account=account, role=Role.OWNER, user__is_active=True)
    planned = Money(budget.amount, account.currency)
    mail_start(
        account_id=account.pk,
        to=list(owners.order_by("pk").values_list("user__email", flat=True)),
        subject=f"{account.name}: {spend.month.words} is about to come to {spend.forecast}",
        body=(
            f"The budget of {account.name} is {planned} a month. By now {spend.committed} is owed, and by the end of "
            f"{spend.month.words} it will be {spend.forecast} if nothing changes.\n\n"
            f"See what it is spent on:\n{partner_address(partner=account.partner)}{reverse('spend')}\n"
        ),
        now=now,
    )
