"""kill -9 of a worker in the middle of provisioning: every resource ends active or failed, once.

Real worker and ticker processes on PostgreSQL and Redis, and once more on SQLite and the file-system broker. The twin
without leases shows that it is the lease that saves the order.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts.tests.factories import make_account, make_member
from core import clock
from jobs import bells
from jobs.selectors import broken_invariants
from orders.models import BillingOrder, Resource
from orders.tests.factories import make_draft, make_shop
from orders.tests.fulfilment_steps import moves_of, order_moves, place, states
from tests import pausing_provisioning
from tests.house import House, house_of
from tests.pausing_provisioning import FOLDER, GO_ON, MOMENT, ONCE_WRITTEN, PAUSED, WHILE_ASKING
from tests.waiting import wait_until

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

DEADLINE_SECONDS = 60
LEASE_SECONDS = 2.0
SHARE_OF_FAILURES = "0.4"


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    # Bells of this process would go to its own queue; the ticker under test rings instead.
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)
    moment, lease_seconds = getattr(request, "param", (WHILE_ASKING, LEASE_SECONDS))
    with house_of(
        folder=tmp_path,
        include=pausing_provisioning.__name__,
        lease_seconds=lease_seconds,
        RACKWRIGHT_SIMULATED_SECONDS="0",
        RACKWRIGHT_SIMULATED_FAILURES=SHARE_OF_FAILURES,
        **{FOLDER: str(tmp_path), MOMENT: moment},
    ) as house:
        yield house


@pytest.fixture
def order() -> BillingOrder:
    """A placed order of 2 and 10 machines; placing began its provisioning."""
    account = make_account()
    buyer = make_member(account)
    order = place(make_draft(shop=make_shop(), account=account, user=buyer), buyer, now=clock.now())
    order.refresh_from_db()
    assert order.state == "provisioning"
    return order


def kill_the_pausing_worker(house: House) -> None:
    paused = house.folder / PAUSED
    words = wait_until(lambda: paused.exists() and paused.read_text(), seconds=DEADLINE_SECONDS)
    assert words, "No worker came to the resource at which it pauses."
    os.kill(int(words), signal.SIGKILL)
    (house.folder / GO_ON).touch()


def has_ended(order: BillingOrder) -> bool:
    order.refresh_from_db()
    return order.state in ("active", "failed")


@pytest.mark.parametrize(
    "house",
    [(WHILE_ASKING, LEASE_SECONDS), (ONCE_WRITTEN, LEASE_SECONDS)],
    indirect=True,
    ids=["while it asks the driver", "once the answers are written"],
)
def test_a_killed_worker_s_order_ends_with_every_resource_active_or_failed_once(
    order: BillingOrder, house: House
) -> None:
    house.start_ticker()
    house.start_worker()
    kill_the_pausing_worker(house)

    assert wait_until(lambda: has_ended(order), seconds=DEADLINE_SECONDS)
    assert wait_until(lambda: broken_invariants() == [], seconds=DEADLINE_SECONDS)
    found = states(order)
    assert sum(found.values()) == 12
    assert found.keys() <= {"active", "failed"}
    for resource in Resource.objects.all():
        assert moves_of(resource) == [("ordered", "provisioning"), ("provisioning", resource.state)]
        assert resource.attempt == 1
        assert (resource.active_at is not None) == (resource.state == "active")
    assert order_moves(order) == ["draft", "placed", "approved", "provisioning", order.state]
    assert order.state == ("failed" if "failed" in found else "active")


@pytest.mark.parametrize("house", [(WHILE_ASKING, 0.0)], indirect=True, ids=["leases off"])
def test_without_leases_the_killed_worker_s_resources_never_come(order: BillingOrder, house: House) -> None:
    house.start_ticker()
    worker = house.start_worker()
    kill_the_pausing_worker(house)
    house.kill(worker)
    house.start_worker()

    proxies = Resource.objects.filter(container__order_item__name="proxies")
    assert wait_until(
        lambda: not proxies.filter(state__in=["ordered", "provisioning"]).exists(), seconds=DEADLINE_SECONDS
    ), "The second worker did nothing at all."
    assert not wait_until(lambda: has_ended(order), seconds=3 * LEASE_SECONDS)
    assert order.state == "provisioning"
    assert Resource.objects.filter(state="provisioning").count() == 10
