"""What most tests of orders begin with: a catalogue, an account and its buyer."""

import pytest

from accounts.models import Account, User
from accounts.tests.factories import make_account, make_member
from orders.models import BillingOrder
from orders.tests.factories import Shop, make_draft, make_shop


@pytest.fixture
def shop(db: None) -> Shop:
    return make_shop()


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def ana(account: Account) -> User:
    return make_member(account)


@pytest.fixture
def draft(shop: Shop, account: Account, ana: User) -> BillingOrder:
    """A draft of 2 proxies and 10 storage nodes: 1036.80 a month and 10.00 once."""
    return make_draft(shop=shop, account=account, user=ana)
