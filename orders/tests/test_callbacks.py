"""The answers of an external provisioner: believed when signed, taken in once, and harmless when repeated."""

import json
from datetime import timedelta

import pytest
from django.test import Client

from core.clock import now
from core.models import AuditEntry
from core.signing import SIGNATURE_HEADER, signed_headers
from jobs import bells
from jobs.models import Run
from orders.fulfilment.working import resources_begin
from orders.models import CallbackReceipt, Resource, WebhookEndpoint
from orders.tests.factories import make_draft, role
from orders.tests.fulfilment_steps import begin, moves_of, place, states

SECRET = "the secret of the test"
ADDRESS = "/api/provisioning/callback"


@pytest.fixture(autouse=True)
def quiet_bells(monkeypatch):
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def order(shop, account, ana):
    """An order of two machines that a provisioner works on."""
    shop.package.driver = "webhook"
    shop.package.save()
    WebhookEndpoint.objects.create(package=shop.package, url="https://provisioner.example/", secret=SECRET)
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("nodes", 2, "m1.small")])
    order = begin(place(draft, ana))
    run = Run.objects.get(kind="provision")
    for point in run.points.filter(is_final=False):
        resources_begin(parameters=run.parameters, point=point.parameters, now=now())
    return order


@pytest.fixture
def one(order):
    return Resource.objects.filter(container__order_item__order=order).earliest("index")


def said(resource, **changes):
    return {"resource": str(resource.uuid), "attempt": 1, "state": "active", "external_id": "vm-1"} | changes


def send(message, *, delivery="d-1", secret=SECRET, at=None, **headers):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    signed = signed_headers(secret=secret, delivery=delivery, body=body, now=at or now())
    client = Client(headers={"host": "anywhere.localhost"}, enforce_csrf_checks=True)
    return client.post(ADDRESS, data=body, content_type="application/json", headers=signed | headers)


def test_a_signed_answer_makes_its_resource_active_and_the_last_one_the_order(order, one):
    answer = send(said(one))

    assert (answer.status_code, answer.json()) == (
        200, {"resource": str(one.uuid), "state": "active", "external_id": "vm-1"},
    )  # fmt: skip
    assert states(order) == {"active": 1, "provisioning": 1}
    order.refresh_from_db()
    assert order.state == "provisioning"
    entry = AuditEntry.objects.get(subject=one.subject, to_state="active")
    assert entry.actor == "provisioner of virtual-server"

    other = Resource.objects.exclude(pk=one.pk).get()
    send(said(other, state="failed", reason="No capacity."), delivery="d-2")
    order.refresh_from_db()
    assert order.state == "failed"
    other.refresh_from_db()
    assert (other.state, other.reason) == ("failed", "No capacity.")


def test_the_same_answer_in_a_new_delivery_changes_nothing(one):
    send(said(one))
    one.refresh_from_db()
    before = (one.active_at, moves_of(one))

    answer = send(said(one), delivery="d-2")

    assert (answer.status_code, answer.json()["state"]) == (200, "active")
    one.refresh_from_db()
    assert (one.active_at, moves_of(one)) == before


def test_an_answer_without_a_name_keeps_the_one_that_was_told_when_it_was_taken_on(one):
    send(said(one, state="provisioning", external_id="vm-7"))

    answer = send(said(one, external_id=""), delivery="d-2")

    assert (answer.status_code, answer.json()["state"]) == (200, "active")
    one.refresh_from_db()
    assert (one.state, one.external_id) == ("active", "vm-7")


def test_the_same_answer_without_the_name_is_no_change_and_no_conflict(one):
    send(said(one))
    before = Resource.objects.values().get(pk=one.pk)

    answer = send(said(one, external_id=""), delivery="d-2")

    assert (answer.status_code, answer.json()["state"]) == (200, "active")
    assert Resource.objects.values().get(pk=one.pk) == before


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_replayed_delivery_is_refused(one):
    """Even where the state would allow it: the resource failed, was taken up again, and the old message comes back."""
    send(said(one, state="failed", reason="No capacity."))
    Resource.objects.filter(pk=one.pk).update(state="provisioning", reason="")

    answer = send(said(one, state="failed", reason="No capacity."))

    assert (answer.status_code, answer.json()["code"]) == (409, "callback_repeated")
    one.refresh_from_db()
    assert one.state == "provisioning"
    assert CallbackReceipt.objects.count() == 1


@pytest.mark.parametrize("away", [timedelta(minutes=6), timedelta(minutes=-6)])
def test_an_old_message_is_refused(one, away):
    answer = send(said(one), at=now() + away)

    assert (answer.status_code, answer.json()["code"]) == (401, "signature_too_old")
    one.refresh_from_db()
    assert (one.state, CallbackReceipt.objects.count()) == ("provisioning", 0)


@pytest.mark.parametrize("wrong", [{"secret": "another"}, {SIGNATURE_HEADER: "v1=00"}, {SIGNATURE_HEADER: ""}], ids=str)
def test_an_unknown_signature_is_refused(one, wrong):
    answer = send(said(one), **wrong)

    assert (answer.status_code, answer.json()["code"]) == (401, "signature_wrong")
    one.refresh_from_db()
    assert (one.state, CallbackReceipt.objects.count()) == ("provisioning", 0)


def test_a_message_without_signature_is_refused(one):
    answer = Client().post(ADDRESS, data=said(one), content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (401, "signature_wrong")


@pytest.mark.parametrize("case", ["unknown", "not a webhook's", "endpoint off"])
def test_nobody_learns_which_resources_there_are(one, case):
    """Also with the empty secret, which would fit where there is none."""
    message = said(one)
    if case == "unknown":
        message["resource"] = "00000000-0000-4000-8000-000000000000"
    elif case == "not a webhook's":
        Resource.objects.update(driver="manual")
    else:
        WebhookEndpoint.objects.update(is_active=False)

    for secret in ("", SECRET):
        answer = send(message, secret=secret)
        assert (answer.status_code, answer.json()["code"]) == (401, "signature_wrong")
    one.refresh_from_db()
    assert one.state == "provisioning"


def test_one_provisioner_cannot_speak_for_the_packages_of_another(one, shop):
    other = type(shop.package).objects.create(source="test", external_id="2", key_name="bare", name="Bare metal")
    WebhookEndpoint.objects.create(package=other, url="https://other.example/", secret="its own secret")

    assert send(said(one), secret="its own secret").status_code == 401


def test_an_answer_to_an_attempt_that_is_over_is_refused(one):
    Resource.objects.filter(pk=one.pk).update(attempt=2)

    answer = send(said(one))

    assert (answer.status_code, answer.json()["code"]) == (409, "attempt_over")
    one.refresh_from_db()
    assert one.state == "provisioning"


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ({"state": "cancelled", "cancelled_at": "2026-05-03T12:00Z"}, "active"),
        ({"state": "active", "active_at": "2026-05-03T12:00Z", "external_id": "vm-1"}, "failed"),
        ({"state": "active", "active_at": "2026-05-03T12:00Z", "external_id": "vm-9"}, "active"),
        ({"state": "failed", "reason": "Broken."}, "active"),
        ({"state": "active", "active_at": "2026-05-03T12:00Z", "external_id": "vm-1"}, "provisioning"),
    ],
)
@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_resource_that_is_not_provisioning_any_more_stays_as_it_is(one, facts, state):
    Resource.objects.filter(pk=one.pk).update(**facts)
    before = Resource.objects.values().get(pk=one.pk)

    answer = send(said(one, state=state))

    assert (answer.status_code, answer.json()["code"]) == (409, "resource_not_provisioning")
    assert Resource.objects.values().get(pk=one.pk) == before


def test_a_provisioner_may_say_that_it_has_begun(one):
    assert send(said(one, state="provisioning", external_id="job-5")).json()["state"] == "provisioning"

    one.refresh_from_db()
    assert (one.state, one.external_id) == ("provisioning", "job-5")
    assert one.accepted_at is not None


@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        (b"{", 400, "json_unreadable"),
        (b"\xff\xfe", 400, "json_unreadable"),
        ({"state": "active"}, 422, "input_refused"),
        ({"resource": "x", "attempt": 0, "state": "ordered", "more": 1}, 422, "input_refused"),
    ],
)
def test_what_has_not_the_right_shape_is_refused(one, message, status, code):
    answer = send(message)

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_the_address_takes_only_posts(db):
    assert Client().get(ADDRESS).status_code == 405
