"""A partner's own people: they stand in every account of their partner, and in none of another's."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Account, PartnerStaff
from accounts.selectors import role_in
from accounts.services import api_key_create, api_key_verify
from accounts.tests.factories import client_of, make_account, make_member, make_partner, make_partner_staff
from core.clock import now
from core.errors import RuleBroken

pytestmark = pytest.mark.django_db


@pytest.fixture
def aurora() -> Account:
    return make_account()


@pytest.fixture
def nora(aurora):
    return make_partner_staff(aurora.partner)


def test_they_act_in_every_account_of_their_partner(aurora, nora):
    borealis = make_account(partner=aurora.partner, name="Borealis")
    client = client_of(nora)
    assert client.get("/").context["account"] == aurora

    client.post("/account/switch/", {"account_id": borealis.pk})

    answer = client.get("/")
    assert answer.context["account"] == borealis
    assert [(each.account, each.role) for each in answer.context["standings"]] == [
        (aurora, "partner_staff"),
        (borealis, "partner_staff"),
    ]


def test_another_partners_accounts_are_closed_to_them(aurora, nora):
    harbor = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")

    assert client_of(nora, host="harbor.localhost").get("/").status_code == 403
    assert client_of(nora).post("/account/switch/", {"account_id": harbor.pk}).status_code == 404
    assert role_in(user_id=nora.pk, account_id=harbor.pk) is None


def test_a_membership_says_more_exactly_what_they_are_in_an_account(aurora, nora):
    make_member(aurora, email=nora.email, role="owner")

    standings = client_of(nora).get("/").context["standings"]

    assert [(each.account, each.role) for each in standings] == [(aurora, "owner")]
    assert role_in(user_id=nora.pk, account_id=aurora.pk) == "owner"


def test_they_find_the_price_books_even_where_the_partner_has_no_account():
    nora = make_partner_staff(make_partner())

    answer = client_of(nora).get("/")

    assert answer.status_code == 200
    assert answer.context["account"] is None
    assert [item.label for item in answer.context["nav"]] == ["Price books"]


def test_their_key_is_worth_as_much_as_they_are_at_the_moment(aurora, nora, django_assert_num_queries):
    _, text = api_key_create(account_id=aurora.pk, user_id=nora.pk, name="script", scope="write", now=now())
    api_key_verify(text=text, host="north.localhost", now=now())

    with django_assert_num_queries(1):
        proven = api_key_verify(text=text, host="north.localhost", now=now())
    assert proven is not None
    assert proven.role == "partner_staff"

    PartnerStaff.objects.all().delete()

    proven = api_key_verify(text=text, host="north.localhost", now=now())
    assert proven is not None
    assert proven.role is None


def test_who_leaves_the_partner_is_out_at_the_next_request(aurora, nora):
    client = client_of(nora)
    assert client.get("/orders/").status_code == 200
    PartnerStaff.objects.all().delete()

    assert client.get("/orders/").status_code == 403
    with pytest.raises(RuleBroken, match="somebody who may act for the account"):
        api_key_create(account_id=aurora.pk, user_id=nora.pk, name="script", scope="read", now=now())


def test_somebody_is_on_the_staff_of_a_partner_once(aurora, nora):
    with pytest.raises(IntegrityError), transaction.atomic():
        PartnerStaff.objects.create(partner=aurora.partner, user=nora)


def test_members_cost_no_query_more_for_it(aurora, django_assert_num_queries):
    client = client_of(make_member(aurora))

    with django_assert_num_queries(2):
        client.get("/")
