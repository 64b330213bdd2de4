import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from accounts.models import Membership, Partner, PartnerHost, User
from accounts.tests.factories import make_account, make_member, make_partner

pytestmark = pytest.mark.django_db


def test_an_accent_that_cannot_be_read_with_its_ink_is_refused_in_words():
    partner = Partner(name="Pale", slug="pale", accent="#1f5a8a", accent_ink="#4080c0")

    with pytest.raises(ValidationError) as refusal:
        partner.full_clean()

    words = (
        "The accent #1f5a8a has a contrast of only 1.8 : 1 to its ink #4080c0. Choose colours with at least 4.5 : 1."
    )
    assert refusal.value.message_dict == {"accent": [words]}


def test_a_readable_accent_is_accepted():
    Partner(name="Clear", slug="clear", accent="#1f5a8a", accent_ink="#ffffff").full_clean()


def test_a_colour_that_is_none_is_refused_by_its_field():
    with pytest.raises(ValidationError) as refusal:
        Partner(name="Odd", slug="odd", accent="red;}*{", accent_ink="#ffffff").full_clean()

    assert list(refusal.value.message_dict) == ["accent"]


def test_a_logo_that_is_not_there_is_refused():
    with pytest.raises(ValidationError) as refusal:
        Partner(name="Odd", slug="odd", logo="brands/nowhere.svg").full_clean()

    assert refusal.value.message_dict == {"logo": ["There is no static file brands/nowhere.svg."]}


def test_a_host_with_capitals_is_refused_by_the_database():
    partner = make_partner()

    with pytest.raises(IntegrityError, match="a_host_is_lower_case"):
        PartnerHost.objects.create(partner=partner, host="North.example")


def test_a_host_is_stored_in_lower_case_by_its_form():
    host = PartnerHost(partner=make_partner(), host=" North.Example ")

    host.full_clean()

    assert host.host == "north.example"


def test_an_email_with_capitals_is_refused_by_the_database():
    with pytest.raises(IntegrityError, match="an_email_is_lower_case"):
        User.objects.bulk_create([User(email="Ana@north.example")])


def test_a_new_user_is_found_however_the_email_is_typed():
    user = User.objects.create_user(" Ana@North.Example ", "a-good-password")

    assert User.objects.get_by_natural_key("ANA@north.example") == user


def test_a_user_is_a_member_of_an_account_once():
    account = make_account()
    user = make_member(account)

    with pytest.raises(IntegrityError):
        Membership.objects.create(user=user, account=account, role="viewer")


def test_a_role_that_nobody_knows_is_refused_by_the_database():
    account = make_account()

    with pytest.raises(IntegrityError, match="a_role_is_a_known_one"):
        make_member(account, role="king")
