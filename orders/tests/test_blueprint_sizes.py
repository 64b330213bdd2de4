"""A blueprint's own page: how many machines, where the services stand, and the order of exactly that."""

from urllib.parse import urlencode

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Role
from accounts.tests.factories import client_of, make_member
from catalog.models import BlueprintNeed, BlueprintRole, BlueprintService, Item, Location, Stock
from catalog.tests.factories import make_category
from orders.blueprint_sizes import machines_read, sizes_typed
from orders.models import BillingOrder
from orders.selectors import order_tree
from orders.tests.compose_shop import make_blueprint, make_server_shop

CLOUD = {
    "front": (1, [("server", "large"), ("disk0", "ssd")]),
    "workers": (3, [("server", "small"), ("disk0", "sata")]),
    "store": (1, [("server", "large"), ("disk0", "sata")]),
}


@pytest.fixture
def buyer(db, ana):
    """Return a buyer in a shop with a cloud: its block store shares the front while the store is left out."""
    shop = make_server_shop()
    roles = {role.name: role for role in make_blueprint(shop, "cloud", CLOUD).roles.all()}
    BlueprintRole.objects.filter(pk=roles["store"].pk).update(is_optional=True, quantity=0, least=2)
    web = BlueprintService(role=roles["front"], agents=roles["workers"], key_name="web", name="Web")
    block = BlueprintService(
        role=roles["store"], otherwise=roles["front"], key_name="block", name="Block store", sequence=1, shares_up_to=4
    )
    for service in (web, block):
        service.save()
    BlueprintNeed.objects.create(service=block, category=make_category("disk0"), item=shop.items["sata"])
    return client_of(ana)


def page(client, **query):
    return client.get(reverse("blueprint", args=["cloud"]), {"location": "dal05"} | query)


def order(client, **machines):
    data = {"blueprint": "cloud", "location": "dal05", "term": "monthly"}
    return client.post(
        reverse("blueprint-order"), data | {f"machines.{name}": number for name, number in machines.items()}
    )


def ordered():
    order = BillingOrder.objects.get()
    tree = order_tree(order_id=order.pk, account_id=order.account_id)
    return {
        item.item.name: (node.container.quantity, [line.line.item.key_name for line in node.lines])
        for item in tree.items
        for node in item.containers
    }


def test_the_page_asks_for_each_role_and_shows_the_services_on_its_machines(buyer):
    answer = page(buyer)

    assert [field.label for field in answer.context["always"]] == ["front", "workers"]
    assert [(field.label, field.typed, field.help) for field in answer.context["apart"]] == [
        ("store", "0", "Block store. None, or at least 2.")
    ]
    groups = answer.context["groups"]
    assert [(group.name, group.count, group.services, group.agents) for group in groups] == [
        ("front", 1, ("Web", "Block store"), ()),
        ("workers", 3, (), ("Web",)),
    ]
    assert answer.context["offer"].placement.warnings == ()
    assert "4 machines for 2 services" in answer.content.decode()


def test_what_is_asked_for_stands_in_the_address_and_is_placed_again(buyer):
    answer = page(buyer, **{"machines.store": "2", "machines.workers": "1,000"})

    assert [(group.name, group.count, group.boxes, group.more) for group in answer.context["groups"]] == [
        ("front", 1, 1, 0),
        ("workers", 1000, 24, 976),
        ("store", 2, 2, 0),
    ]
    assert 'value="1,000"' in answer.content.decode()


def test_beyond_its_limit_a_service_that_shares_is_warned_of(buyer):
    words = page(buyer, **{"machines.workers": "4"}).content.decode()

    assert (
        "Block store still shares the front in a whole of 5 machines. Beyond 4 give it a machine of its own." in words
    )
    assert "Start an order" in words


def test_the_order_has_the_machines_of_the_page_with_what_their_services_need(buyer):
    response = order(buyer, workers="2", store="0")

    assert response.status_code == 302
    machines = ordered()
    assert {name: quantity for name, (quantity, _) in machines.items()} == {"front": 1, "workers": 2}
    assert machines["front"][1].count("sata") == 1, "the block store that shares it brings its drive"


def test_apart_the_need_goes_with_the_service(buyer):
    order(buyer, store="2")

    machines = ordered()
    assert "sata" not in machines["front"][1]
    assert (machines["store"][0], machines["store"][1].count("sata")) == (2, 2)


@pytest.mark.parametrize(
    ("machines", "words"),
    [
        ({"store": "1"}, "store: at least 2, or none, not 1."),
        ({"front": "0"}, "A quantity is from 1 to 400,000, not 0."),
        ({"workers": "many"}, "workers: “many” is not a whole number."),
        ({"workers": "1,5"}, "workers: “1,5” is not a whole number."),
        ({"attic": "1"}, "Cloud has no role “attic”."),
    ],
)
def test_numbers_that_do_not_fit_make_no_order_and_are_told_on_the_page(buyer, machines, words):
    response = order(buyer, **machines)

    assert BillingOrder.objects.count() == 0
    assert response["Location"].startswith(reverse("blueprint", args=["cloud"]))
    told = buyer.get(response["Location"]).content.decode()
    assert words in told
    assert "Start an order" not in told
    (name, number), *_ = machines.items()
    assert urlencode({f"machines.{name}": number}) in response["Location"]


def test_a_draft_takes_the_machines_of_the_page(buyer):
    order(buyer)
    draft = BillingOrder.objects.get()

    shown = page(buyer, order=str(draft.pk)).content.decode()
    data = {"blueprint": "cloud", "location": "dal05", "order": str(draft.pk), "machines.workers": "9"}
    buyer.post(reverse("blueprint-order"), data)

    assert "Add to the order" in shown
    tree = order_tree(order_id=draft.pk, account_id=draft.account_id)
    quantities = [node.container.quantity for node in tree.containers]
    assert sorted(quantities) == [1, 1, 3, 9]


def stock_left(item, quantity):
    Stock.objects.create(
        item=Item.objects.get(key_name=item), location=Location.objects.get(key_name="dal05"), quantity_left=quantity
    )


def test_stock_counts_for_as_many_machines_as_are_asked_for(buyer):
    stock_left("small", 5)

    enough, too_many = (page(buyer, **{"machines.workers": number}) for number in ("5", "40"))

    assert enough.context["offer"].violations == ()
    assert [(each.code, each.field) for each in too_many.context["offer"].violations] == [("stock_short", "server")]
    assert "Start an order" not in too_many.content.decode()


def test_the_roles_of_a_blueprint_share_what_is_left_in_stock(buyer):
    stock_left("large", 3)

    enough, too_many = (
        page(buyer, **{"machines.front": number, "machines.store": "2"}).context["offer"] for number in "12"
    )

    assert enough.violations == ()
    assert [[each.code for each in role.violations] for role in too_many.roles] == [[], [], ["stock_short"]]


def test_a_viewer_sees_the_machines_and_starts_nothing(buyer, account):
    viewer = client_of(make_member(account, email="vera@north.example", role=Role.VIEWER))

    words = page(viewer).content.decode()

    assert "4 machines" in words
    assert "Start an order" not in words


def test_an_unknown_blueprint_or_draft_is_not_found(buyer):
    assert buyer.get(reverse("blueprint", args=["none"])).status_code == 404
    assert page(buyer, order="99").status_code == 404


@given(st.text(max_size=30), st.text(max_size=12))
def test_any_text_is_read_as_a_number_or_told(name, value):
    asked, problems = sizes_typed({f"machines.{name}": value})

    assert len(asked) + len(problems) == (1 if value.strip() else 0)
    assert all(role.name == name and role.quantity is not None and role.quantity >= 0 for role in asked)


@given(st.text(max_size=60))
def test_any_text_of_machines_is_read_or_told(words):
    asked, problems = machines_read(words)

    assert len(asked) + len(problems) == len([part for part in words.split(",") if part.strip()])
