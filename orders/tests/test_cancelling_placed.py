"""Cancelling a placed order, or one piece of it: what was there is given back, and billing can end at once."""

from datetime import timedelta

import pytest

from accounts.tests.factories import make_member
from core.errors import RuleBroken
from core.models import AuditEntry, OutboxEvent
from jobs import bells
from jobs.models import Run
from orders.approving import approval_decide
from orders.fulfilment.beginning import order_retry
from orders.fulfilment.cancelling import order_cancel_placed, resource_cancel
from orders.fulfilment.drivers.interface import Answer
from orders.fulfilment.drivers.simulated import SimulatedDriver
from orders.models import Approval, BillingOrder, Resource, ResourceState
from orders.moves import order_move
from orders.states import OrderState
from orders.tests.factories import NOW
from orders.tests.fulfilment_steps import begin, moves_of, order_moves, place, states, work_all

LATER = NOW + timedelta(days=40)
ANSWER_GONE = Answer(ResourceState.CANCELLED)


@pytest.fixture(autouse=True)
def at_once(settings, monkeypatch):
    settings.SIMULATED_SECONDS, settings.SIMULATED_FAILURES = 0, 0
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def placed(draft, ana):
    return place(draft, ana)


def of(order):
    return Resource.objects.filter(container__order_item__order=order)


def cancel(order, user):
    return order_cancel_placed(
        order_id=order.pk, account_id=order.account_id, user=user, now=LATER, why="The project ended."
    )


def cancel_one(resource, user):
    return resource_cancel(resource_uuid=resource.uuid, account_id=resource.account_id, user=user, now=LATER)


def test_cancelling_an_active_order_cancels_and_gives_back_every_resource(placed, ana):
    begin(placed)
    work_all()

    cancel(placed, ana)

    placed.refresh_from_db()
    assert placed.state == "cancelled"
    assert states(placed) == {"cancelled": 12}
    assert set(of(placed).values_list("cancelled_at", flat=True)) == {LATER}
    assert not of(placed).filter(active_at=None).exists(), "when it became active is still known, for the bill"
    entry = AuditEntry.objects.get(subject=of(placed).first().subject, to_state="cancelled")
    assert (entry.actor, entry.from_state, entry.why, entry.at) == (ana.email, "active", "The project ended.", LATER)
    assert OutboxEvent.objects.filter(kind="order.cancelled", subject=placed.subject).count() == 1

    work_all()
    assert not of(placed).filter(released_at=None).exists()


def test_an_order_cancelled_before_it_began_has_nothing_to_give_back_and_never_became_active(placed, ana):
    cancel(placed, ana)

    assert set(of(placed).values_list("state", "active_at", "begun_at")) == {("cancelled", None, None)}
    assert not Run.objects.exists()


def test_workers_leave_an_order_alone_that_was_cancelled_meanwhile(placed, ana):
    begin(placed)
    cancel(placed, ana)

    work_all()

    placed.refresh_from_db()
    assert placed.state == "cancelled"
    assert set(of(placed).values_list("state", "active_at", "attempt")) == {("cancelled", None, 0)}


def test_a_machine_that_comes_up_while_its_order_is_cancelled_is_given_back(placed, ana, monkeypatch):
    """The worker asks the driver, the buyer cancels, and the driver answers: it is there."""
    begin(placed)
    real, cancelled = SimulatedDriver.provision, []

    def provision(self, *, resource, start, now, run_id):
        answer = real(self, resource=resource, start=start, now=now, run_id=run_id)
        if not cancelled:
            cancelled.append(cancel(placed, ana))
            work_released = Resource.objects.filter(state="cancelled", begun_at__isnull=False)
            work_released.update(released_at=LATER)
        return answer

    monkeypatch.setattr(SimulatedDriver, "provision", provision)
    given_back = []
    monkeypatch.setattr(
        SimulatedDriver,
        "cancel",
        lambda self, *, resource, start, now, run_id: given_back.append(resource.pk) or ANSWER_GONE,
    )

    work_all()

    begun = set(of(placed).filter(begun_at__isnull=False).values_list("pk", flat=True))
    assert begun
    assert begun <= set(given_back)
    assert set(of(placed).values_list("state", "active_at")) == {("cancelled", None)}
    assert not of(placed).filter(pk__in=begun, released_at=None).exists()


def test_one_cancelled_resource_leaves_the_others(placed, ana):
    begin(placed)
    work_all()
    one = of(placed).first()

    cancel_one(one, ana)

    placed.refresh_from_db()
    assert placed.state == "active"
    assert states(placed) == {"active": 11, "cancelled": 1}
    assert [move for _, move in moves_of(one)] == ["provisioning", "active", "cancelled"]


def test_with_its_last_resource_the_order_is_cancelled(placed, ana):
    begin(placed)
    work_all()
    for one in of(placed):
        cancel_one(one, ana)

    placed.refresh_from_db()
    assert placed.state == "cancelled"
    assert order_moves(placed)[-2:] == ["active", "cancelled"]


def test_cancelling_a_resource_twice_is_refused(placed, ana):
    one = of(placed).first()
    cancel_one(one, ana)
    entries = AuditEntry.objects.count()

    with pytest.raises(RuleBroken) as refusal:
        cancel_one(one, ana)

    assert refusal.value.code == "resource_already_cancelled"
    assert AuditEntry.objects.count() == entries


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_failed_order_is_active_once_the_last_failed_resource_is_cancelled(placed, ana, settings):
    begin(placed)
    work_all()
    failed = of(placed).first()
    Resource.objects.filter(pk=failed.pk).update(state="failed", active_at=None, reason="Broken.")
    BillingOrder.objects.filter(pk=placed.pk).update(state="failed")

    cancel_one(failed, ana)

    placed.refresh_from_db()
    assert placed.state == "active"
    assert order_moves(placed)[-2:] == ["provisioning", "active"]


def test_a_cancelled_resource_is_not_taken_up_again_with_the_failed_ones(placed, ana, settings):
    settings.SIMULATED_FAILURES = 1
    begin(placed)
    work_all()
    gone = of(placed).first()
    cancel_one(gone, ana)
    settings.SIMULATED_FAILURES = 0

    order_retry(order_id=placed.pk, account_id=placed.account_id, user=ana, now=LATER)
    work_all()

    assert states(placed) == {"active": 11, "cancelled": 1}
    gone.refresh_from_db()
    assert (gone.state, gone.attempt) == ("cancelled", 1)


@pytest.mark.parametrize("state", ["draft", "quoted"])
@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_what_is_not_placed_yet_is_not_cancelled_here(draft, ana, state):
    BillingOrder.objects.filter(pk=draft.pk).update(state=state)

    with pytest.raises(RuleBroken) as refusal:
        cancel(draft, ana)

    assert refusal.value.code == "order_not_placed"
    draft.refresh_from_db()
    assert draft.state == state


def test_a_cancelled_order_is_not_cancelled_again(placed, ana):
    cancel(placed, ana)

    with pytest.raises(RuleBroken) as refusal:
        cancel(placed, ana)

    assert refusal.value.code == "move_not_allowed"
    assert order_moves(placed).count("cancelled") == 1


def test_another_account_finds_nothing_to_cancel(placed, ana):
    one = of(placed).first()

    with pytest.raises(BillingOrder.DoesNotExist):
        order_cancel_placed(order_id=placed.pk, account_id=placed.account_id + 1, user=ana, now=LATER)
    with pytest.raises(Resource.DoesNotExist):
        resource_cancel(resource_uuid=one.uuid, account_id=placed.account_id + 1, user=ana, now=LATER)

    assert states(placed) == {"ordered": 12}


def test_the_resources_of_a_rejected_order_are_given_up(placed, account):
    olga = make_member(account, email="olga@north.example", role="owner")
    Approval.objects.create(order=placed, reason="It is dear.", token="t", requested_at=NOW)
    order_move(order=placed, to_state=OrderState.PENDING_APPROVAL, user=None, now=NOW)

    approval_decide(order_id=placed.pk, account_id=account.pk, user=olga, role="owner", is_approved=False, now=LATER)

    placed.refresh_from_db()
    assert placed.state == "rejected"
    assert set(of(placed).values_list("state", "active_at")) == {("cancelled", None)}
