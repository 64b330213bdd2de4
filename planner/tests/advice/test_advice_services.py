"""Advice from the question to the order: on the shipped catalogue, with a database."""

import pytest

from accounts.models import Account, User
from accounts.tests.factories import make_account, make_member
from core.clock import now
from core.errors import InputRefused, RuleBroken
from jobs.models import Run
from orders.checking import order_check
from orders.models import BillingOrder
from planner.advice.models import Advice, AdviceOrder
from planner.advice.services import advice_order, advice_quote, kind_of
from planner.tests.advice.factories import answer_of, make_advice, make_answered_advice

pytestmark = pytest.mark.django_db


def test_an_answer_is_ordered_at_its_price_and_verifies_with_no_edit(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "raid")
    best = answer_of(advice)["best"]

    order = advice_order(advice_id=advice.pk, account=account, user=ana, key="", now=now())

    check = order_check(order_id=order.pk, account_id=account.pk, now=now())
    assert check.violations == ()
    assert check.totals.monthly.known.text == best["monthly_cost"]
    assert AdviceOrder.objects.get().chosen == best


def test_a_runner_up_is_ordered_by_its_key_and_quoted_in_one_step(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "raid")
    second = answer_of(advice)["runners_up"][0]

    quote = advice_quote(advice_id=advice.pk, account=account, user=ana, key=second["key"], now=now())

    assert quote.order.name.startswith("RAID and disks: ")
    assert AdviceOrder.objects.get(order=quote.order).chosen["key"] == second["key"]


def test_a_question_with_several_mistakes_is_refused_with_all_of_them(ec2: None, account: Account, ana: User) -> None:
    with pytest.raises(InputRefused) as refused:
        make_advice(account, ana, "raid", capacity="much", iops="0 IOPS", location="nowhere", colour="red")

    fields = {violation.field for violation in refused.value.violations}
    assert fields == {"capacity", "iops", "location", "colour"}
    assert not Advice.objects.exists()
    assert not Run.objects.exists()


def test_another_account_cannot_order_it(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "raid")
    stranger = make_account(partner=account.partner, name="Stranger")

    with pytest.raises(Advice.DoesNotExist):
        advice_order(advice_id=advice.pk, account=stranger, user=make_member(stranger), key="", now=now())

    assert not BillingOrder.objects.exists()


def test_an_unknown_configuration_and_an_unknown_kind_are_refused(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "raid")

    with pytest.raises(RuleBroken) as unknown:
        advice_order(advice_id=advice.pk, account=account, user=ana, key="none", now=now())
    with pytest.raises(RuleBroken) as kind:
        kind_of("cooking")

    assert unknown.value.code == "configuration_unknown"
    assert kind.value.code == "kind_unknown"
    assert not BillingOrder.objects.exists()


def test_advice_without_an_answer_cannot_be_ordered(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "raid", capacity="900 TB")

    with pytest.raises(RuleBroken) as refused:
        advice_order(advice_id=advice.pk, account=account, user=ana, key="", now=now())

    assert refused.value.code == "advice_without_answer"
    assert answer_of(advice)["problem"]["limit"] == "Usable capacity"
