from datetime import UTC, datetime

import pytest
from django.urls import reverse

from accounts.models import ApiKey, Partner, User
from accounts.services import api_key_create
from accounts.tests.factories import client_of, make_account, make_member, make_operator

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def make_key():
    account = make_account()
    user = make_member(account)
    return api_key_create(account_id=account.pk, user_id=user.pk, name="portal", scope="read", now=NOON)[0]


@pytest.mark.parametrize("model", ["partner", "account", "user", "apikey"])
def test_the_operator_lists_and_opens_each_kind(model):
    key = make_key()
    rows = {"partner": key.account.partner_id, "account": key.account_id, "user": key.user_id, "apikey": key.pk}
    client = client_of(make_operator())

    assert client.get(reverse(f"admin:accounts_{model}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:accounts_{model}_change", args=[rows[model]])).status_code == 200


@pytest.mark.parametrize("model", ["partner", "account", "user"])
def test_the_operator_can_begin_a_new_one(model):
    assert client_of(make_operator()).get(reverse(f"admin:accounts_{model}_add")).status_code == 200


def test_the_operator_adds_a_user_whose_email_is_stored_in_lower_case():
    client = client_of(make_operator())
    form = {
        "email": "New@North.example",
        "usable_password": "true",
        "password1": "a-fine-word",
        "password2": "a-fine-word",
    }
    inline = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}

    answer = client.post(reverse("admin:accounts_user_add"), form | inline)

    assert answer.status_code == 302
    assert User.objects.get(email="new@north.example").check_password("a-fine-word")


def test_the_operator_cannot_give_a_partner_an_unreadable_accent():
    partner = make_account().partner
    form = {"name": "North", "slug": "north", "accent": "#1f5a8a", "accent_ink": "#1f5a8b"}
    inline = {"hosts-TOTAL_FORMS": "0", "hosts-INITIAL_FORMS": "0"}

    answer = client_of(make_operator()).post(reverse("admin:accounts_partner_change", args=[partner.pk]), form | inline)

    assert answer.status_code == 200
    assert "has a contrast of only 1.0 : 1 to its ink" in answer.content.decode()
    assert Partner.objects.get().accent_ink == "#ffffff"


def test_the_operator_sees_no_digest_and_revokes_keys():
    key = make_key()
    client = client_of(make_operator())

    assert key.digest not in client.get(reverse("admin:accounts_apikey_change", args=[key.pk])).content.decode()
    client.post(reverse("admin:accounts_apikey_changelist"), {"action": "revoke", "_selected_action": [key.pk]})

    assert not ApiKey.objects.get().is_open
