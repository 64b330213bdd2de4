"""Deleting advice: gone with what was sent, kept while it is worked out and where an order rests on it."""

import pytest
from django.urls import reverse

from accounts.models import Account, Role, User
from accounts.tests.factories import client_of, make_member
from core.clock import now
from core.errors import RuleBroken
from jobs.models import Run
from planner.advice.models import Advice
from planner.advice.services import advice_delete, advice_order
from planner.tests.advice.factories import make_advice, make_answered_advice

pytestmark = pytest.mark.django_db


def test_deleted_advice_is_gone_with_its_run(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "raid")

    answer = client_of(ana).post(reverse("advice-delete", args=[advice.pk]))

    assert answer["Location"] == reverse("advice-list")
    assert not Advice.objects.exists()
    assert not Run.objects.filter(pk=advice.run_id).exists()


def test_advice_that_is_worked_out_is_not_deleted(ec2: None, account: Account, ana: User) -> None:
    advice = make_advice(account, ana, "raid")

    with pytest.raises(RuleBroken) as refused:
        advice_delete(advice_id=advice.pk, account=account)

    assert refused.value.code == "advice_under_way"
    assert Advice.objects.get() == advice


def test_advice_that_was_ordered_is_kept(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "raid")
    advice_order(advice_id=advice.pk, account=account, user=ana, key="", now=now())

    answer = client_of(ana).post(reverse("advice-delete", args=[advice.pk]))

    assert answer["Location"] == reverse("advice-detail", args=[advice.pk])
    assert Advice.objects.get() == advice


def test_a_viewer_cannot_delete_advice(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "raid")
    viewer = make_member(account, email="vera@north.example", role=Role.VIEWER)

    assert client_of(viewer).post(reverse("advice-delete", args=[advice.pk])).status_code == 403
    assert Advice.objects.get() == advice
