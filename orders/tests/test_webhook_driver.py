"""An external provisioner, a real HTTP server of the test: signed calls, waiting between tries, late answers."""

from datetime import datetime, timedelta

import pytest

from core import clock, outgoing
from core.outgoing import CallFailed
from core.signing import DELIVERY_HEADER, SIGNATURE_HEADER, require_signed
from jobs import bells
from jobs.models import Point, Run
from orders.fulfilment.cancelling import order_cancel_placed, resource_cancel
from orders.fulfilment.drivers import webhook
from orders.fulfilment.drivers.webhook import ASK_AGAIN, BACK_OFF, WebhookDriver
from orders.models import Resource, WebhookEndpoint
from orders.tests.factories import NOW, make_draft, role
from orders.tests.fulfilment_steps import begin, order_moves, place, states, work_all
from tests.provisioner import provisioner_running

SECRET = "the secret of the test"


class Time:
    """What time it is."""

    at: datetime = NOW


@pytest.fixture(autouse=True)
def time(settings, monkeypatch):
    settings.PRIVATE_WEBHOOKS = True
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)
    Time.at = NOW
    monkeypatch.setattr(clock, "now", lambda: Time.at)
    return Time


@pytest.fixture
def provisioner():
    with provisioner_running() as running:
        yield running


@pytest.fixture
def endpoint(shop, provisioner):
    shop.package.driver = "webhook"
    shop.package.save()
    return WebhookEndpoint.objects.create(package=shop.package, url=provisioner.url, secret=SECRET)


@pytest.fixture
def order(shop, account, ana, endpoint):
    """An order of two machines, provisioning."""
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("nodes", 2, "m1.small")])
    draft.items.get().containers.update(host_names="node-{n}")
    return begin(place(draft, ana))


def resources(order):
    return list(Resource.objects.filter(container__order_item__order=order).order_by("index"))


def test_each_resource_is_asked_for_by_a_signed_message(order, provisioner):
    work_all()

    first, second = provisioner.calls
    one, other = resources(order)
    assert first.message == {
        "event": "provision",
        "resource": str(one.uuid),
        "attempt": 1,
        "external_id": "",
        "order": 1,
        "partner": "north",
        "account": "Aurora Studios",
        "host_name": "node-1",
        "package": "virtual-server",
        "location": "us-east-1",
        "items": [{"category": "machine_type", "item": "m1.small"}, {"category": "os", "item": "debian"}],
        "callback": "http://north.localhost:8000/api/provisioning/callback",
    }
    assert second.message["resource"] == str(other.uuid)
    assert require_signed(secret=SECRET, headers=first.headers, body=first.body, now=NOW) == (
        f"{one.uuid.hex}-1-provision-{Run.objects.get(kind='provision').pk}-1"
    )
    assert first.headers[SIGNATURE_HEADER] != second.headers[SIGNATURE_HEADER]


def test_an_accepted_resource_is_provisioning_and_asked_after_in_case_its_callback_is_lost(order, provisioner):
    work_all()

    assert states(order) == {"provisioning": 2}
    assert [one.accepted_at for one in resources(order)] == [NOW, NOW]
    assert Point.objects.get(run__kind="provision", is_final=False).not_before == NOW + ASK_AGAIN

    provisioner.replies["status"] = (200, {"state": "active", "external_id": "vm-7"})
    Time.at = NOW + ASK_AGAIN
    work_all()

    order.refresh_from_db()
    assert order.state == "active"
    assert provisioner.events() == ["provision", "provision", "status", "status"]
    assert {(one.state, one.external_id, one.active_at) for one in resources(order)} == {("active", "vm-7", Time.at)}


def test_a_provisioner_may_answer_at_once(order, provisioner):
    provisioner.replies["provision"] = (200, {"state": "active", "external_id": "vm-1"})

    work_all()

    order.refresh_from_db()
    assert order.state == "active"
    assert Run.objects.get(kind="provision").state == "done"


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_call_that_may_pass_later_is_repeated_after_longer_and_longer_waits(order, provisioner, status):
    provisioner.replies["provision"] = (status, {"error": "busy"})
    waits = []
    while states(order) == {"ordered": 2} or states(order) == {"provisioning": 2}:
        work_all()
        point = Point.objects.get(run__kind="provision", is_final=False)
        if point.not_before:
            waits.append(point.not_before - Time.at)
            Time.at = point.not_before

    assert waits == list(BACK_OFF)
    assert len(provisioner.calls) == 2 * (len(BACK_OFF) + 1)
    order.refresh_from_db()
    assert order.state == "failed"
    (reason,) = {one.reason for one in resources(order)}
    assert reason == f'The provisioner answered {status}: {{"error": "busy"}}. It was called 6 times.'


def test_a_provisioner_that_comes_back_is_called_again_and_the_work_goes_on(order, provisioner, monkeypatch):
    def unreachable(**call):
        raise CallFailed("provisioner.example did not answer: timed out")

    with monkeypatch.context() as patch:
        patch.setattr(webhook, "post", unreachable)
        work_all()
    point = Point.objects.get(run__kind="provision", is_final=False)
    assert (point.reason, point.attempt) == ("provisioner.example did not answer: timed out", 0)

    provisioner.replies["provision"] = (201, {"state": "active", "external_id": "vm-2"})
    Time.at += timedelta(seconds=9)
    work_all()
    assert states(order) == {"provisioning": 2}
    Time.at += timedelta(seconds=1)
    work_all()

    assert states(order) == {"active": 2}


@pytest.mark.parametrize("status", [302, 400, 403, 404, 422])
def test_a_call_that_is_refused_fails_the_resource_at_once(order, provisioner, status):
    provisioner.replies["provision"] = (status, {"error": "no such package"})

    work_all()

    order.refresh_from_db()
    assert order.state == "failed"
    assert order_moves(order)[-1] == "failed"
    assert {one.reason for one in resources(order)} == {
        f'The provisioner answered {status}: {{"error": "no such package"}}.'
    }
    assert len(provisioner.calls) == 2


def test_a_reason_of_the_provisioner_reaches_the_buyer(order, provisioner):
    provisioner.replies["provision"] = (200, {"state": "failed", "reason": "No capacity in us-east-1."})

    work_all()

    assert {(one.state, one.reason) for one in resources(order)} == {("failed", "No capacity in us-east-1.")}


@pytest.mark.parametrize("body", [None, [], "yes", {"state": "on fire"}, {"state": ["active"]}, {"external_id": None}])
def test_a_reply_that_says_nothing_means_that_the_answer_comes_later(order, provisioner, body):
    provisioner.replies["provision"] = (200, body)

    work_all()

    assert states(order) == {"provisioning": 2}
    assert [one.accepted_at for one in resources(order)] == [NOW, NOW]


def test_an_address_inside_a_private_network_is_not_called_unless_a_setting_allows_it(order, provisioner, settings):
    settings.PRIVATE_WEBHOOKS = False
    WebhookEndpoint.objects.update(url=provisioner.url.replace("http:", "https:"))

    work_all()

    assert provisioner.calls == []
    assert {(one.state, one.reason) for one in resources(order)} == {
        ("failed", "127.0.0.1 is at 127.0.0.1, an address inside a private network.")
    }


@pytest.mark.parametrize("change", [{"is_active": False}, None])
def test_a_package_without_a_provisioner_fails_with_that_reason(order, endpoint, change):
    if change:
        WebhookEndpoint.objects.update(**change)
    else:
        endpoint.delete()

    work_all()

    assert {(one.state, one.reason) for one in resources(order)} == {
        ("failed", "No provisioner is set up for Virtual server.")
    }


def test_a_cancelled_resource_is_given_back_by_a_call_which_is_repeated_until_it_succeeds(order, provisioner, ana):
    provisioner.replies |= {"provision": (200, {"state": "active", "external_id": "vm-3"}), "cancel": (503, None)}
    work_all()
    one, other = resources(order)

    resource_cancel(resource_uuid=one.uuid, account_id=order.account_id, user=ana, now=NOW)
    work_all()

    one.refresh_from_db()
    assert (one.state, one.cancelled_at, one.released_at) == ("cancelled", NOW, None)
    assert one.reason == "The provisioner answered 503."
    provisioner.replies["cancel"] = (204, None)
    Time.at += BACK_OFF[0]
    work_all()

    one.refresh_from_db()
    assert (one.released_at, one.reason) == (Time.at, "")
    assert provisioner.events() == ["provision", "provision", "cancel", "cancel"]
    assert provisioner.calls[-1].message["external_id"] == "vm-3"
    other.refresh_from_db()
    assert other.state == "active"


def test_every_call_has_a_delivery_id_of_its_own_even_when_two_runs_give_the_same_machine_back(order, provisioner, ana):
    provisioner.replies |= {"provision": (200, {"state": "active", "external_id": "vm-3"}), "cancel": (503, None)}
    work_all()
    for one in resources(order):
        resource_cancel(resource_uuid=one.uuid, account_id=order.account_id, user=ana, now=NOW)
        work_all()
    Time.at += BACK_OFF[0]
    work_all()

    deliveries = [call.headers[DELIVERY_HEADER] for call in provisioner.calls]
    first, second = Run.objects.filter(kind="release").order_by("pk").values_list("pk", flat=True)
    one = resources(order)[0].uuid.hex
    asked = {delivery for delivery in deliveries if delivery.startswith(f"{one}-1-cancel-")}
    assert asked >= {f"{one}-1-cancel-{first}-1", f"{one}-1-cancel-{second}-1"}
    assert len(set(deliveries)) == len(deliveries)


def test_a_delivery_id_of_the_longest_numbers_is_still_one(order, provisioner):
    one = resources(order)[0]
    one.attempt = 999

    WebhookDriver().provision(resource=one, start=9_999, now=NOW, run_id=10**11)

    (call,) = provisioner.calls
    delivery = f"{one.uuid.hex}-999-provision-100000000000-9999"
    assert len(delivery) <= 64
    assert require_signed(secret=SECRET, headers=call.headers, body=call.body, now=NOW) == delivery


def test_a_machine_that_came_up_without_being_named_again_is_given_back_by_its_name(order, provisioner, ana):
    provisioner.replies["provision"] = (202, {"external_id": "vm-7"})
    work_all()
    provisioner.replies["status"] = (200, {"state": "active"})
    Time.at += ASK_AGAIN
    work_all()

    order_cancel_placed(order_id=order.pk, account_id=order.account_id, user=ana, now=Time.at)
    work_all()

    assert {one.external_id for one in resources(order)} == {"vm-7"}
    cancels = [call.message for call in provisioner.calls if call.message["event"] == "cancel"]
    assert [message["external_id"] for message in cancels] == ["vm-7", "vm-7"]


@pytest.mark.parametrize("status", [404, 410])
def test_what_the_provisioner_does_not_know_any_more_is_gone(order, provisioner, ana, status):
    work_all()
    provisioner.replies["cancel"] = (status, None)

    order_cancel_placed(order_id=order.pk, account_id=order.account_id, user=ana, now=NOW)
    Time.at += ASK_AGAIN
    work_all()

    assert {(one.state, one.released_at) for one in resources(order)} == {("cancelled", Time.at)}


def test_no_call_lasts_longer_than_a_third_of_a_usual_lease(settings):
    assert outgoing.CONNECT_SECONDS + outgoing.DEADLINE_SECONDS < settings.LEASE_SECONDS
