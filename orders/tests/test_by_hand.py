"""Machines that the operator's staff set up: their services and their work list."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of, make_operator
from core.errors import RuleBroken
from core.models import AuditEntry
from jobs import bells
from jobs.models import Run
from orders.fulfilment.by_hand import (
    resource_mark_active,
    resource_mark_failed,
    resource_mark_released,
    resource_take,
)
from orders.fulfilment.cancelling import order_cancel_placed
from orders.models import Resource
from orders.tests.factories import NOW, make_draft, role
from orders.tests.fulfilment_steps import begin, moves_of, place, states

LATER = NOW + timedelta(hours=3)
WORK = reverse("work-list")
OPERATORS_SIGN_IN = 4
"""Session, memberships, user, partner of the host, and whether he serves one: without an account, each by itself."""


@pytest.fixture(autouse=True)
def quiet_bells(monkeypatch):
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def order(shop, account, ana):
    """An order of two machines that people set up, begun."""
    shop.package.driver = "manual"
    shop.package.save()
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("nodes", 2, "m1.small")])
    return begin(place(draft, ana))


@pytest.fixture
def one(order):
    return Resource.objects.filter(container__order_item__order=order).earliest("index")


@pytest.fixture
def op(db):
    return make_operator()


@pytest.fixture
def staff(op):
    return client_of(op)


def test_what_people_set_up_waits_for_them_and_not_for_a_worker(order):
    assert states(order) == {"provisioning": 2}
    assert not Run.objects.exists()


def test_a_resource_is_taken_on_by_one_person(one, op):
    second = make_operator("second@rackwright.example")
    resource_take(resource_uuid=one.uuid, user=op, now=LATER)

    with pytest.raises(RuleBroken) as refusal:
        resource_take(resource_uuid=one.uuid, user=second, now=LATER)

    assert refusal.value.code == "resource_already_taken"
    assert refusal.value.words == f"op@rackwright.example took {one} on before."
    one.refresh_from_db()
    assert one.taken_by == op
    assert AuditEntry.objects.filter(subject=f"work:{one.uuid}").count() == 1


def test_an_order_is_active_once_people_say_that_all_of_it_is_there(order, one, op):
    resource_mark_active(resource_uuid=one.uuid, user=op, now=LATER, external_id=" rack 7, unit 12 ")
    order.refresh_from_db()
    assert order.state == "provisioning"
    other = Resource.objects.exclude(pk=one.pk).get()
    resource_mark_active(resource_uuid=other.uuid, user=op, now=LATER, external_id="rack 7, unit 13")

    order.refresh_from_db()
    assert order.state == "active"
    one.refresh_from_db()
    assert (one.state, one.external_id, one.active_at) == ("active", "rack 7, unit 12", LATER)
    assert AuditEntry.objects.get(subject=one.subject, to_state="active").actor == op.email


def test_a_failure_tells_the_buyer_why(order, one, op):
    other = Resource.objects.exclude(pk=one.pk).get()
    resource_mark_failed(resource_uuid=one.uuid, user=op, now=LATER, reason="The board is broken.")
    resource_mark_active(resource_uuid=other.uuid, user=op, now=LATER, external_id="rack 7")

    order.refresh_from_db()
    assert order.state == "failed"
    one.refresh_from_db()
    assert (one.state, one.reason) == ("failed", "The board is broken.")


@pytest.mark.parametrize(
    ("service", "said", "code"),
    [
        (resource_mark_active, {"external_id": " "}, "external_id_missing"),
        (resource_mark_active, {"external_id": "x" * 121}, "external_id_missing"),
        (resource_mark_failed, {"reason": ""}, "reason_missing"),
        (resource_mark_released, {}, "resource_not_cancelled"),
    ],
)
def test_what_does_not_say_enough_changes_nothing(one, op, service, said, code):
    with pytest.raises(RuleBroken) as refusal:
        service(resource_uuid=one.uuid, user=op, now=LATER, **said)

    assert refusal.value.code == code
    one.refresh_from_db()
    assert one.state == "provisioning"


@pytest.mark.parametrize(
    ("service", "said"), [(resource_take, {}), (resource_mark_active, {"external_id": "vm-1"})], ids=["take", "active"]
)
def test_only_what_people_set_up_is_set_up_by_people(one, op, service, said):
    Resource.objects.update(driver="webhook")

    with pytest.raises(RuleBroken) as refusal:
        service(resource_uuid=one.uuid, user=op, now=LATER, **said)

    assert refusal.value.code == "resource_of_another_driver"
    one.refresh_from_db()
    assert (one.state, one.taken_by) == ("provisioning", None)


def test_saying_twice_that_a_machine_is_there_makes_it_active_once(one, op):
    resource_mark_active(resource_uuid=one.uuid, user=op, now=LATER, external_id="rack 7")

    with pytest.raises(RuleBroken) as refusal:
        resource_mark_active(resource_uuid=one.uuid, user=op, now=LATER, external_id="rack 8")

    assert refusal.value.code == "resource_not_provisioning"
    assert len(moves_of(one)) == 2
    one.refresh_from_db()
    assert one.external_id == "rack 7"


def test_a_cancelled_machine_stays_in_the_work_list_until_it_is_gone(order, one, op, ana, staff):
    resource_take(resource_uuid=one.uuid, user=op, now=LATER)
    order_cancel_placed(order_id=order.pk, account_id=order.account_id, user=ana, now=LATER)

    untouched = Resource.objects.exclude(pk=one.pk).get()
    assert untouched.released_at == LATER, "nobody had begun to set it up"
    page = staff.get(WORK).content.decode()
    assert "1 resource waits for somebody" in page
    assert "Give back nodes, 1 of 2" in page

    staff.post(WORK, {"resource": str(one.uuid), "action": "released"})
    one.refresh_from_db()
    assert one.released_at is not None
    assert "Nothing to do" in staff.get(WORK).content.decode()
    with pytest.raises(RuleBroken) as refusal:
        resource_mark_released(resource_uuid=one.uuid, user=op, now=LATER)
    assert refusal.value.code == "resource_already_released"


def test_the_work_list_takes_staff_from_the_order_to_the_active_machine(order, one, op, staff):
    page = staff.get(WORK).content.decode()
    for words in ("2 resources wait for somebody", "The m1.small", "Order 1 of Aurora Studios, North", "Take it on"):
        assert words in page

    for action, said in [("take", {}), ("active", {"external_id": "rack 7"})]:
        answer = staff.post(WORK, {"resource": str(one.uuid), "action": action, **said}, follow=True)
    assert f"{one} is active, known as rack 7." in answer.content.decode()
    one.refresh_from_db()
    assert (one.state, one.taken_by) == ("active", op)
    other = Resource.objects.exclude(pk=one.pk).get()
    staff.post(WORK, {"resource": str(other.uuid), "action": "failed", "reason": "The board is broken."})

    order.refresh_from_db()
    assert order.state == "failed"


@pytest.mark.parametrize(
    "sent", [{}, {"action": "take"}, {"resource": "x", "action": "take"}, {"action": "explode"}], ids=str
)
def test_a_form_that_says_nothing_useful_changes_nothing(one, staff, sent):
    answer = staff.post(WORK, {"resource": str(one.uuid)} | sent if "action" in sent else sent, follow=True)

    if sent.get("resource") == "x" or sent.get("action") != "take":
        assert "Nothing was done" in answer.content.decode()
    one.refresh_from_db()
    assert one.state == "provisioning"


def test_a_resource_that_does_not_exist_is_said_to_be_missing(staff, order):
    sent = {"resource": "00000000-0000-4000-8000-000000000000", "action": "take"}

    assert "There is no such resource." in staff.post(WORK, sent, follow=True).content.decode()


def test_a_refusal_is_shown_and_changes_nothing(one, staff):
    page = staff.post(WORK, {"resource": str(one.uuid), "action": "failed", "reason": ""}, follow=True)

    assert "Write why it failed" in page.content.decode()
    one.refresh_from_db()
    assert one.state == "provisioning"


def test_customers_do_not_see_the_work_list(order, one, ana):
    buyer = client_of(ana)

    assert buyer.get(WORK).status_code == 403
    assert buyer.post(WORK, {"resource": str(one.uuid), "action": "take"}).status_code == 403
    assert client_of(None).get(WORK)["Location"].startswith("/sign-in/")
    one.refresh_from_db()
    assert one.taken_by is None


def test_a_long_work_list_comes_in_pages(shop, account, ana, staff):
    shop.package.driver = "manual"
    shop.package.save()
    begin(place(make_draft(shop=shop, account=account, user=ana, roles=[role("n", 30, "m1.small")]), ana))

    for asked, pieces, words in [("1", 25, "Page 1 of 2"), ("2", 5, "Page 2 of 2"), ("9", 25, "Page 1 of 2"),
                                 ("0", 25, "Page 1 of 2"), ("x", 25, "Page 1 of 2")]:  # fmt: skip
        page = staff.get(WORK, {"page": asked}).content.decode()
        assert (page.count("<h2>Set up"), words in page, "30 resources wait" in page) == (pieces, True, True)


@pytest.mark.parametrize("count", [1, 25])
def test_the_work_list_keeps_its_budget(shop, account, ana, staff, count, django_assert_max_num_queries):
    shop.package.driver = "manual"
    shop.package.save()
    begin(place(make_draft(shop=shop, account=account, user=ana, roles=[role("n", count, "m1.small")]), ana))

    with django_assert_max_num_queries(OPERATORS_SIGN_IN + 2):
        assert staff.get(WORK).status_code == 200
