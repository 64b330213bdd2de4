"""The fragments of predicted figures that orders, packages and the composer fetch."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of, make_account, make_member, make_partner
from catalog.models import Blueprint, Location
from catalog.pricing import Term
from catalog.shelves import shelf_of
from catalog.tests.complete_roles import roles_to_order
from core import clock
from core.money import Money, Total
from orders.drafting import order_draft
from orders.selectors import order_tree
from planner.predicted import PredictedFigure
from planner.predicted_reading import PredictedCell, figure_words, rows_of_order, rows_of_package

SERVER = {"package": "benchmark-server", "location": "dal05", "term": "monthly"}
PACKAGE_BUDGET = 6
CHOSEN = {
    "choice-server": "DUAL_XEON_X5670",
    "choice-ram": "RAM_36_GB",
    "choice-disk0": "HD_300_GB_SAS_15K",
    "count-disk0": "1",
    "choice-disk1": "HD_300_GB_SAS_15K",
    "choice-disk_controller": "RAID_1",
    "choice-port_speed": "PORT_1_GBPS",
    "choice-bandwidth": "BW_500",
    "choice-os": "OS_CENTOS_6_64",
}


def body_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def draft(ec2, account, ana):
    now = clock.now()
    location = Location.objects.get(key_name="dal05")
    blueprint = Blueprint.objects.get(key_name="riak-medium-sas")
    roles = roles_to_order(blueprint=blueprint, account=account, location=location, term=Term.MONTHLY, at=now)
    return order_draft(
        account=account,
        user=ana,
        name="Riak",
        roles=roles,
        location=location,
        term=Term.MONTHLY,
        hours_per_month=Decimal(720),
        now=now,
    )


def test_an_order_says_what_each_container_will_do_and_what_that_costs(draft, account, ana):
    words = body_of(client_of(ana).get(reverse("predicted-of-order", args=[draft.pk])))

    tree = order_tree(order_id=draft.pk, account_id=account.pk)
    (row,) = rows_of_order(tree)
    reads = row.by_key["random_read"]
    each = tree.totals.monthly.known.amount / 5
    assert "4 × 300 GB SAS (15K RPM), RAID 10" in words
    assert f"<dd>{reads.value_words} <span" in words
    assert reads.price_words == f"{Money(each / Decimal(str(reads.figure.value / 1000)), 'USD')} / kIOPS"
    assert f"{reads.price_words} a month" in words
    assert '<span class="tag tag-calibrated">calibrated</span>' in words
    assert "A redundant uplink is a bonded pair" in words


def test_an_order_is_read_in_five_queries(draft, account, django_assert_num_queries):
    with django_assert_num_queries(5):
        rows_of_order(order_tree(order_id=draft.pk, account_id=account.pk))


def test_an_order_of_somebody_else_shows_nothing(draft):
    stranger = make_member(make_account(partner=make_partner("Harbor"), name="Bluewater"), email="ben@harbor.example")

    answer = client_of(stranger, host="harbor.localhost").get(reverse("predicted-of-order", args=[draft.pk]))

    assert (answer.status_code, answer.content.strip()) == (200, b"")


def test_the_page_of_an_order_fetches_its_figures(draft, ana):
    words = body_of(client_of(ana).get(reverse("order-detail", args=[draft.pk])))

    assert f'hx-get="{reverse("predicted-of-order", args=[draft.pk])}"' in words


def test_a_package_shows_its_presets_side_by_side(ec2, ana):
    words = body_of(client_of(ana).get(reverse("predicted-of-package", args=["benchmark-server"])))

    presets = Blueprint.objects.filter(roles__package__key_name="benchmark-server").distinct()
    for preset in presets:
        assert preset.name in words
    assert "As it comes" not in words, "a server without a processor is nothing that could be had"


def test_machine_types_show_their_network_and_say_what_is_unknown(ec2, ana):
    words = body_of(client_of(ana).get(reverse("predicted-of-package", args=["ec2-virtual-server"]) + "?term=hourly"))

    assert "MB/s each way" in words
    assert "Random reads" not in words
    assert "Unknown of all: Its local drives: nobody published what kind they are" in words
    assert re.search(r"m1\.large.*?>100</span> <span[^>]*>\$2\.30 / MB/s", words)


def test_a_volume_is_predicted_as_network_storage(ec2, ana):
    words = body_of(client_of(ana).get(reverse("predicted-of-package", args=["ec2-block-volume"])))

    assert "1 × Block volume, 100 GB" in words
    assert "Volumes are taken to be like the network storage" in words


def test_a_package_of_which_nothing_is_known_shows_nothing(ec2, ana):
    answer = client_of(ana).get(reverse("predicted-of-package", args=["load-balancer"]))

    assert (answer.status_code, answer.content.strip()) == (200, b"")


def test_an_unknown_package_is_not_found(ec2, ana):
    assert client_of(ana).get(reverse("predicted-of-package", args=["teapot"])).status_code == 404


@pytest.mark.parametrize("package", ["benchmark-server", "BARE_METAL_SERVER", "ec2-virtual-server"])
def test_the_number_of_queries_does_not_grow_with_the_presets(ec2, account, package, django_assert_max_num_queries):
    shelf = shelf_of(key_name=package)

    with django_assert_max_num_queries(PACKAGE_BUDGET):
        rows_of_package(
            shelf=shelf,
            account=account,
            place=shelf.places[0],
            term=Term.MONTHLY,
            hours_per_month=Decimal(720),
            at=clock.now(),
        )


def test_what_is_composed_is_predicted_at_the_price_of_one(ec2, ana):
    words = body_of(client_of(ana).get(reverse("predicted-of-composed"), SERVER | CHOSEN | {"quantity": "7"}))

    assert "2 × 300 GB SAS (15K RPM), RAID 1" in words
    assert re.search(r"\$[\d,.]+ / kIOPS", words)
    assert "How far to trust this" in words


def test_what_is_still_incomplete_has_figures_and_no_price_of_them(ec2, ana):
    chosen = {name: value for name, value in CHOSEN.items() if name != "choice-server"}

    words = body_of(client_of(ana).get(reverse("predicted-of-composed"), SERVER | chosen))

    assert "2 × 300 GB SAS (15K RPM), RAID 1" in words
    assert "/ kIOPS" not in words


def test_nothing_composed_shows_nothing(ec2, ana):
    assert client_of(ana).get(reverse("predicted-of-composed")).content == b""


def test_the_draft_of_somebody_else_is_not_found(ec2, ana, draft):
    stranger = make_member(make_account(partner=make_partner("Harbor"), name="Bluewater"), email="ben@harbor.example")

    answer = client_of(stranger, host="harbor.localhost").get(
        reverse("predicted-of-composed"), SERVER | {"order": str(draft.pk)}
    )

    assert answer.status_code == 404


@pytest.mark.parametrize("order", ["x", "-1", "9" * 30])
def test_an_order_that_is_no_number_is_not_found(ec2, ana, order):
    assert client_of(ana).get(reverse("predicted-of-composed"), SERVER | {"order": order}).status_code == 404


@pytest.mark.parametrize(
    ("amount", "unpriced", "words"),
    [("150.00", 0, "$15.00 / kIOPS"), ("150.00", 1, "≥ $15.00 / kIOPS"), ("0.05", 0, "$0.0050 / kIOPS"), ("0", 1, "")],
)
def test_a_price_of_a_figure_is_a_lower_bound_where_a_part_is_unpriced(amount, unpriced, words):
    figure = PredictedFigure("random_read", "", 10_000.0, 9_000.0, 11_000.0, "IOPS", "calibrated", "kIOPS")

    cell = PredictedCell(figure, Total(Money(Decimal(amount), "USD"), unpriced))

    assert cell.price_words == words


@pytest.mark.parametrize(("value", "words"), [(32684.0, "32,700"), (1234.5, "1,230"), (770.6, "771"), (11.75, "11.8")])
def test_figures_have_three_digits_that_mean_something(value, words):
    assert figure_words(value) == words
