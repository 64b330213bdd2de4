from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import ApiKey, Membership
from accounts.services import ProvenKey, api_key_create, api_key_revoke, api_key_verify
from accounts.tests.factories import client_of, make_account, make_member, make_partner
from core.errors import RuleBroken

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
HOST = "north.localhost"


def make_key(*, scope="write", role="buyer"):
    account = make_account()
    user = make_member(account, role=role)
    return api_key_create(account_id=account.pk, user_id=user.pk, name="portal", scope=scope, now=NOON)


def test_a_key_proves_itself_by_its_text():
    key, text = make_key()

    assert api_key_verify(text=text, host=HOST, now=NOON) == ProvenKey(key, "buyer", is_at_home=True)


def test_the_text_of_a_key_is_kept_nowhere():
    key, text = make_key()
    prefix, secret = text.removeprefix("rw_").split("_")

    row = ApiKey.objects.values().get()

    assert key.prefix == prefix
    assert secret not in str(row)


def test_the_secret_of_another_key_proves_nothing():
    first, _ = make_key()
    _, other_text = api_key_create(
        account_id=first.account_id, user_id=first.user_id, name="second", scope="read", now=NOON
    )
    mixed = f"rw_{first.prefix}_{other_text.rpartition('_')[2]}"

    assert api_key_verify(text=mixed, host=HOST, now=NOON) is None


@pytest.mark.parametrize(
    "text", ["", "rw_", "rw__", "rw_\x00", "Api-Key", "rw_abcdefgh_" + "é" * 40, "rw_abcdefgh_" + "a" * 40]
)
def test_other_words_prove_nothing(text):
    make_key()

    assert api_key_verify(text=text, host=HOST, now=NOON) is None


def test_a_revoked_key_proves_nothing_and_keeps_its_first_date():
    key, text = make_key()

    api_key_revoke(key_id=key.pk, now=NOON)
    api_key_revoke(key_id=key.pk, now=NOON + timedelta(days=1))

    assert api_key_verify(text=text, host=HOST, now=NOON) is None
    assert ApiKey.objects.get().revoked_at == NOON


def test_the_key_of_a_closed_user_proves_nothing():
    key, text = make_key()
    key.user.is_active = False
    key.user.save()

    assert api_key_verify(text=text, host=HOST, now=NOON) is None


def test_the_key_of_a_demo_user_proves_nothing_in_a_deployment(settings):
    key, text = make_key()
    key.user.is_demo = True
    key.user.save()
    settings.EMBEDDED = False

    assert api_key_verify(text=text, host=HOST, now=NOON) is None


def test_the_use_of_a_key_is_noted_once_a_minute():
    _, text = make_key()

    api_key_verify(text=text, host=HOST, now=NOON)
    api_key_verify(text=text, host=HOST, now=NOON + timedelta(seconds=59))
    assert ApiKey.objects.get().last_used_at == NOON

    api_key_verify(text=text, host=HOST, now=NOON + timedelta(seconds=61))
    assert ApiKey.objects.get().last_used_at == NOON + timedelta(seconds=61)


def test_a_viewer_cannot_make_a_key_that_writes():
    with pytest.raises(RuleBroken) as refusal:
        make_key(scope="write", role="viewer")

    assert refusal.value.code == "scope_beyond_role"
    assert not ApiKey.objects.exists()


def test_a_stranger_cannot_make_a_key():
    account = make_account()
    stranger = make_member(make_account(partner=make_partner("Harbor")), email="ben@harbor.example")

    with pytest.raises(RuleBroken) as refusal:
        api_key_create(account_id=account.pk, user_id=stranger.pk, name="theft", scope="read", now=NOON)

    assert refusal.value.code == "not_a_member"
    assert not ApiKey.objects.exists()


def test_the_page_shows_a_new_key_once():
    client = client_of(make_member(make_account()))

    answer = client.post("/keys/", {"name": "billing portal", "scope": "write"})

    text = answer.context["new_key_text"]
    assert text in answer.content.decode()
    key = ApiKey.objects.get(name="billing portal", scope="write")
    assert api_key_verify(text=text, host=HOST, now=NOON).key == key
    assert text not in client.get("/keys/").content.decode()


def test_the_page_tells_a_viewer_why_his_key_may_only_read():
    client = client_of(make_member(make_account(), role="viewer"))

    answer = client.post("/keys/", {"name": "report", "scope": "write"})

    assert answer.context["form"].errors == {"scope": ["Your role may only read, so choose a key that reads."]}
    assert not ApiKey.objects.exists()


def test_a_user_revokes_his_own_key():
    key, _ = make_key()

    answer = client_of(key.user).post(f"/keys/{key.pk}/revoke/")

    assert answer["Location"] == "/keys/"
    assert not ApiKey.objects.get().is_open


def test_a_buyer_neither_sees_nor_revokes_a_colleagues_key():
    key, _ = make_key()
    client = client_of(make_member(key.account, email="col@north.example"))

    assert list(client.get("/keys/").context["keys"]) == []
    assert client.post(f"/keys/{key.pk}/revoke/").status_code == 404
    assert ApiKey.objects.get().is_open


def test_an_owner_sees_every_key_of_the_account_only():
    key, _ = make_key()
    owner = make_member(key.account, email="olga@north.example", role="owner")
    other = make_account(partner=key.account.partner, name="Borealis")
    Membership.objects.create(user=key.user, account=other, role="buyer")
    api_key_create(account_id=other.pk, user_id=key.user_id, name="elsewhere", scope="read", now=NOON)

    assert list(client_of(owner).get("/keys/").context["keys"]) == [key]
