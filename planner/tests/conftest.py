"""What tests of plans that need a database begin with: the shipped catalogue, an account, and its buyer."""

import pytest
from celery import current_app

from accounts.models import Account, User
from accounts.tests.factories import make_account, make_member


@pytest.fixture(autouse=True)
def quiet_bells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bells ring for nobody: what workers do is called by name."""
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **options: None)


@pytest.fixture
def ec2(shipped_catalogue: None) -> None:
    """The catalogue that the product brings along."""


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def ana(account: Account) -> User:
    return make_member(account)
