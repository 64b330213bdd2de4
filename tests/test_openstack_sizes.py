"""Fifty random sizes of the OpenStack cloud: each becomes an order that verifies with no edit, at the page's price."""

import random

import pytest

from accounts.tests.factories import make_account, make_member
from catalog.pricing import HOURS_PER_MONTH, Term
from core.clock import now
from orders.blueprint_offers import blueprint_page
from orders.blueprint_ordering import BlueprintAsked, RoleAsked, blueprint_look, order_of_blueprint
from orders.checking import order_check
from orders.placing import order_place
from orders.selectors import order_tree

pytestmark = pytest.mark.django_db

SIZES = 50
CLOUD = "openstack-cloud"
STORES = ("Image store", "Block store")
SERVICES = {
    *("identity", "dashboard", "compute", "network", "image", "block"),
    *("object", "orchestration", "telemetry", "database", "queue"),
}


@pytest.fixture
def account(shipped_catalogue):
    return make_account()


@pytest.fixture
def ana(account):
    return make_member(account)


def random_machines(rng, roles):
    """Return a number of machines for each role that it may have: few, as usual, or many."""
    machines = {}
    for role in roles:
        most = 200 if role.name == "Compute nodes" else role.least + 3
        machines[role.name] = rng.choice([0, rng.randint(role.least, most)] if role.is_optional else [role.least, most])
    return machines


def item_of(offer, role_name, category_code):
    (role,) = (role for role in offer.roles if role.composition.item_name == role_name)
    return [choice.item.key_name for choice in role.composition.choices if choice.category_code == category_code]


def test_fifty_random_sizes_verify_with_no_edit_at_the_price_that_was_shown(account, ana):
    rng = random.Random(6)
    page = blueprint_page(
        account=account, location_key="", term=Term.MONTHLY, hours_per_month=HOURS_PER_MONTH, at=now(), key_name=CLOUD
    )
    roles = page.offers[0].stored_roles
    places = [place.key_name for place in page.places]
    warned = set()

    for _ in range(SIZES):
        machines = random_machines(rng, roles)
        asked = BlueprintAsked(
            key_name=CLOUD,
            location_key=rng.choice(places),
            roles=tuple(RoleAsked(field=name, name=name, quantity=count) for name, count in machines.items()),
        )
        look = blueprint_look(account=account, asked=asked, at=now())
        order = order_of_blueprint(account=account, user=ana, asked=asked, now=now())
        check = order_check(order_id=order.pk, account_id=account.pk, now=now())

        assert (look.problems, look.offer.violations, check.violations) == ((), (), ()), machines
        assert check.totals == look.offer.totals
        tree = order_tree(order_id=order.pk, account_id=account.pk)
        ordered = {item.item.name: node.container.quantity for item in tree.items for node in item.containers}
        assert ordered == {name: count for name, count in machines.items() if count}
        stands = {rule.key_name: role for role, rules in look.offer.placement.services.items() for rule in rules}
        assert stands.keys() == SERVICES
        assert item_of(look.offer, stands["network"], "port_speed") == [
            "10_GBPS_REDUNDANT_PUBLIC_PRIVATE_NETWORK_UPLINKS"
        ]
        assert item_of(look.offer, stands["block"], "disk_controller") == ["DISK_CONTROLLER_RAID_10"]
        assert item_of(look.offer, stands["block"], "disk5") == ["HARD_DRIVE_600_GB_SAS_15K_RPM"]
        sharing = [name for name in STORES if not machines[name]] if sum(machines.values()) > 36 else []
        assert len(look.offer.placement.warnings) == bool(sharing)
        warned.add(len(sharing))

    assert warned == {0, 1, 2}


def test_a_placed_cloud_costs_what_its_blueprint_did_to_the_cent(account, ana):
    asked = BlueprintAsked(
        key_name=CLOUD,
        location_key="ams01",
        roles=(RoleAsked("", "Compute nodes", 40), RoleAsked("", "Database servers", 1)),
    )
    look = blueprint_look(account=account, asked=asked, at=now())
    order = order_of_blueprint(account=account, user=ana, asked=asked, now=now())

    order_place(
        order_id=order.pk,
        account_id=account.pk,
        user=ana,
        now=now(),
        shown_monthly=look.offer.totals.monthly.known.amount,
    )

    tree = order_tree(order_id=order.pk, account_id=account.pk)
    assert tree.totals == look.offer.totals
    assert str(tree.totals.monthly) == str(look.offer.totals.monthly)
    assert [warning.code for warning in look.offer.placement.warnings] == ["services_share"]
