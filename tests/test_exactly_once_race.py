"""Many at the same moment, through the whole door: one key makes one order, and stock is never sold twice.

Each test has a twin that takes the lock away and then sees more than one order, or more sold than there was.
"""

from functools import partial
from threading import Barrier, Event
from typing import Any

import pytest
from django.test import Client

from accounts.services import api_key_create
from accounts.tests.factories import make_account, make_member, make_partner
from api.errors import RETRY_AFTER_SECONDS
from api.v1 import calls
from api.v1.orders import views
from catalog.models import Stock
from core import idempotency
from core.clock import now
from core.errors import RuleBroken
from core.models import IdempotencyRecord
from orders import placing
from orders.checking import check_tree
from orders.drafting import draft_asked
from orders.models import BillingOrder
from orders.tests.factories import NOW, Shop, make_draft, make_shop, role
from tests.threads import WAIT_SECONDS, at_the_same_moment

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

POSTS, TWINS = 200, 20
BUYERS, PIECES = 50, 5
ASKED = {
    "name": "Backups",
    "location": "us-east-1",
    "term": "hourly",
    "items": [
        {
            "name": "storage nodes",
            "package": "virtual-server",
            "quantity": 10,
            "parts": [{"category": "machine_type", "item": "m1.small"}, {"category": "os", "item": "debian"}],
        }
    ],
}


@pytest.fixture
def shop() -> Shop:
    return make_shop()


@pytest.fixture
def headers(shop: Shop) -> dict[str, str]:
    account = make_account()
    user = make_member(account)
    _, text = api_key_create(account_id=account.pk, user_id=user.pk, name="portal", scope="write", now=now())
    return {"host": "north.localhost", "authorization": f"Api-Key {text}", "idempotency-key": "7c1b"}


def post(headers: dict[str, str]) -> tuple[int, bytes]:
    answer = Client(headers=headers).post("/api/v1/orders", ASKED, content_type="application/json")
    return answer.status_code, answer.content


def test_two_hundred_posts_with_one_key_make_one_order_and_get_equal_answers(headers):
    answers = at_the_same_moment([partial(post, headers)] * POSTS)

    order = BillingOrder.objects.get()
    assert answers == [answers[0]] * POSTS
    status, body = answers[0]
    assert status == 201
    assert f'"href":"/api/v1/orders/{order.pk}"'.encode() in body
    assert IdempotencyRecord.objects.count() == 1


def test_where_a_call_looks_for_its_key_first_and_writes_it_then_each_makes_an_order(headers, monkeypatch):
    all_have_looked = Barrier(TWINS)

    def look_then_make(*, account_id: int, key: str, fingerprint: str, now: Any, call: Any) -> Any:
        assert not IdempotencyRecord.objects.filter(account_id=account_id, key=key).exists()
        all_have_looked.wait(WAIT_SECONDS)
        return call()

    monkeypatch.setattr(calls, "idempotent", look_then_make)

    at_the_same_moment([partial(post, headers)] * TWINS)

    assert BillingOrder.objects.count() == TWINS


def test_a_post_while_the_first_is_being_worked_on_is_told_to_come_again(headers, monkeypatch):
    first_is_inside, second_is_refused = Event(), Event()

    def draft_slowly(**asked: Any) -> BillingOrder:
        first_is_inside.set()
        assert second_is_refused.wait(WAIT_SECONDS)
        return draft_asked(**asked)

    def post_second() -> Any:
        assert first_is_inside.wait(WAIT_SECONDS)
        try:
            return Client(headers=headers).post("/api/v1/orders", ASKED, content_type="application/json")
        finally:
            second_is_refused.set()

    monkeypatch.setattr(idempotency, "WAIT_SECONDS", 1)
    monkeypatch.setattr(views, "draft_asked", draft_slowly)

    first, second = at_the_same_moment([partial(post, headers), post_second])

    order = BillingOrder.objects.get()
    assert first == (201, post(headers)[1])
    assert (second.status_code, second.headers["Retry-After"]) == (409, RETRY_AFTER_SECONDS)
    assert second.json()["code"] == "idempotency_in_flight"
    assert IdempotencyRecord.objects.get().body["id"] == order.pk


def make_buyers(shop: Shop) -> list[BillingOrder]:
    """Return drafts of one machine, each of another account, of ten partners."""
    drafts = []
    for number in range(BUYERS):
        if number % PIECES == 0:
            partner = make_partner(f"Partner{number}")
        account = make_account(partner=partner, name=f"Account {number}")
        user = make_member(account, email=f"buyer{number}@partner.example")
        drafts.append(make_draft(shop=shop, account=account, user=user, roles=[role("node", 1, "m1.small")]))
    return drafts


def place(draft: BillingOrder) -> BillingOrder:
    return placing.order_place(
        order_id=draft.pk, account_id=draft.account_id, user=draft.created_by, now=NOW, shown_monthly=None
    )


@pytest.fixture
def drafts(shop: Shop) -> list[BillingOrder]:
    Stock.objects.create(item=shop.items["m1.small"], location=shop.location, quantity_left=PIECES)
    return make_buyers(shop)


def placed_and_refused(outcomes: list[object]) -> tuple[int, set[str]]:
    placed = [outcome for outcome in outcomes if isinstance(outcome, BillingOrder)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, RuleBroken)]
    assert len(placed) + len(refused) == len(outcomes)
    return len(placed), {refusal.violations[0].code for refusal in refused}


def test_fifty_buyers_for_five_in_stock_place_exactly_five_orders(drafts):
    outcomes = at_the_same_moment([partial(place, draft) for draft in drafts])

    assert placed_and_refused(outcomes) == (PIECES, {"stock_short"})
    assert BillingOrder.objects.exclude(number=None).count() == PIECES
    assert BillingOrder.objects.filter(state="draft").count() == BUYERS - PIECES
    assert Stock.objects.get().quantity_left == 0


def test_without_taking_stock_the_check_alone_sells_more_than_there_is(drafts, monkeypatch):
    few = drafts[: 2 * PIECES]
    all_have_checked = Barrier(len(few))

    def check_and_wait(**asked: Any) -> Any:
        check = check_tree(**asked)
        all_have_checked.wait(WAIT_SECONDS)
        return check

    monkeypatch.setattr(placing, "check_tree", check_and_wait)
    monkeypatch.setattr(placing, "order_take_stock", lambda tree: None)

    outcomes = at_the_same_moment([partial(place, draft) for draft in few])

    assert placed_and_refused(outcomes) == (2 * PIECES, set())
    assert Stock.objects.get().quantity_left == PIECES
