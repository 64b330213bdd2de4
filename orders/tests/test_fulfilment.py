"""From the placed order to machines that are there: with simulated machines, as their workers do it."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import clock
from core.errors import RuleBroken
from core.models import AuditEntry, OutboxEvent
from jobs import bells
from jobs.models import Run, RunState
from orders.fulfilment.beginning import order_fulfil, order_retry
from orders.fulfilment.drivers.simulated import REASON, SimulatedDriver
from orders.fulfilment.moving import resources_move
from orders.fulfilment.states import RESOURCE_MOVES, outcome_of, states_before
from orders.fulfilment.sweeping import fulfilment_sweep
from orders.models import Approval, BillingOrder, Resource, ResourceState
from orders.moves import order_move
from orders.states import OrderState
from orders.tests.factories import NOW, make_draft, role
from orders.tests.fulfilment_steps import begin, moves_of, order_moves, place, states, work_all

LATER = NOW + timedelta(minutes=5)


@pytest.fixture(autouse=True)
def at_once(settings, monkeypatch):
    """Simulated machines that take no time and never fail, and bells that nobody hears."""
    settings.SIMULATED_SECONDS, settings.SIMULATED_FAILURES = 0, 0
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def time(monkeypatch):
    """A clock that stands at NOW until a test moves it."""

    class Time:
        at = NOW

    monkeypatch.setattr(clock, "now", lambda: Time.at)
    return Time


@pytest.fixture
def placed(draft, ana):
    return place(draft, ana)


def of(order: BillingOrder):
    return Resource.objects.filter(container__order_item__order=order)


def test_placing_makes_a_resource_with_its_own_uuid_for_each_piece(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("proxies", 3, "m1.small")])
    draft.items.get().containers.update(host_names="proxy-{nn}")

    order = place(draft, ana)

    found = list(of(order))
    assert [(each.index, each.host_name) for each in found] == [(0, "proxy-01"), (1, "proxy-02"), (2, "proxy-03")]
    assert {(each.state, each.driver, each.ordered_at, each.attempt) for each in found} == {
        ("ordered", "simulated", NOW, 0)
    }
    assert len({each.uuid for each in found}) == 3
    assert order.state == "placed"


def test_resources_get_the_driver_that_their_package_has_when_they_are_ordered(draft, ana, shop):
    shop.package.driver = "manual"
    shop.package.save()
    order = place(draft, ana)
    shop.package.driver = "webhook"
    shop.package.save()

    assert set(of(order).values_list("driver", flat=True)) == {"manual"}


def test_an_order_that_needs_no_approval_is_provisioned_until_every_resource_is_active(placed):
    begin(placed)

    assert order_moves(placed) == ["draft", "placed", "approved", "provisioning"]
    assert AuditEntry.objects.get(subject=placed.subject, to_state="approved").why == "No approval was needed."
    assert states(placed) == {"ordered": 12}

    work_all()

    placed.refresh_from_db()
    assert placed.state == "active"
    assert states(placed) == {"active": 12}
    assert order_moves(placed) == ["draft", "placed", "approved", "provisioning", "active"]
    one = of(placed).first()
    assert moves_of(one) == [("ordered", "provisioning"), ("provisioning", "active")]
    assert (one.attempt, one.external_id) == (1, f"sim-{one.uuid.hex[:12]}")
    assert one.active_at is not None
    assert OutboxEvent.objects.filter(kind="order.active", subject=placed.subject).count() == 1


def test_beginning_twice_begins_once(placed):
    begin(placed)
    begin(placed)

    assert Run.objects.filter(kind="provision").count() == 1
    assert order_moves(placed).count("provisioning") == 1


@pytest.mark.parametrize("is_approved", [None, False])
def test_an_order_whose_approval_is_pending_or_refused_is_not_begun(placed, ana, is_approved):
    Approval.objects.create(
        order=placed,
        reason="It is dear.",
        token="t",
        requested_at=NOW,
        is_approved=is_approved,
        decided_by=None if is_approved is None else ana,
        decided_at=None if is_approved is None else NOW,
    )

    begin(placed)
    fulfilment_sweep(LATER)

    placed.refresh_from_db()
    assert placed.state == "placed"
    assert states(placed) == {"ordered": 12}
    assert not Run.objects.exists()


def test_another_account_cannot_have_an_order_begun(placed):
    with pytest.raises(BillingOrder.DoesNotExist):
        order_fulfil(order_id=placed.pk, account_id=placed.account_id + 1, now=NOW)

    assert states(placed) == {"ordered": 12}


@pytest.mark.django_db(transaction=True)
def test_placing_begins_provisioning_once_it_is_committed(draft, ana):
    order = place(draft, ana)

    assert order.state == "placed"
    order.refresh_from_db()
    assert order.state == "provisioning"
    work_all()
    order.refresh_from_db()
    assert order.state == "active"


def test_the_ticker_begins_what_nobody_began(placed):
    fulfilment_sweep(LATER)
    work_all()

    placed.refresh_from_db()
    assert placed.state == "active"


def test_an_order_from_before_there_were_resources_gets_them_when_it_begins(placed):
    of(placed).delete()

    begin(placed)

    assert states(placed) == {"ordered": 12}


def test_a_simulated_machine_takes_its_time_and_workers_do_not_wait_for_it(placed, settings, time):
    settings.SIMULATED_SECONDS = 100
    begin(placed)

    assert work_all() == 2, "one turn for each container"
    assert states(placed) == {"provisioning": 12}
    time.at = NOW + timedelta(seconds=49)
    assert work_all() == 0
    time.at = NOW + timedelta(seconds=151)
    assert work_all() == 3, "both containers again, and the end of the run"

    assert states(placed) == {"active": 12}
    assert set(of(placed).values_list("active_at", flat=True)) == {time.at}


def test_machines_come_up_one_after_another(placed, settings, time):
    settings.SIMULATED_SECONDS = 100
    begin(placed)
    ready = []
    for second in range(0, 160, 5):
        time.at = NOW + timedelta(seconds=second)
        work_all()
        ready.append(states(placed).get("active", 0))

    assert ready == sorted(ready)
    assert (ready[0], ready[-1]) == (0, 12)
    assert len(set(ready)) > 4


@given(st.uuids(version=4), st.integers(1, 5), st.integers(0, 400))
def test_what_becomes_of_a_simulated_machine_is_the_same_for_every_worker_that_asks(resource_uuid, attempt, seconds):
    resource = Resource(uuid=resource_uuid, attempt=attempt, begun_at=NOW)
    now = NOW + timedelta(seconds=seconds)

    answers = {SimulatedDriver().provision(resource=resource, start=start, now=now) for start in (1, 2, 9)}

    assert len(answers) == 1


def test_the_share_of_failures_is_what_the_setting_says(settings):
    settings.SIMULATED_FAILURES = 0.25
    driver = SimulatedDriver()

    answers = [driver.status(resource=Resource(attempt=1, begun_at=NOW), start=1, now=LATER) for _ in range(2000)]

    failed = [answer for answer in answers if answer.state == ResourceState.FAILED]
    assert 0.2 < len(failed) / len(answers) < 0.3
    assert {answer.reason for answer in failed} == {REASON}


def fail_some(order, monkeypatch, *, failing):
    """Let the resources with these indices in the storage nodes' container fail, once."""
    storage = {each.pk for each in of(order).filter(container__order_item__name="storage nodes", index__in=failing)}
    real = SimulatedDriver.status

    def status(self, *, resource, start, now, run_id):
        answer = real(self, resource=resource, start=start, now=now, run_id=run_id)
        if resource.pk in storage and resource.attempt == 1:
            return type(answer)(ResourceState.FAILED, reason=REASON)
        return answer

    monkeypatch.setattr(SimulatedDriver, "status", status)


def test_an_order_some_of_whose_resources_fail_is_failed_and_says_why(placed, monkeypatch):
    fail_some(placed, monkeypatch, failing=[0, 4, 9])
    begin(placed)
    work_all()

    placed.refresh_from_db()
    assert placed.state == "failed"
    assert states(placed) == {"active": 9, "failed": 3}
    assert AuditEntry.objects.get(subject=placed.subject, to_state="failed").why == f"3 of 12 failed: {REASON}"
    assert set(of(placed).filter(state="failed").values_list("reason", flat=True)) == {REASON}


def test_only_what_failed_is_taken_up_again(placed, monkeypatch, ana):
    fail_some(placed, monkeypatch, failing=[0, 4])
    begin(placed)
    work_all()
    before = set(of(placed).filter(state="active").values_list("pk", "attempt", "active_at"))

    order_retry(order_id=placed.pk, account_id=placed.account_id, user=ana, now=LATER)
    assert states(placed) == {"active": 10, "ordered": 2}
    work_all()

    placed.refresh_from_db()
    assert placed.state == "active"
    assert before < set(of(placed).values_list("pk", "attempt", "active_at"))
    retried = of(placed).filter(attempt=2)
    assert sorted(retried.values_list("index", flat=True)) == [0, 4]
    assert [move for _, move in moves_of(retried.first())] == [
        "provisioning", "failed", "ordered", "provisioning", "active",
    ]  # fmt: skip
    assert order_moves(placed)[-3:] == ["failed", "provisioning", "active"]


@pytest.mark.parametrize("is_begun", [False, True])
def test_an_order_that_has_not_failed_cannot_be_taken_up_again(placed, ana, is_begun):
    if is_begun:
        begin(placed)
    before = order_moves(placed)

    with pytest.raises(RuleBroken) as refusal:
        order_retry(order_id=placed.pk, account_id=placed.account_id, user=ana, now=LATER)

    assert refusal.value.code == "order_not_failed"
    assert order_moves(placed) == before
    assert states(placed) == {"ordered": 12}


@pytest.mark.breaks_invariants("run done = its results complete")
def test_resources_whose_run_broke_off_fail_with_its_reason(placed, monkeypatch):
    begin(placed)
    Run.objects.filter(kind="provision").update(
        state=RunState.FAILED, failure="crashed", reason="The disk was full.", started_at=NOW, finished_at=NOW
    )

    fulfilment_sweep(LATER)

    placed.refresh_from_db()
    assert placed.state == "failed"
    assert set(of(placed).values_list("state", "reason")) == {("failed", "Provisioning broke off. The disk was full.")}


@pytest.mark.breaks_invariants("run done = its results complete")
def test_a_point_that_runs_twice_changes_nothing_the_second_time(placed):
    begin(placed)
    work_all()
    entries = AuditEntry.objects.count()
    run = Run.objects.get(kind="provision")
    run.points.filter(is_final=False).update(state="waiting", finished_at=None)
    Run.objects.filter(pk=run.pk).update(state="running", result=None, finished_at=None, progress_done=1)
    run.point_results.all().delete()

    work_all()

    assert AuditEntry.objects.count() == entries
    assert states(placed) == {"active": 12}


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_move_that_the_table_does_not_know_is_not_made_and_leaves_no_trace(placed):
    sources = {state: set(states_before(state)) for state in ResourceState}
    entries = AuditEntry.objects.count()
    one = of(placed).first()

    for from_state in ResourceState:
        for to_state in ResourceState:
            assert (from_state in sources[to_state]) == (to_state in RESOURCE_MOVES[from_state])
            if to_state in RESOURCE_MOVES[from_state]:
                continue
            facts = {"active_at": NOW if from_state == "active" else None}
            facts["cancelled_at"] = NOW if from_state == "cancelled" else None
            Resource.objects.filter(pk=one.pk).update(state=from_state, **facts)

            moved = resources_move(
                resources=Resource.objects.filter(pk=one.pk), to_state=to_state, now=LATER, actor="nobody"
            )

            assert moved == 0
            one.refresh_from_db()
            assert one.state == from_state
    assert AuditEntry.objects.count() == entries


counts = st.dictionaries(st.sampled_from(list(ResourceState)), st.integers(0, 3), min_size=1).filter(
    lambda found: any(found.values())
)


@given(counts)
def test_the_state_of_an_order_follows_from_its_resources(found):
    present = {state for state, count in found.items() if count}
    outcome = outcome_of(found)

    if present & {ResourceState.ORDERED, ResourceState.PROVISIONING}:
        assert outcome == OrderState.PROVISIONING
    else:
        assert (outcome == OrderState.FAILED) == (ResourceState.FAILED in present)
        assert (outcome == OrderState.CANCELLED) == (present == {ResourceState.CANCELLED})
        assert (outcome == OrderState.ACTIVE) == (
            ResourceState.ACTIVE in present and ResourceState.FAILED not in present
        )


def test_many_resources_take_few_queries(shop, account, ana, django_assert_max_num_queries):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("nodes", 3000, "m1.small")])

    with django_assert_max_num_queries(100):
        order = place(draft, ana)
    with django_assert_max_num_queries(40):
        begin(order)

    assert states(order) == {"ordered": 3000}
    assert Run.objects.get(kind="provision").points.filter(is_final=False).count() == 60


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_resource_cannot_be_moved_by_somebody_who_read_it_too_early(placed, monkeypatch):
    one = of(placed).first()
    order_move(order=placed, to_state=OrderState.APPROVED, user=None, now=NOW)

    class ReadTooEarly:
        """Rows as they were before somebody else changed them."""

        def filter(self, *, state):
            return self if state == "ordered" else Resource.objects.none()

        def order_by(self, *names):
            return self

        def values_list(self, *names):
            return [(one.pk, one.uuid, one.account_id)]

    Resource.objects.filter(pk=one.pk).update(state="cancelled", cancelled_at=NOW)

    with pytest.raises(RuleBroken) as refusal:
        resources_move(resources=ReadTooEarly(), to_state=ResourceState.PROVISIONING, now=LATER, actor="nobody")

    assert refusal.value.code == "resource_changed_meanwhile"
    one.refresh_from_db()
    assert one.state == "cancelled"
    assert moves_of(one) == []
