import pytest
from django.core.management import CommandError, call_command

from accounts.demo import DEMO_PASSWORD, DEMO_SIGN_INS, demo_load, demo_sign_ins_at
from accounts.models import Account, Membership, Partner, PartnerStaff, User
from accounts.tests.factories import client_of

pytestmark = pytest.mark.django_db


def contents():
    return [list(model.objects.order_by("pk").values()) for model in (Partner, Account, User, Membership, PartnerStaff)]


def test_the_demo_makes_three_partners_with_their_people():
    demo_load()

    people = Membership.objects.values_list("account__partner__name", "account__name", "user__email", "role")
    assert set(people) == {
        ("North", "Aurora Studios", "ana@north.example", "buyer"),
        ("North", "Aurora Studios", "paul@north.example", "approver"),
        ("North", "Aurora Studios", "olga@north.example", "owner"),
        ("Harbor", "Bluewater Bank", "ben@harbor.example", "buyer"),
        ("Alpine", "Granite Works", "eva@alpine.example", "buyer"),
    }
    staff = PartnerStaff.objects.values_list("partner__name", "user__email")
    assert list(staff) == [("North", "nora@north.example")]
    assert User.objects.get(is_superuser=True).email == "op@rackwright.example"


def test_the_demo_brands_pass_their_own_rules():
    demo_load()

    for partner in Partner.objects.all():
        partner.full_clean()


def test_loading_the_demo_again_changes_nothing():
    demo_load()
    before = contents()

    assert demo_load() == 0
    assert contents() == before


def test_loading_the_demo_again_keeps_what_the_user_changed():
    demo_load()
    Partner.objects.filter(slug="north").update(name="Nord", accent="#5a1f8a")
    Account.objects.filter(name="Aurora Studios").update(name="Polaris")
    Membership.objects.filter(user__email="olga@north.example").delete()
    ana = User.objects.get(email="ana@north.example")
    ana.set_password("another-password")
    ana.save()
    before = contents()

    demo_load()

    assert contents() == before


def test_the_demo_is_refused_outside_embedded_mode(settings):
    settings.EMBEDDED = False

    with pytest.raises(CommandError, match="only in embedded mode"):
        call_command("demo_load")

    assert contents() == [[], [], [], [], []]


@pytest.mark.parametrize("sign_in", DEMO_SIGN_INS, ids=lambda sign_in: sign_in.email)
def test_each_demo_sign_in_opens_home_at_its_host(sign_in):
    demo_load()
    client = client_of(None, host=f"{sign_in.host}:8123")

    answer = client.post("/sign-in/", {"username": sign_in.email, "password": DEMO_PASSWORD}, follow=True)

    assert answer.redirect_chain == [("/", 302)]
    assert answer.status_code == 200
    assert answer.context["user"].email == sign_in.email


def test_a_partners_sign_in_page_offers_the_demo_people_of_that_partner():
    demo_load()

    assert [sign_in.email for sign_in in client_of(None).get("/sign-in/").context["demo_sign_ins"]] == [
        "ana@north.example",
        "paul@north.example",
        "olga@north.example",
        "nora@north.example",
    ]
    assert demo_sign_ins_at(None) == DEMO_SIGN_INS


def test_no_demo_is_offered_before_it_is_loaded():
    assert demo_sign_ins_at(None) == []


def test_demo_users_are_shut_out_when_the_embedded_mode_is_left(settings):
    demo_load()
    client = client_of(User.objects.get(email="ana@north.example"))
    settings.EMBEDDED = False

    assert client.get("/")["Location"] == "/sign-in/?next=/"
    answer = client_of(None).post("/sign-in/", {"username": "ana@north.example", "password": DEMO_PASSWORD})

    assert answer.status_code == 200
    assert answer.context["form"].non_field_errors() == [
        "No such e-mail and password here. Check both; upper and lower case count in the password."
    ]
    assert "demo" not in answer.content.decode()
