import pytest

from accounts.models import Membership, Partner
from accounts.tests.factories import client_of, make_account, make_member, make_operator, make_partner

pytestmark = pytest.mark.django_db


def make_north_and_harbor():
    north = make_account()
    harbor = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    return north, harbor


def test_the_host_tells_the_partner_whatever_the_port_and_the_capitals():
    make_partner()

    answer = client_of(None, host="North.localhost:8123").get("/sign-in/")

    assert answer.context["partner"].name == "North"
    assert "Sign in to North" in answer.content.decode()


def test_a_host_of_no_partner_has_the_platforms_name():
    make_partner()

    answer = client_of(None, host="localhost").get("/sign-in/")

    assert answer.context["partner"] is None
    assert "Sign in to Rackwright" in answer.content.decode()


def test_home_sends_strangers_to_sign_in():
    make_partner()

    assert client_of(None).get("/")["Location"] == "/sign-in/?next=/"


def test_a_user_signs_in_however_the_email_is_typed():
    make_member(make_account())
    client = client_of(None)

    answer = client.post("/sign-in/", {"username": "Ana@North.example", "password": "a-good-password"}, follow=True)

    assert answer.context["account"].name == "Aurora Studios"


def test_a_user_of_another_partner_is_shown_nothing_but_a_way_out():
    north, _ = make_north_and_harbor()
    client = client_of(make_member(north), host="harbor.localhost")

    answer = client.get("/")

    assert answer.status_code == 403
    assert "You have no account with Harbor." in answer.content.decode()
    assert "Aurora" not in answer.content.decode()
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert client.get("/")["Location"] == "/sign-in/?next=/"


def test_a_user_of_another_partner_is_refused_at_every_page_also_for_changes():
    north, _ = make_north_and_harbor()
    client = client_of(make_member(north), host="harbor.localhost")

    assert client.post("/account/switch/", {"account_id": north.pk}).status_code == 403
    assert client.get("/keys/").status_code == 403


def test_a_user_of_two_partners_acts_at_each_for_his_account_there():
    north, harbor = make_north_and_harbor()
    user = make_member(north)
    make_member(harbor, email=user.email)

    assert client_of(user, host="north.localhost").get("/").context["account"] == north
    assert client_of(user, host="harbor.localhost").get("/").context["account"] == harbor


def test_the_account_chosen_stays_chosen():
    north = make_account()
    other = make_account(partner=north.partner, name="Borealis")
    user = make_member(north)
    make_member(other, email=user.email)
    client = client_of(user)
    assert client.get("/").context["account"] == north

    assert client.post("/account/switch/", {"account_id": other.pk})["Location"] == "/"

    assert client.get("/").context["account"] == other


def test_a_chosen_account_is_lost_with_the_membership():
    north = make_account()
    other = make_account(partner=north.partner, name="Borealis")
    user = make_member(north)
    make_member(other, email=user.email)
    client = client_of(user)
    client.post("/account/switch/", {"account_id": other.pk})

    Membership.objects.filter(account=other).delete()

    assert client.get("/").context["account"] == north


@pytest.mark.parametrize("account_id", ["harbor", "999999", "", "x", "99999999999999999999999"])
def test_an_account_of_others_cannot_be_chosen(account_id):
    north, harbor = make_north_and_harbor()
    client = client_of(make_member(north))
    chosen = harbor.pk if account_id == "harbor" else account_id

    assert client.post("/account/switch/", {"account_id": chosen}).status_code == 404

    assert client.get("/").context["account"] == north


def test_an_operator_without_an_account_is_shown_the_console():
    make_partner()
    client = client_of(make_operator())

    home = client.get("/")
    keys = client.get("/keys/")

    assert (home.status_code, keys.status_code) == (200, 403)
    assert "You act for no account here" in home.content.decode()
    assert [item.label for item in home.context["nav"]] == ["Work", "Price books", "Admin"]


def test_the_navigation_marks_where_one_is():
    client = client_of(make_member(make_account()))

    nav = client.get("/").context["nav"]

    assert [item.label for item in nav] == ["Home", "New plan", "Plans", "Simulate", "Catalogue", "Orders"]
    assert [item.label for item in nav if item.is_current] == ["Home"]


def test_a_page_that_does_not_exist_still_has_the_partners_name():
    make_partner()

    answer = client_of(None).get("/nowhere/")

    assert answer.status_code == 404
    assert answer.context["partner"].name == "North"


def test_the_brand_is_a_small_sheet_of_variables_for_its_host_alone():
    make_partner()
    Partner.objects.update(accent="#5a1f8a")

    answer = client_of(None).get("/brand.css")

    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert answer["Cache-Control"] == "public, max-age=300"
    assert answer["Vary"] == "Host"
    assert " ".join(answer.content.decode().split()) == (
        ":root { --brand-accent: #5a1f8a; --brand-accent-ink: #ffffff; }"
    )
    assert client_of(None, host="localhost").get("/brand.css").content.decode().strip() == ""


def test_the_health_answer_asks_neither_for_partner_nor_user(django_assert_num_queries):
    client = client_of(make_member(make_account()))

    with django_assert_num_queries(1):
        assert client.get("/healthz").json() == {"status": "ok"}


def test_a_strangers_page_costs_one_question_for_the_partner(django_assert_num_queries):
    make_partner()

    with django_assert_num_queries(1):
        client_of(None).get("/")


def test_guessing_passwords_ends_with_a_page_that_says_when_to_go_on(settings):
    settings.AXES_ENABLED = True
    make_member(make_account())
    client = client_of(None)
    wrong = {"username": "ana@north.example", "password": "a-wrong-password"}

    statuses = [client.post("/sign-in/", wrong).status_code for _ in range(8)]
    right = client.post("/sign-in/", wrong | {"password": "a-good-password"})

    assert statuses == [200] * 7 + [429]
    assert right.status_code == 429
    assert "Too many wrong passwords" in right.content.decode()
    assert "for a quarter of an hour" in right.content.decode()
