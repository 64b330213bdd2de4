"""Two people, or a request and the ticker, at the same order at the same moment.

Each test has a twin with the lock taken away, which shows what the lock prevents.
"""

from functools import partial
from threading import Barrier

import pytest

from accounts.models import User
from accounts.tests.factories import make_account, make_member, make_operator
from core.errors import RuleBroken
from core.models import AuditEntry
from jobs import bells
from jobs.models import Run
from orders.fulfilment import beginning, by_hand, settling
from orders.models import BillingOrder, Resource
from orders.tests.factories import NOW, make_draft, make_shop, role
from orders.tests.fulfilment_steps import moves_of, order_moves, place
from tests.threads import WAIT_SECONDS, at_the_same_moment

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def quiet_bells(monkeypatch):
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def people(db):
    return [make_operator(), make_operator("second@rackwright.example")]


def placed_order(*, driver: str) -> BillingOrder:
    shop, account = make_shop(), make_account()
    shop.package.driver = driver
    shop.package.save()
    buyer = make_member(account)
    draft = make_draft(shop=shop, account=account, user=buyer, roles=[role("nodes", 2, "m1.small")])
    return place(draft, buyer)


@pytest.fixture
def order():
    """An order of two machines that people set up; placing began it."""
    return placed_order(driver="manual")


def unlocked_order(*, order_id, account_id):
    return BillingOrder.objects.get(pk=order_id, account_id=account_id)


def mark(user: User, resource: Resource) -> Resource:
    return by_hand.resource_mark_active(resource_uuid=resource.uuid, user=user, now=NOW, external_id=user.email)


def both_last_machines_come_at_once(people):
    first, second = Resource.objects.order_by("index")
    outcomes = at_the_same_moment([partial(mark, people[0], first), partial(mark, people[1], second)])
    assert [outcome.state for outcome in outcomes] == ["active", "active"]


def test_when_the_last_two_machines_come_at_once_the_order_becomes_active(order, people):
    both_last_machines_come_at_once(people)

    order.refresh_from_db()
    assert order.state == "active"
    assert order_moves(order).count("active") == 1


@pytest.mark.breaks_invariants("order state = states of its resources")
def test_without_the_lock_each_thinks_that_the_other_machine_is_still_to_come(order, people, monkeypatch):
    both_have_moved = Barrier(2)

    def settle_after_both_have_moved(**facts):
        both_have_moved.wait(WAIT_SECONDS)
        settling.order_settle(**facts)
        both_have_moved.wait(WAIT_SECONDS)

    monkeypatch.setattr(by_hand, "locked_order", unlocked_order)
    monkeypatch.setattr(by_hand, "order_settle", settle_after_both_have_moved)

    both_last_machines_come_at_once(people)

    order.refresh_from_db()
    assert order.state == "provisioning"


def race_for_one_machine(people):
    resource = Resource.objects.earliest("index")
    outcomes = at_the_same_moment([partial(mark, person, resource) for person in people])
    resource.refresh_from_db()
    refusals = [outcome.code for outcome in outcomes if isinstance(outcome, RuleBroken)]
    return resource, refusals


def test_of_two_people_one_makes_a_machine_active_and_the_other_is_told_so(order, people):
    resource, refusals = race_for_one_machine(people)

    assert refusals == ["resource_not_provisioning"]
    assert moves_of(resource) == [("ordered", "provisioning"), ("provisioning", "active")]
    assert AuditEntry.objects.get(subject=resource.subject, to_state="active").actor == resource.external_id


def test_without_the_lock_the_condition_on_the_state_still_lets_only_one_of_them(order, people, monkeypatch):
    both_have_read = Barrier(2)
    require = by_hand._require

    def require_and_wait(resource, **facts):
        require(resource, **facts)
        both_have_read.wait(WAIT_SECONDS)

    monkeypatch.setattr(by_hand, "locked_order", unlocked_order)
    monkeypatch.setattr(by_hand, "_require", require_and_wait)

    resource, refusals = race_for_one_machine(people)

    # Whichever came second found nothing to move, and has no entry in the history.
    assert len(refusals) <= 1
    assert moves_of(resource) == [("ordered", "provisioning"), ("provisioning", "active")]


@pytest.fixture
def not_begun(monkeypatch):
    """An approved order that nobody has begun."""
    with monkeypatch.context() as patch:
        patch.setattr("orders.placing.order_fulfil_on_commit", lambda *, order, now: None)
        return placed_order(driver="simulated")


def begin_twice(order):
    call = partial(beginning.order_fulfil, order_id=order.pk, account_id=order.account_id, now=NOW)
    return at_the_same_moment([call, call])


def test_an_order_that_the_request_and_the_ticker_begin_at_once_begins_once(not_begun):
    begin_twice(not_begun)

    assert Run.objects.filter(kind="provision").count() == 1
    assert order_moves(not_begun) == ["draft", "placed", "approved", "provisioning"]


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_without_the_lock_it_begins_twice(not_begun, monkeypatch):
    both_have_read = Barrier(2)

    def read_together(*, order_id, account_id):
        order = unlocked_order(order_id=order_id, account_id=account_id)
        both_have_read.wait(WAIT_SECONDS)
        return order

    monkeypatch.setattr(beginning, "locked_order", read_together)

    begin_twice(not_begun)

    assert Run.objects.filter(kind="provision").count() == 2
    assert order_moves(not_begun).count("provisioning") == 2
