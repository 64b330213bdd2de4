"""The pages of orders, as a buyer, a viewer and a stranger see them."""

import pytest
from django.urls import reverse

from accounts.models import Role
from accounts.tests.factories import client_of, make_account, make_member, make_partner
from core.clock import now
from orders.models import BillingOrder, OrderContainer
from orders.placing import order_place
from orders.tests.factories import NOW, PROXIES, make_draft, replace_price, role

PAGE_BUDGET = 20
LIST_BUDGET = 10


@pytest.fixture
def buyer(ana):
    return client_of(ana)


def address(name, *args):
    return reverse(name, args=args)


def container_of(order, item_name):
    return OrderContainer.objects.get(order_item__order=order, order_item__name=item_name)


def place(order, user):
    return order_place(order_id=order.pk, account_id=order.account_id, user=user, now=NOW, shown_monthly=None)


def test_a_draft_says_what_is_in_it_and_what_it_costs(draft, buyer):
    page = buyer.get(address("order-detail", draft.pk)).content.decode()

    assert "<h1>2 proxies, 10 storage nodes · $1,036.80 a month</h1>" in page
    for words in ("The m1.small", "$576.00", "$10.00", "$12,451.60", "$37,334.80", "Place this order"):
        assert words in page


def test_one_machine_is_not_counted_in_the_plural(shop, account, ana, buyer):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("proxies", 1, "m1.small")])

    assert "<h1>1 proxy · $57.60 a month</h1>" in buyer.get(address("order-detail", draft.pk)).content.decode()


def test_pressing_place_places_the_order_and_says_so(draft, buyer, ana):
    answer = buyer.post(address("order-place", draft.pk), {"shown_monthly": "1036.80"}, follow=True)

    page = answer.content.decode()
    assert answer.redirect_chain == [(address("order-detail", draft.pk), 302)]
    assert "Order 1 is placed." in page
    assert "Place this order" not in page
    draft.refresh_from_db()
    assert (draft.state, draft.placed_by) == ("placed", ana)


def test_who_presses_second_is_told_who_was_first_and_when(draft, ana, account):
    place(draft, ana)
    ben = client_of(make_member(account, email="ben@north.example"))

    answer = ben.post(address("order-place", draft.pk), {"shown_monthly": "1036.80"})

    assert answer.status_code == 409
    page = answer.content.decode()
    assert "ana@north.example placed this order on 3 May 2026 at 12:03 UTC as Order 1." in page
    assert "Nothing was changed by you." in page
    assert BillingOrder.objects.get().placed_by == ana


def test_a_changed_price_is_shown_before_and_after_and_taken_by_one_click(draft, shop, buyer):
    replace_price(shop.items["m1.small"], hourly="0.10", at=now())

    refused = buyer.post(address("order-place", draft.pk), {"shown_monthly": "1036.80"})
    refreshed = buyer.post(address("order-refresh", draft.pk), follow=True)

    assert refused.status_code == 409
    assert "$576.00 → $720.00 a month" in refused.content.decode()
    assert "Take today&#x27;s prices" in refused.content.decode() or "Take today's prices" in refused.content.decode()
    assert "<h1>2 proxies, 10 storage nodes · $1,180.80 a month</h1>" in refreshed.content.decode()
    assert "Place this order" in refreshed.content.decode()


def test_a_page_that_lost_its_price_places_nothing(draft, buyer):
    answer = buyer.post(address("order-place", draft.pk), {"shown_monthly": ""})

    assert answer.status_code == 409
    assert "nothing was placed" in answer.content.decode()
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_all_problems_of_a_draft_are_listed_with_a_link_to_their_place(shop, account, ana, buyer):
    roles = [PROXIES, role("storage nodes", 1, "m9.unpriced", system=None)]
    draft = make_draft(shop=shop, account=account, user=ana, roles=roles)

    page = buyer.get(address("order-detail", draft.pk)).content.decode()

    assert "2 things keep this order from being placed." in page
    assert page.count('<a href="#items-1-containers-0">') == 2
    assert 'id="items-1-containers-0"' in page
    assert "<h1>2 proxies, 1 storage node · ≥ $460.80 a month, 1 part unpriced</h1>" in page
    assert "Place this order" not in page


def test_quantities_and_the_name_are_changed_on_the_page(draft, buyer):
    proxies, storage = container_of(draft, "proxies"), container_of(draft, "storage nodes")
    typed = {"name": "Archive", f"quantity-{proxies.pk}": "3", f"quantity-{storage.pk}": "10"}

    page = buyer.post(address("order-update", draft.pk), typed, follow=True).content.decode()

    assert "<h1>3 proxies, 10 storage nodes · $1,267.20 a month</h1>" in page
    assert "Archive" in page


def test_a_quantity_that_is_none_is_explained_and_what_was_typed_stays(draft, buyer):
    proxies, storage = container_of(draft, "proxies"), container_of(draft, "storage nodes")
    typed = {"name": "Archive", f"quantity-{proxies.pk}": "0", f"quantity-{storage.pk}": "11"}

    answer = buyer.post(address("order-update", draft.pk), typed)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Ensure this value is greater than or equal to 1." in page
    assert 'value="Archive"' in page
    assert 'value="11"' in page
    assert container_of(draft, "storage nodes").quantity == 10


def test_removing_a_part_asks_once(draft, buyer):
    proxies = container_of(draft, "proxies")
    remove = address("container-remove", draft.pk, proxies.pk)

    asked = buyer.get(remove).content.decode()
    page = buyer.post(remove, follow=True).content.decode()

    assert "becomes cheaper by $460.80 a month" in asked
    assert "<h1>10 storage nodes · $576.00 a month</h1>" in page


def test_a_part_that_is_gone_is_not_found(draft, buyer):
    remove = address("container-remove", draft.pk, 999)

    assert buyer.get(remove).status_code == 404
    assert buyer.post(remove).status_code == 404


def test_cancelling_asks_once_and_keeps_the_reason(draft, buyer):
    asked = buyer.get(address("order-cancel", draft.pk)).content.decode()
    page = buyer.post(address("order-cancel", draft.pk), {"why": "Too dear."}, follow=True).content.decode()

    assert "Cancel this draft?" in asked
    assert "Too dear." in page
    draft.refresh_from_db()
    assert draft.state == "cancelled"


def test_cancelling_a_placed_order_is_refused_with_the_reason(draft, ana, buyer):
    place(draft, ana)

    answer = buyer.post(address("order-cancel", draft.pk), {"why": ""})

    assert answer.status_code == 409
    assert "placed this order on" in answer.content.decode()


def test_a_viewer_reads_an_order_and_cannot_change_it(draft, account):
    viewer = client_of(make_member(account, email="vera@north.example", role=Role.VIEWER))

    page = viewer.get(address("order-detail", draft.pk)).content.decode()

    assert "<h1>2 proxies, 10 storage nodes · $1,036.80 a month</h1>" in page
    assert "Place this order" not in page
    assert "Cancel this draft" not in page
    for name in ("order-place", "order-update", "order-refresh", "order-cancel"):
        assert viewer.post(address(name, draft.pk)).status_code == 403
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_the_other_partners_buyer_finds_no_such_order(draft):
    harbor = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    bo = client_of(make_member(harbor, email="bo@harbor.example"), host="harbor.localhost")
    container = container_of(draft, "proxies")

    answers = [bo.get(address("order-detail", draft.pk)), bo.get(address("order-cancel", draft.pk))]
    for name in ("order-place", "order-update", "order-refresh", "order-cancel"):
        answers.append(bo.post(address(name, draft.pk), {"shown_monthly": "1036.80"}))
    answers.append(bo.post(address("container-remove", draft.pk, container.pk)))

    assert [answer.status_code for answer in answers] == [404] * 7
    assert "Storage for backups" not in bo.get(address("order-list")).content.decode()
    draft.refresh_from_db()
    assert draft.state == "draft"
    assert container_of(draft, "proxies").quantity == 2


def test_strangers_are_sent_to_the_sign_in(draft):
    answer = client_of(None).get(address("order-detail", draft.pk))

    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in/")


def test_the_list_says_what_each_order_holds_and_costs(draft, buyer):
    page = buyer.get(address("order-list")).content.decode()

    assert "1 order of Aurora Studios" in page
    assert "2 proxies, 10 storage nodes" in page
    assert "$1,036.80" in page


def test_an_empty_list_offers_the_first_step(account, buyer):
    page = buyer.get(address("order-list")).content.decode()

    assert "No orders yet" in page
    assert reverse("plan-new") in page


def test_home_gets_the_newest_orders_as_a_fragment(draft, buyer):
    page = buyer.get(address("order-recent")).content.decode()

    assert "Storage for backups" in page
    assert "<html" not in page


def test_the_pages_of_many_orders_take_no_more_queries_than_their_budgets(
    shop, account, ana, buyer, django_assert_max_num_queries
):
    for _ in range(12):
        draft = make_draft(shop=shop, account=account, user=ana)

    with django_assert_max_num_queries(LIST_BUDGET):
        buyer.get(address("order-list"))
    with django_assert_max_num_queries(LIST_BUDGET):
        buyer.get(address("order-recent"))
    with django_assert_max_num_queries(PAGE_BUDGET):
        buyer.get(address("order-detail", draft.pk))


def test_staff_read_orders_in_the_admin_and_cannot_edit_them(draft, admin_client):
    page = admin_client.get(reverse("admin:orders_billingorder_change", args=[draft.pk]))
    refused = admin_client.post(reverse("admin:orders_billingorder_change", args=[draft.pk]), {"name": "Mine"})

    assert page.status_code == 200
    assert refused.status_code == 403
    assert BillingOrder.objects.get().name == "Storage for backups"
