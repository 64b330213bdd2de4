"""Pages of resources: on the order, in lists, and the way to take up again or cancel."""

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of, make_account, make_member
from jobs import bells
from orders.fulfilment.presenting import heading_of
from orders.fulfilment.selectors import Counts
from orders.models import Resource
from orders.tests.factories import make_draft, role
from orders.tests.fulfilment_steps import begin, place, states, work_all


@pytest.fixture(autouse=True)
def at_once(settings, monkeypatch):
    settings.SIMULATED_SECONDS, settings.SIMULATED_FAILURES = 0, 0
    monkeypatch.setattr(bells, "ring_for_waiting", lambda *, now: 0)


@pytest.fixture
def placed(draft, ana):
    return place(draft, ana)


@pytest.fixture
def buyer(ana):
    return client_of(ana)


def read(client, name, *args, **query):
    return client.get(reverse(name, args=args), query).content.decode()


def of(order):
    return Resource.objects.filter(container__order_item__order=order)


@pytest.mark.parametrize(
    ("found", "state", "words"),
    [
        ({"ordered": 12}, "placed", "12 resources ordered, nothing begun"),
        ({"ordered": 1}, "pending_approval", "1 resource ordered, nothing begun"),
        ({"ordered": 12}, "provisioning", "0 of 12 resources are active, 12 to come"),
        ({"provisioning": 1}, "provisioning", "0 of 1 resource is active, 1 to come"),
        ({"active": 1200, "provisioning": 1790, "failed": 10}, "provisioning",
         "1,200 of 3,000 resources are active, 1,790 to come, 10 failed"),
        ({"active": 12}, "active", "12 resources active"),
        ({"active": 11, "cancelled": 1}, "active", "11 resources active"),
        ({"active": 9, "failed": 3}, "failed", "9 of 12 resources are active, 3 failed"),
        ({"cancelled": 12}, "cancelled", "12 resources cancelled"),
    ],
)  # fmt: skip
def test_the_heading_says_how_far_it_is(found, state, words):
    assert heading_of(Counts(found), state=state) == words


def test_a_draft_shows_no_resources(draft, buyer):
    assert 'id="fulfilment"' not in read(buyer, "order-detail", draft.pk)
    assert buyer.get(reverse("order-fulfilment", args=[draft.pk])).content == b""


def test_the_order_s_page_shows_progress_and_asks_again_until_all_is_there(placed, buyer):
    begin(placed)

    page = read(buyer, "order-detail", placed.pk)
    assert "0 of 12 resources are active, 12 to come" in page
    assert 'hx-trigger="every 1s"' in page
    poll = buyer.get(reverse("order-fulfilment", args=[placed.pk]))
    assert "HX-Refresh" not in poll
    assert "12 to come" in poll.content.decode()

    work_all()
    assert buyer.get(reverse("order-fulfilment", args=[placed.pk]))["HX-Refresh"] == "true"
    page = read(buyer, "order-detail", placed.pk)
    assert "12 resources active" in page
    assert 'hx-trigger="every' not in page
    assert "Approved" in page
    assert "No approval was needed." in page


def test_where_people_do_the_work_the_page_asks_less_often(shop, draft, ana, buyer):
    shop.package.driver = "manual"
    shop.package.save()
    order = begin(place(draft, ana))

    assert 'hx-trigger="every 30s"' in read(buyer, "order-detail", order.pk)


def test_one_press_takes_up_again_what_failed(placed, buyer, settings):
    settings.SIMULATED_FAILURES = 1
    begin(placed)
    work_all()
    page = read(buyer, "order-detail", placed.pk)
    assert "0 of 12 resources are active, 12 failed" in page
    assert "The simulated machine did not come up." in page
    settings.SIMULATED_FAILURES = 0

    answer = buyer.post(reverse("order-retry", args=[placed.pk]), follow=True)

    assert "What failed is taken up again." in answer.content.decode()
    work_all()
    assert states(placed) == {"active": 12}


def test_taking_up_again_what_has_not_failed_is_refused_in_words(placed, buyer):
    answer = buyer.post(reverse("order-retry", args=[placed.pk]), follow=True)

    assert "Only a failed order is taken up again." in answer.content.decode()
    assert states(placed) == {"ordered": 12}


def test_cancelling_says_first_what_it_means(placed, buyer):
    begin(placed)
    work_all()

    page = read(buyer, "order-cancel-placed", placed.pk)
    assert "12 resources are active and will be given back." in page
    assert states(placed) == {"active": 12}
    answer = buyer.post(reverse("order-cancel-placed", args=[placed.pk]), {"why": "Done."}, follow=True)

    assert "Order 1 is cancelled." in answer.content.decode()
    assert states(placed) == {"cancelled": 12}


def test_one_resource_can_be_cancelled(placed, buyer):
    one = of(placed).first()
    page = read(buyer, "resource-cancel", one.uuid)
    assert "None of it became active, so nothing is owed." in page

    answer = buyer.post(reverse("resource-cancel", args=[one.uuid]), {}, follow=True)

    assert f"{one} is cancelled." in answer.content.decode()
    assert states(placed) == {"ordered": 11, "cancelled": 1}
    again = buyer.post(reverse("resource-cancel", args=[one.uuid]), {}, follow=True)
    assert "is cancelled already." in again.content.decode()


@pytest.mark.parametrize("name", ["order-retry", "order-cancel-placed", "resource-cancel"])
def test_a_viewer_may_look_and_not_touch(placed, account, name):
    viewer = client_of(make_member(account, email="vic@north.example", role="viewer"))
    what = of(placed).first().uuid if name == "resource-cancel" else placed.pk

    assert viewer.post(reverse(name, args=[what]), {}).status_code == 403
    assert states(placed) == {"ordered": 12}
    page = read(viewer, "order-detail", placed.pk)
    assert "12 resources ordered" in page
    assert "Cancel this order" not in page


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_the_list_of_an_order_narrows_by_container_and_state(placed, buyer):
    storage = of(placed).filter(container__order_item__name="storage nodes")
    one = storage.first()
    Resource.objects.filter(pk=one.pk).update(state="failed", reason="Broken.")

    everything = read(buyer, "order-resources", placed.pk)
    assert everything.count("resource-uuid") == 12
    some = read(buyer, "order-resources", placed.pk, container=one.container_id)
    assert some.count("resource-uuid") == 10
    failed = read(buyer, "order-resources", placed.pk, container=one.container_id, state="failed")
    assert failed.count("resource-uuid") == 1
    assert str(one.uuid) in failed
    assert "Broken." in failed


@pytest.mark.parametrize(
    "query", [{"state": "on fire"}, {"state": "active"}, {"container": "x"}, {"page": "x"}], ids=str
)
def test_odd_questions_get_an_answer(placed, buyer, query):
    status = 404 if query.get("state") == "on fire" else 200

    assert buyer.get(reverse("order-resources", args=[placed.pk]), query).status_code == status
    assert buyer.get(reverse("resource-list"), query).status_code == status


def test_the_account_s_list_shows_all_orders_and_nobody_else_s(shop, placed, account, ana, buyer):
    other = make_account(partner=account.partner, name="Borealis Films")
    bo = make_member(other, email="bo@north.example")
    theirs = place(make_draft(shop=shop, account=other, user=bo, roles=[role("theirs", 1, "m1.small")]), bo)

    page = read(buyer, "resource-list")
    assert page.count("resource-uuid") == 12
    assert str(of(theirs).get().uuid) not in page
    assert read(client_of(bo), "resource-list").count("resource-uuid") == 1


def test_an_account_without_resources_is_told_what_the_page_is_for(buyer):
    assert "No resources yet" in read(buyer, "resource-list")


@pytest.mark.parametrize("count", [1, 10, 1000])
def test_lists_keep_their_budget(shop, account, ana, buyer, count, django_assert_max_num_queries):
    order = place(make_draft(shop=shop, account=account, user=ana, roles=[role("n", count, "m1.small")]), ana)

    with django_assert_max_num_queries(6):
        assert buyer.get(reverse("resource-list")).status_code == 200
    with django_assert_max_num_queries(6):
        assert buyer.get(reverse("order-resources", args=[order.pk])).status_code == 200
    with django_assert_max_num_queries(8):
        assert buyer.get(reverse("order-fulfilment", args=[order.pk])).status_code == 200


def test_a_long_list_comes_in_pages(shop, account, ana, buyer):
    place(make_draft(shop=shop, account=account, user=ana, roles=[role("n", 120, "m1.small")]), ana)

    assert "Page 1 of 3" in read(buyer, "resource-list")
    last = read(buyer, "resource-list", page=3, state="ordered")
    assert last.count("resource-uuid") == 20
    assert "?state=ordered&amp;page=2" in last
