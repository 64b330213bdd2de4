"""Resources over the API: what became of an order, piece by piece, and cancelling or trying again."""

import pytest

from jobs import bells
from orders.models import Resource
from orders.tests.fulfilment_steps import begin, place, states, work_all

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at_once(settings, monkeypatch):
    settings.SIMULATED_SECONDS, settings.SIMULATED_FAILURES = 0, 0
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def placed(draft, ana):
    return place(draft, ana)


@pytest.fixture
def one(placed):
    return Resource.objects.filter(container__order_item__order=placed).first()


def test_the_resources_of_an_order_are_known_by_their_uuids_from_the_moment_of_ordering(program, placed, one):
    page = program.get(f"/api/v1/orders/{placed.pk}/resources?page_size=100").json()

    assert page["count"] == 12
    assert len({each["uuid"] for each in page["results"]}) == 12
    found = next(each for each in page["results"] if each["uuid"] == str(one.uuid))
    assert found == {
        "uuid": str(one.uuid),
        "order": placed.pk,
        "order_number": 1,
        "item": one.container.order_item.name,
        "container": one.container_id,
        "index": 0,
        "package": "virtual-server",
        "location": "us-east-1",
        "host_name": "",
        "state": "ordered",
        "attempt": 0,
        "external_id": "",
        "reason": "",
        "ordered_at": "2026-05-03T12:03:00Z",
        "active_at": None,
        "cancelled_at": None,
        "href": f"/api/v1/resources/{one.uuid}",
    }
    assert program.get(found["href"]).json() == found


def test_a_program_follows_an_order_until_it_is_active(program, placed):
    begin(placed)
    counts = program.get(f"/api/v1/orders/{placed.pk}/fulfilment").json()
    assert counts == {
        "state": "provisioning",
        "resources": {"wanted": 12, "to_come": 12, "active": 0, "failed": 0, "cancelled": 0},
        "reasons": [],
    }

    work_all()

    assert program.get(f"/api/v1/orders/{placed.pk}/fulfilment").json()["state"] == "active"
    assert program.get("/api/v1/resources?state=active").json()["count"] == 12
    assert program.get("/api/v1/resources?state=failed").json()["count"] == 0
    assert program.get(f"/api/v1/orders/{placed.pk}").json()["state"] == "active"


def test_what_failed_is_taken_up_again_by_one_call(program, placed, settings):
    settings.SIMULATED_FAILURES = 1
    begin(placed)
    work_all()
    failed = program.get(f"/api/v1/orders/{placed.pk}/fulfilment").json()
    assert failed["reasons"] == [{"reason": "The simulated machine did not come up.", "resources": 12}]
    settings.SIMULATED_FAILURES = 0

    answer = program.post(f"/api/v1/orders/{placed.pk}/resources/retry")

    assert (answer.status_code, answer.json()["state"]) == (200, "provisioning")
    work_all()
    assert states(placed) == {"active": 12}


def test_taking_up_again_what_has_not_failed_is_a_conflict(program, placed):
    answer = program.post(f"/api/v1/orders/{placed.pk}/resources/retry")

    assert (answer.status_code, answer.json()["code"]) == (409, "order_not_failed")
    assert states(placed) == {"ordered": 12}


def test_an_order_and_a_single_resource_are_cancelled(program, placed, one):
    answer = program.post(f"/api/v1/resources/{one.uuid}/cancel", {"why": "One too many."})
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    assert answer.json()["cancelled_at"] is not None
    again = program.post(f"/api/v1/resources/{one.uuid}/cancel")
    assert (again.status_code, again.json()["code"]) == (409, "resource_already_cancelled")

    answer = program.post(f"/api/v1/orders/{placed.pk}/resources/cancel", {})

    assert answer.status_code == 200
    assert answer.json() == {
        "state": "cancelled",
        "resources": {"wanted": 0, "to_come": 0, "active": 0, "failed": 0, "cancelled": 12},
        "reasons": [],
    }


def test_a_draft_is_not_cancelled_by_this_call(program, draft):
    answer = program.post(f"/api/v1/orders/{draft.pk}/resources/cancel")

    assert (answer.status_code, answer.json()["code"]) == (409, "order_not_placed")
    draft.refresh_from_db()
    assert draft.state == "draft"


@pytest.mark.parametrize("query", ["state=on-fire", "page=0", "colour=red"])
def test_odd_questions_are_refused(program, placed, query):
    assert program.get(f"/api/v1/resources?{query}").status_code == 422


def test_a_page_beyond_the_last_is_not_there(program, placed):
    assert program.get("/api/v1/resources?page=9").status_code == 404


def test_another_account_sees_and_does_nothing(placed, one, stranger):
    for path in ("fulfilment", "resources"):
        assert stranger.get(f"/api/v1/orders/{placed.pk}/{path}").status_code == 404
    for path in ("resources/retry", "resources/cancel"):
        assert stranger.post(f"/api/v1/orders/{placed.pk}/{path}").status_code == 404
    assert stranger.get(f"/api/v1/resources/{one.uuid}").status_code == 404
    assert stranger.post(f"/api/v1/resources/{one.uuid}/cancel").status_code == 404
    assert stranger.get("/api/v1/resources").json()["count"] == 0
    assert states(placed) == {"ordered": 12}
