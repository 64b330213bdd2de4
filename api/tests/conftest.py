"""What tests of the API begin with: a catalogue, an account, and a program that calls for it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from celery import current_app
from django.test import Client

from accounts.models import Account, User
from accounts.services import api_key_create
from accounts.tests.factories import make_account, make_member
from api.tests.contract import assert_as_described
from orders.models import BillingOrder
from orders.tests.factories import Shop, make_draft, make_shop

NOW = datetime(2026, 5, 3, 12, 3, tzinfo=UTC)


class Caller:
    """A program with a key, or without one; each answer is held against the API description."""

    def __init__(self, key_text: str | None = None) -> None:
        headers = {"authorization": f"Api-Key {key_text}"} if key_text else {}
        self.client = Client(headers={"host": "localhost", **headers})

    def get(self, path: str, **headers: str) -> Any:
        answer = self.client.get(path, headers=headers)
        assert_as_described(answer, method="get", path=path)
        return answer

    def post(self, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> Any:
        data = raw if raw is not None else ({} if body is None else body)
        answer = self.client.post(path, data=data, content_type="application/json", headers=headers)
        assert_as_described(answer, method="post", path=path)
        return answer

    def put(self, path: str, body: Any) -> Any:
        answer = self.client.put(path, data=body, content_type="application/json")
        assert_as_described(answer, method="put", path=path)
        return answer


def caller_for(account: Account, user: User, *, scope: str = "write") -> Caller:
    """Return a program with a key of the user's for the account."""
    _, text = api_key_create(account_id=account.pk, user_id=user.pk, name="portal", scope=scope, now=NOW)
    return Caller(text)


@pytest.fixture(autouse=True)
def quiet_bells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bells ring for nobody: what workers do is called by name."""
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: None)


@pytest.fixture
def shop(db: None) -> Shop:
    return make_shop()


@pytest.fixture
def ec2(ec2_catalogue: None) -> None:
    """Of the catalogue that the product brings along the machines and volumes of 2012."""


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def ana(account: Account) -> User:
    return make_member(account)


@pytest.fixture
def program(account: Account, ana: User) -> Caller:
    return caller_for(account, ana)


@pytest.fixture
def stranger(db: None) -> Caller:
    """A program of another account of the same partner, so that only the account stands between."""
    other = make_account(partner=Account.objects.select_related("partner").get().partner, name="Borealis Films")
    return caller_for(other, make_member(other, email="bo@north.example", role="owner"))


@pytest.fixture
def draft(shop: Shop, account: Account, ana: User) -> BillingOrder:
    """A draft of 2 proxies and 10 storage nodes: 1036.80 a month and 10.00 once."""
    return make_draft(shop=shop, account=account, user=ana)
