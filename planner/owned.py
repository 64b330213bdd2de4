"""The plan or the advice that an address names, of the account that asks; anybody else's is not found."""

from django.http import Http404

from accounts.requests import AccountRequest
from planner.advice.selectors import advice_of
from planner.models import Advice, Plan
from planner.selectors import plan_of


def own_plan(request: AccountRequest, plan_id: int) -> Plan:
    """Return a plan of the account; raises Http404 where it has no such plan."""
    try:
        return plan_of(account_id=request.account.pk, plan_id=plan_id)
    except Plan.DoesNotExist:
        raise Http404 from None


def own_advice(request: AccountRequest, advice_id: int) -> Advice:
    """Return advice of the account; raises Http404 where it has no such advice."""
    try:
        return advice_of(account_id=request.account.pk, advice_id=advice_id)
    except Advice.DoesNotExist:
        raise Http404 from None
