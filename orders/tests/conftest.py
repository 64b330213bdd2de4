"""What most tests of orders begin with: a catalogue, an account and its buyer."""

import pytest

from accounts.models import Account, User
from accounts.tests.factories import make_account, make_member
from orders.models import BillingOrder, Resource
from orders.tests.factories import Shop, make_draft, make_shop
from orders.tests.fulfilment_steps import make_servers_with_traffic


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


@pytest.fixture
def servers(shop: Shop, account: Account, ana: User) -> list[Resource]:
    """Two servers active since 1 May 2026, on hourly terms, with traffic at 0.10 for each GB beyond 250 a month."""
    return make_servers_with_traffic(shop=shop, account=account, user=ana)
