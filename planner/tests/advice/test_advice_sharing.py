"""A link to the answer of a piece of advice: it shows the answer and nothing else, until it ends or is taken back."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from accounts.models import Account, Role, User
from accounts.tests.factories import client_of, make_member
from core.clock import now
from core.errors import RuleBroken
from core.models import AuditEntry
from planner.advice.models import Advice
from planner.advice.services import advice_delete
from planner.models import AnswerShare
from planner.sharing import answer_share, share_by_token
from planner.tests.advice.cases import CASES, KindCase
from planner.tests.advice.factories import answer_of, make_answered_advice

pytestmark = pytest.mark.django_db
LINK_OR_FORM = re.compile(r"<form|<a [^>]*href=\"(?!#|/sign-in|/accuracy|/plans/shared)[^\"]*\"")


@pytest.fixture
def advice(ec2: None, account: Account, ana: User) -> Advice:
    return make_answered_advice(account, ana, "raid")


def page_of(address: str) -> str:
    """Return the main part of a page as somebody without a session sees it."""
    answer = Client(headers={"host": "north.localhost"}).get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode()).split("<main", 1)[1].split("</main>")[0]


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_stranger_reads_the_answer_of_every_kind_and_can_do_nothing_with_it(
    case: KindCase, ec2: None, account: Account, ana: User
) -> None:
    advice = make_answered_advice(account, ana, case.key, **case.three[0])

    client_of(ana).post(reverse("advice-share", args=[advice.pk]))
    page = page_of(reverse("answer-shared", args=[AnswerShare.objects.get().token]))

    best = answer_of(advice)["best"]
    assert f"<h1>{best['title']}: ${float(best['monthly_cost']):,.2f} a month" in page
    assert "What is in it" in page
    assert "It is no offer." in page
    assert not LINK_OR_FORM.search(page)


def test_a_link_is_shown_to_whoever_made_it_until_it_is_taken_back(advice: Advice, ana: User) -> None:
    buyer = client_of(ana)

    made = buyer.post(reverse("advice-share", args=[advice.pk]), follow=True).content.decode()
    shared = reverse("answer-shared", args=[AnswerShare.objects.get().token])
    assert f"http://north.localhost{shared}" in made
    page_of(shared)

    buyer.post(reverse("advice-unshare", args=[advice.pk]))

    assert Client(headers={"host": "north.localhost"}).get(shared).status_code == 404
    states = AuditEntry.objects.filter(subject=f"advice:{advice.pk}").values_list("to_state", flat=True)
    assert sorted(states) == ["not_shared", "shared"]


def test_a_link_ends_by_itself_and_leads_nowhere_at_another_partner(advice: Advice, ana: User) -> None:
    share = answer_share(answer=advice, user=ana, now=now())
    partner_id, second = advice.account.partner_id, timedelta(seconds=1)

    assert share_by_token(token=share.token, partner_id=partner_id, at=share.expires_at - second) == share
    for partner, at in ((partner_id, share.expires_at), (partner_id + 1, share.shared_at)):
        with pytest.raises(AnswerShare.DoesNotExist):
            share_by_token(token=share.token, partner_id=partner, at=at)


def test_advice_without_an_answer_is_not_shared(ec2: None, account: Account, ana: User) -> None:
    case = CASES["raid"]
    advice = make_answered_advice(account, ana, case.key, **case.impossible)

    with pytest.raises(RuleBroken) as refused:
        answer_share(answer=advice, user=ana, now=now())

    assert refused.value.code == "nothing_to_share"
    page = client_of(ana).get(reverse("advice-detail", args=[advice.pk])).content.decode()
    assert "Make a link" not in page


def test_a_viewer_makes_no_link(advice: Advice, account: Account) -> None:
    viewer = client_of(make_member(account, email="vera@north.example", role=Role.VIEWER))

    assert viewer.post(reverse("advice-share", args=[advice.pk])).status_code == 403
    assert "Make a link" not in viewer.get(reverse("advice-detail", args=[advice.pk])).content.decode()
    assert not AnswerShare.objects.exists()


def test_deleting_advice_ends_its_links(advice: Advice, account: Account, ana: User) -> None:
    share = answer_share(answer=advice, user=ana, now=now())

    advice_delete(advice_id=advice.pk, account=account)

    shared = reverse("answer-shared", args=[share.token])
    assert Client(headers={"host": "north.localhost"}).get(shared).status_code == 404


def test_a_link_that_leads_to_no_answer_cannot_be_stored(ana: User) -> None:
    with pytest.raises(IntegrityError, match="a_link_leads_to_one_answer"):
        AnswerShare.objects.create(
            token="nowhere", shared_by=ana, shared_at=now(), expires_at=now() + timedelta(days=1)
        )
