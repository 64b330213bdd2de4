"""Knowing who asks, for which account and under which partner: cheaply, and never from an old answer."""

import pytest

from accounts.models import Account, Membership, Partner, PartnerHost, User
from accounts.tests.factories import client_of, make_account, make_member, make_operator, make_partner
from accounts.visits import visiting, visitor

pytestmark = pytest.mark.django_db
HOSTS = ["north.localhost", "localhost"]


@pytest.fixture
def aurora() -> Account:
    return make_account()


@pytest.fixture
def ana(aurora) -> User:
    return make_member(aurora)


@pytest.mark.parametrize("host", HOSTS)
def test_session_user_accounts_and_partner_cost_two_queries(ana, host, django_assert_num_queries):
    client = client_of(ana, host=host)

    with django_assert_num_queries(2):
        answer = client.get("/")

    assert answer.context["account"].name == "Aurora Studios"


def test_a_stranger_to_the_partner_costs_one_query_more(aurora, ana, django_assert_num_queries):
    make_partner("Harbor")
    client = client_of(ana, host="harbor.localhost")

    with django_assert_num_queries(3):
        assert client.get("/").status_code == 403


def test_a_host_that_moves_to_another_partner_leads_there_at_once(aurora, ana):
    client = client_of(ana)
    assert client.get("/").context["partner"].name == "North"
    harbor = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    PartnerHost.objects.filter(host="north.localhost").update(partner=harbor.partner)

    assert client.get("/").status_code == 403

    make_member(harbor, email=ana.email)
    answer = client.get("/")
    assert (answer.context["partner"].name, answer.context["account"]) == ("Harbor", harbor)


def test_a_brand_that_changes_shows_at_once(ana):
    client = client_of(ana)
    client.get("/")
    Partner.objects.update(name="Nord")

    assert client.get("/").context["partner"].name == "Nord"


def test_a_role_that_is_taken_away_is_gone_at_the_next_request(ana):
    client = client_of(ana)
    assert client.get("/plans/new/").status_code == 200
    Membership.objects.update(role="viewer")

    assert client.get("/plans/new/").status_code == 403


def test_a_membership_that_ends_is_gone_at_the_next_request(ana):
    client = client_of(ana)
    client.get("/")
    Membership.objects.all().delete()

    answer = client.get("/")

    assert answer.status_code == 403
    assert "You have no account with North." in answer.content.decode()


def test_a_user_who_is_closed_is_signed_out_at_the_next_request(ana):
    client = client_of(ana)
    User.objects.update(is_active=False)

    assert client.get("/")["Location"] == "/sign-in/?next=/"


def test_a_password_that_changes_ends_the_session(ana):
    client = client_of(ana)
    ana.set_password("another-good-password")
    ana.save()

    assert client.get("/")["Location"] == "/sign-in/?next=/"


@pytest.mark.parametrize("host", HOSTS)
def test_an_operator_without_an_account_is_known_with_the_partner_of_the_host(host):
    make_partner()

    answer = client_of(make_operator(), host=host).get("/")

    assert answer.context["account"] is None
    assert answer.context["user"].email == "op@rackwright.example"
    assert answer.context["partner"] == (Partner.objects.get() if host == "north.localhost" else None)


def test_outside_a_visit_a_user_is_found_by_his_id_alone(ana, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert visitor(user_id=ana.pk) == ana
    assert visitor(user_id=ana.pk + 1) is None


def test_a_visit_knows_a_user_who_was_looked_for_elsewhere(aurora, ana):
    with visiting("north.localhost") as visit:
        found = visit.tenancy(user=ana)

    assert found == (aurora.partner, [(aurora, "buyer")], False)
