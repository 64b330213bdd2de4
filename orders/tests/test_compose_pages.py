"""The composer's pages as a buyer, a viewer and a stranger see them, with and without JavaScript."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict
from django.urls import reverse

from accounts.models import Role
from accounts.tests.factories import client_of, make_account, make_member, make_partner
from core.clock import now
from orders.models import BillingOrder, OrderContainer
from orders.placing import order_place
from orders.selectors import order_tree
from orders.tests.compose_shop import make_server_shop

CHOICE = "package=server&location=dal05&term=monthly&quantity=2&name=web&choice-server=small&choice-os=debian"
WHOLE = f"{CHOICE}&choice-disk0=sata"
PAGE_BUDGET = 24


@pytest.fixture
def shop(db):
    return make_server_shop()


@pytest.fixture
def buyer(shop, ana):
    return client_of(ana)


def page_of(client, query="", **headers):
    answer = client.get(f"{reverse('compose')}?{query}", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def post(client, name, query, **options):
    return client.post(reverse(name), QueryDict(query).copy(), **options)


def tree_of(order):
    return order_tree(order_id=order.pk, account_id=order.account_id)


def test_without_a_package_the_packages_are_offered(buyer):
    page = page_of(buyer)

    assert "What should it be?" in page
    assert "?package=server" in page
    assert "from $117.40" in page
    assert reverse("blueprint-list") in page


def test_the_page_shows_what_the_address_says_with_prices_and_totals(buyer):
    page = page_of(buyer, WHOLE)

    for words in ("$234.80", "$117.40", "$50.00", "$2,867.60", "$8,502.80", "can be ordered", "Start an order"):
        assert words in page, words
    assert 'value="sata" checked' in page
    assert "Not offered on monthly terms. Unpriced." in page


def test_problems_are_listed_with_a_link_to_their_place_and_a_click_that_settles_them(buyer):
    page = page_of(buyer, f"{CHOICE.replace('debian', 'windows').replace('monthly', 'hourly')}&hosts=-x")

    assert "3 things keep this from being ordered." in page
    for anchor in ("id_hosts", "category-os", "category-disk0"):
        assert f'<a href="#{anchor}">' in page
        assert f'id="{anchor}"' in page
    # Beside the category, and in the summary.
    assert page.count(">Take debian instead of windows</a>") == 2


def test_without_javascript_update_leads_to_the_address_of_what_was_typed(buyer):
    answer = post(buyer, "compose", f"{WHOLE}&quantity=many&hosts=db-{{n}}&choice-addon=&csrfmiddlewaretoken=secret")

    assert answer.status_code == 302
    query = parse_qs(urlsplit(answer["Location"]).query)
    assert query["hosts"] == ["db-{n}"]
    assert query["quantity"] == ["many"]
    assert "csrfmiddlewaretoken" not in query
    assert 'value="many"' in page_of(buyer, urlsplit(answer["Location"]).query)


def test_htmx_gets_the_parts_that_change_and_the_address_to_show(buyer):
    answer = buyer.get(f"{reverse('compose')}?{WHOLE}", headers={"HX-Request": "true"})

    page = answer.content.decode()
    assert "<html" not in page
    assert 'id="compose-parts"' in page
    assert page.count('hx-swap-oob="true"') == 6
    assert answer["HX-Push-Url"].startswith("/orders/compose/?package=server")


def test_a_mere_search_replaces_the_address_instead_of_adding_to_the_history(buyer):
    before = buyer.get(f"{reverse('compose')}?{WHOLE}", headers={"HX-Request": "true"})["HX-Push-Url"]

    answer = buyer.get(
        f"{reverse('compose')}?{WHOLE}&find-disk0=ssd",
        headers={"HX-Request": "true", "HX-Current-URL": f"http://north.localhost{before}"},
    )

    assert "HX-Push-Url" not in answer
    assert answer["HX-Replace-Url"] == f"{before}&find-disk0=ssd"


def test_adding_makes_a_draft_with_what_was_shown(buyer, account):
    answer = post(buyer, "compose-add", f"{WHOLE}&hosts=Web-{{n}}", follow=True)

    order = BillingOrder.objects.get()
    page = answer.content.decode()
    assert answer.redirect_chain == [(reverse("order-detail", args=[order.pk]), 302)]
    assert "A new draft begins with 2 × web: $234.80 a month." in page
    assert "<h1>2 web · $234.80 a month</h1>" in page
    assert "Place this order" in page
    assert order.account == account
    assert OrderContainer.objects.get().host_names == "web-{n}"


def test_adding_to_a_draft_and_going_on(buyer):
    post(buyer, "compose-add", WHOLE)
    order = BillingOrder.objects.get()

    answer = post(buyer, "compose-add", f"{WHOLE}&name=cache&order={order.pk}&then=another")

    assert answer["Location"] == f"{reverse('compose')}?order={order.pk}"
    assert [item.item.name for item in tree_of(order).items] == ["web", "cache"]
    assert f"?order={order.pk}&amp;package=server" in page_of(buyer, f"order={order.pk}")


def test_a_choice_that_breaks_rules_can_be_added_and_the_draft_names_what_is_wrong(buyer):
    page = post(buyer, "compose-add", CHOICE, follow=True).content.decode()

    assert "One thing keeps this order from being placed." in page
    assert "Disk0 is missing. Choose one." in page
    assert "Place this order" not in page


def test_what_cannot_be_kept_is_refused_with_everything_still_there(buyer):
    answer = post(buyer, "compose-add", f"{WHOLE}&quantity=0&name=&hosts=-x")

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "This is not in the order yet." in page
    for words in ('value="-x"', 'value="0"', 'value="sata" checked', "is not a host name"):
        assert words in page, words
    assert BillingOrder.objects.count() == 0


def test_an_amount_that_is_too_large_is_refused_in_words(buyer, shop):
    shop.items["sata"].prices.update(recurring_fee="999999999")

    answer = post(buyer, "compose-add", f"{WHOLE}&quantity=2")

    assert answer.status_code == 409
    assert "would come to more than 999999999.99" in answer.content.decode()
    assert BillingOrder.objects.count() == 0


def test_changing_a_part_begins_with_its_choices_and_keeps_its_place(buyer):
    post(buyer, "compose-add", f"{WHOLE}&choice-addon=backup&count-addon=2&hosts=web-{{n}}")
    order, container = BillingOrder.objects.get(), OrderContainer.objects.get()

    page = page_of(buyer, f"order={order.pk}&container={container.pk}")
    answer = post(
        buyer,
        "compose-add",
        f"{WHOLE.replace('small', 'large')}&quantity=1&order={order.pk}&container={container.pk}",
        follow=True,
    )

    for words in ("Keep this change", 'value="web-{n}"', "2 × backup", 'value="small" checked', "$270.80"):
        assert words in page, words
    assert "Changed: 1 × web: $317.40 a month." in answer.content.decode()
    assert OrderContainer.objects.get().pk == container.pk


def test_a_part_can_be_copied_removed_and_put_back(buyer):
    post(buyer, "compose-add", WHOLE)
    order, container = BillingOrder.objects.get(), OrderContainer.objects.get()
    detail = reverse("order-detail", args=[order.pk])

    buyer.post(reverse("container-copy", args=[order.pk, container.pk]))
    copied = buyer.get(detail).content.decode()
    buyer.post(reverse("container-remove", args=[order.pk, container.pk]))
    removed = buyer.get(detail).content.decode()
    buyer.post(reverse("container-restore", args=[order.pk]))
    restored = buyer.get(detail).content.decode()
    again = buyer.post(reverse("container-restore", args=[order.pk]), follow=True).content.decode()

    assert "<h1>4 web · $469.60 a month</h1>" in copied
    assert "<h1>2 web · $234.80 a month</h1>" in removed
    assert "2 × web was removed." in removed
    assert "<h1>4 web · $469.60 a month</h1>" in restored
    assert "was removed." not in restored
    assert "There is nothing to put back any more." in again
    assert OrderContainer.objects.count() == 2


def test_host_names_are_typed_beside_the_quantity(buyer):
    post(buyer, "compose-add", WHOLE)
    order, container = BillingOrder.objects.get(), OrderContainer.objects.get()
    typed = {"name": "Shop", f"quantity-{container.pk}": "3", f"host-names-{container.pk}": "web-{n}"}

    page = buyer.post(reverse("order-update", args=[order.pk]), typed, follow=True).content.decode()
    wrong = buyer.post(reverse("order-update", args=[order.pk]), typed | {f"host-names-{container.pk}": "a_b"})

    assert 'value="web-{n}"' in page
    assert wrong.status_code == 422
    assert "is not a host name" in wrong.content.decode()
    container.refresh_from_db()
    assert (container.quantity, container.host_names) == (3, "web-{n}")


def test_a_placed_order_shows_the_names_of_its_machines(buyer, ana):
    post(buyer, "compose-add", f"{WHOLE}&quantity=6&hosts=web-{{n}}")
    order = BillingOrder.objects.get()

    order_place(order_id=order.pk, account_id=order.account_id, user=ana, now=now(), shown_monthly=None)

    assert "web-1 … web-6" in buyer.get(reverse("order-detail", args=[order.pk])).content.decode()


def test_equal_disks_of_an_order_are_read_as_one_line(buyer):
    post(buyer, "compose-add", f"{WHOLE.replace('small', 'large')}&choice-disk1=ssd&choice-disk2=ssd")
    order = BillingOrder.objects.get()

    page = buyer.get(reverse("order-detail", args=[order.pk])).content.decode()
    (groups,) = (node.groups for node in tree_of(order).containers)

    assert "2 × ssd" in page
    assert "Disk1 … Disk2" in page
    assert [(group.count, str(group.owed.monthly)) for group in groups] == [
        (1, "$600.00"),
        (1, "$0.00"),
        (1, "$34.80"),
        (2, "$333.52"),
    ]


def test_nothing_is_added_to_a_placed_order_and_the_page_says_why(buyer, ana):
    post(buyer, "compose-add", WHOLE)
    order = BillingOrder.objects.get()
    order_place(order_id=order.pk, account_id=order.account_id, user=ana, now=now(), shown_monthly=None)

    answers = [
        post(buyer, "compose-add", f"{WHOLE}&order={order.pk}", follow=True),
        buyer.get(f"{reverse('compose')}?order={order.pk}", follow=True),
    ]

    for answer in answers:
        assert answer.redirect_chain == [(reverse("order-detail", args=[order.pk]), 302)]
        assert "placed this order on" in answer.content.decode()
    assert OrderContainer.objects.count() == 1


@pytest.mark.parametrize("word", ["999", "x", "-1", "٣", "9" * 30])
def test_an_order_a_part_or_a_package_that_is_not_there_is_not_found(buyer, word):
    post(buyer, "compose-add", WHOLE)
    order = BillingOrder.objects.get()

    for query in (f"order={word}", f"order={word}&{WHOLE}", f"order={order.pk}&container={word}", f"package={word}"):
        assert buyer.get(f"{reverse('compose')}?{query}").status_code == 404, query
    assert post(buyer, "compose-add", f"{WHOLE}&order={word}").status_code == 404
    assert post(buyer, "compose-add", f"{WHOLE}&order={order.pk}&container={word}").status_code == 404
    assert OrderContainer.objects.count() == 1


def test_the_other_partners_buyer_reaches_nothing_of_a_draft(buyer):
    post(buyer, "compose-add", f"{WHOLE}&hosts=web-{{n}}")
    order, container = BillingOrder.objects.get(), OrderContainer.objects.get()
    harbor = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    bo = client_of(make_member(harbor, email="bo@harbor.example"), host="harbor.localhost")

    for query in (f"order={order.pk}", f"order={order.pk}&{WHOLE}", f"order={order.pk}&container={container.pk}"):
        assert bo.get(f"{reverse('compose')}?{query}").status_code == 404
    for query in (f"{WHOLE}&order={order.pk}", f"{WHOLE}&order={order.pk}&container={container.pk}"):
        assert post(bo, "compose-add", query).status_code == 404
    assert bo.get(f"{reverse('blueprint-list')}?order={order.pk}").status_code == 404
    assert OrderContainer.objects.count() == 1


def test_a_viewer_may_look_at_prices_and_add_nothing(buyer, account):
    viewer = client_of(make_member(account, email="vera@north.example", role=Role.VIEWER))

    page = page_of(viewer, WHOLE)

    assert "$234.80" in page
    assert "Start an order" not in page
    assert post(viewer, "compose-add", WHOLE).status_code == 403
    assert BillingOrder.objects.count() == 0


def test_strangers_are_sent_to_the_sign_in(shop):
    for name in ("compose", "blueprint-list"):
        assert client_of(None).get(reverse(name))["Location"].startswith("/sign-in/")


def test_the_page_stays_within_its_budget(buyer, django_assert_max_num_queries):
    post(buyer, "compose-add", WHOLE)
    order = BillingOrder.objects.get()

    with django_assert_max_num_queries(PAGE_BUDGET):
        page_of(buyer, f"{WHOLE}&order={order.pk}")
