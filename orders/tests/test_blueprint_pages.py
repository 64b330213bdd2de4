"""Presets and solutions as starting points of an order."""

import pytest
from django.urls import reverse

from accounts.models import Role
from accounts.tests.factories import client_of, make_member
from catalog.models import Blueprint, BlueprintRole, Package, Stock
from catalog.pricing import HOURS_PER_MONTH, Term
from catalog.tests.factories import make_package
from orders.blueprint_offers import blueprint_offers
from orders.models import BillingOrder
from orders.selectors import order_tree
from orders.tests.compose_shop import make_blueprint, make_server_shop
from orders.tests.factories import NOW

PAIR = {"Servers": (2, [("server", "large"), ("disk0", "ssd"), ("disk1", "ssd")])}
SET = {
    "web servers": (2, [("server", "small"), ("disk0", "sata")]),
    "database": (1, [("server", "large"), ("os", "windows"), ("disk0", "ssd")]),
}


@pytest.fixture
def shop(db):
    shop = make_server_shop()
    make_blueprint(shop, "fast-pair", PAIR)
    make_blueprint(shop, "shop-set", SET)
    return shop


@pytest.fixture
def buyer(shop, ana):
    return client_of(ana)


def offers_of(account, term=Term.MONTHLY, location_key="dal05"):
    return {
        offer.key_name: offer
        for offer in blueprint_offers(
            account=account, location_key=location_key, term=term, hours_per_month=HOURS_PER_MONTH, at=NOW
        )
    }


def contents(order):
    tree = order_tree(order_id=order.pk, account_id=order.account_id)
    return [
        (node.container.order_item.name, node.container.quantity, node.container.term, str(node.totals.monthly))
        for node in tree.containers
    ]


def start(client, blueprint, **more):
    data = {"blueprint": blueprint, "location": "dal05", "term": "monthly"} | more
    return client.post(reverse("blueprint-order"), data, follow=True)


def test_each_blueprint_has_its_price_here_and_is_filled_with_what_is_usual(shop, account):
    offers = offers_of(account)

    assert [(key, str(offer.totals.monthly), offer.is_valid) for key, offer in offers.items()] == [
        ("shop-set", "$638.18", True),
        ("fast-pair", "$933.52", True),
    ]
    assert offers["fast-pair"].roles[0].parts == ["large", "2 × ssd", "debian"]
    assert offers["fast-pair"].kind == "Server"
    assert offers["shop-set"].kind == "Solutions"


def test_a_role_that_is_monthly_only_is_offered_monthly_among_hourly_ones(shop, account):
    terms = [role.composition.term.value for role in offers_of(account, Term.HOURLY)["shop-set"].roles]

    assert terms == ["hourly", "monthly"]


def test_a_package_that_is_not_sold_there_is_offered_where_it_is(shop, account):
    offer = offers_of(account, location_key="us-east-1")["fast-pair"]

    assert offer.roles[0].composition.location.key_name == "ams01"


def test_a_blueprint_that_no_longer_fits_says_what_is_wrong(shop, account):
    shop.items["ssd"].prices.update(valid_to=NOW)

    offer = offers_of(account)["fast-pair"]

    assert [violation.code for violation in offer.violations] == ["unpriced", "unpriced"]


def test_blueprints_do_not_take_from_the_stock_of_each_other(shop, account):
    Stock.objects.create(
        item=shop.items["large"], location=shop.package.locations.get(key_name="dal05"), quantity_left=2
    )

    assert {key: offer.violations for key, offer in offers_of(account).items()} == {"shop-set": (), "fast-pair": ()}


@pytest.fixture
def half_sold(shop):
    """Let the web servers of the solution be of a package that was withdrawn."""
    withdrawn = make_package("old-servers", items=[shop.items["small"]], required=("server",))
    BlueprintRole.objects.filter(name="web servers").update(package=withdrawn)
    Package.objects.filter(pk=withdrawn.pk).update(is_active=False)


@pytest.mark.parametrize("is_active", [False, True])
def test_a_role_whose_package_is_not_sold_keeps_its_blueprint_from_being_ordered(half_sold, buyer, account, is_active):
    withdrawn = Package.objects.get(key_name="old-servers")
    Package.objects.filter(pk=withdrawn.pk).update(is_active=is_active)
    if is_active:
        withdrawn.locations.clear()
    offers = offers_of(account)

    offer = offers["shop-set"]
    shown = buyer.get(reverse("blueprint", args=["shop-set"])).content.decode()
    answer = start(buyer, "shop-set")

    assert [(each.code, each.field, each.words) for each in offer.violations] == [
        (
            "role_not_sold",
            "roles.web servers",
            "web servers: Old servers is no longer sold. Choose another blueprint.",
        )
    ]
    assert (offer.kind, offer.compose_url(None)) == ("Solutions", "")
    assert offers["fast-pair"].is_valid
    for page in (shown, answer.content.decode()):
        assert page.count("web servers: Old servers is no longer sold.") == 1
        assert "Start an order" not in page
    assert BillingOrder.objects.count() == 0


def test_the_page_lists_them_with_a_way_into_the_composer(buyer):
    page = buyer.get(f"{reverse('blueprint-list')}?location=dal05").content.decode()

    assert "2 compositions that fit together already" in page
    assert page.count("can be ordered") == 2
    assert page.count("Change it first") == 1
    assert "choice-disk1=ssd" in page


def test_the_way_into_the_composer_shows_the_same_price(buyer, account):
    url = offers_of(account)["fast-pair"].compose_url(None)

    page = buyer.get(url).content.decode()

    assert "$933.52" in page
    assert "can be ordered" in page


def test_one_click_makes_a_draft_of_all_roles(buyer):
    page = start(buyer, "shop-set").content.decode()

    order = BillingOrder.objects.get()
    assert order.name == "Shop set"
    assert contents(order) == [
        ("web servers", 2, "monthly", "$234.80"),
        ("database", 1, "monthly", "$403.38"),
    ]
    assert "Place this order" in page


def test_a_draft_takes_more_of_them(buyer):
    start(buyer, "shop-set")
    order = BillingOrder.objects.get()

    start(buyer, "shop-set", order=str(order.pk))
    start(buyer, "fast-pair", order=str(order.pk), term="hourly")

    assert [row[:3] for row in contents(order)] == [
        ("web servers", 2, "monthly"),
        ("web servers", 2, "monthly"),
        ("database", 1, "monthly"),
        ("database", 1, "monthly"),
        ("Servers", 2, "hourly"),
    ]


def test_a_blueprint_or_a_draft_that_is_not_there_is_not_found(buyer):
    for data in ({"blueprint": "none"}, {}, {"blueprint": "shop-set", "order": "99"}, {"order": "x"}):
        assert buyer.post(reverse("blueprint-order"), data).status_code == 404
    assert BillingOrder.objects.count() == 0


def test_a_viewer_sees_them_and_starts_nothing(shop, account):
    viewer = client_of(make_member(account, email="vera@north.example", role=Role.VIEWER))

    assert "Start an order" not in viewer.get(reverse("blueprint-list")).content.decode()
    assert viewer.post(reverse("blueprint-order"), {"blueprint": "shop-set"}).status_code == 403
    assert BillingOrder.objects.count() == 0


def test_without_any_the_page_offers_the_composer(buyer):
    Blueprint.objects.all().delete()

    assert "No presets yet" in buyer.get(reverse("blueprint-list")).content.decode()
