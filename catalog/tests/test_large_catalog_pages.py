"""Pages over the shipped catalogue of bare metal: networks, ranges, filters, history and our additions."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from accounts.models import Account
from accounts.tests.factories import client_of, make_account, make_member
from catalog.loading import SHIPPED, catalog_load_folder
from catalog.models import Item, Package
from catalog.package_form import PackageForm, package_form, package_parts
from catalog.pricing import Term
from catalog.shelves import shelf_of
from catalog.tests.factories import make_item, make_package, make_price

NOW = datetime(2026, 3, 1, tzinfo=UTC)
METAL = "/catalog/BARE_METAL_SERVER/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    return make_account()


@pytest.fixture
def buyer(account) -> Client:
    return client_of(make_member(account))


@pytest.fixture
def shipped(shipped_in_march: None) -> None:
    """The catalogue that the product brings along."""


@pytest.fixture
def metal(account) -> Package:
    for folder in (SHIPPED / "softlayer-200", SHIPPED / "overlay"):
        catalog_load_folder(folder=folder, now=NOW)
    return Package.objects.get()


def text_of(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def form_of(package: Package, account: Account, *, term: Term, chosen: tuple[str, ...] = ()) -> PackageForm:
    shelf = shelf_of(key_name=package.key_name)
    place = next(each for each in shelf.places if each.key_name == "dal05")
    items = Item.objects.filter(external_id__in=chosen).values_list("pk", flat=True)
    parts = package_parts(shelf=shelf, account=account, at=NOW)
    return package_form(parts=parts, place=place, term=term, chosen_item_ids=list(items))


def test_a_server_shows_its_three_networks_and_what_traffic_costs(buyer, metal):
    monthly = text_of(buyer.get(f"{METAL}?term=monthly"))
    hourly = text_of(buyer.get(f"{METAL}?term=hourly&category=os"))

    assert "Three networks with every server" in monthly
    assert monthly.count("<dd>free</dd>") == 2
    assert '<dd>500 <span class="unit">GB a month</span></dd>' in monthly
    assert "Out of band" in monthly
    assert "none</dd>" in hourly
    assert "on hourly terms; choose a bandwidth" in hourly


def test_a_processor_in_two_chassis_is_told_apart_and_keeps_its_imported_words(buyer, metal):
    page = text_of(buyer.get(f"{METAL}?category=server&location=dal05&term=monthly"))
    found = text_of(buyer.get(f"{METAL}?category=server&location=dal05&search=2690+2u"))

    for name in ("Dual Intel Xeon E5-2690 v4 (28 Cores, 2.60 GHz)", "Dual Intel Xeon E5-2620 v4 (16 Cores, 2.10 GHz)"):
        assert page.count(f"<td> {name}, 1U chassis") == page.count(f"<td> {name}, 2U chassis") == 1
        assert metal.items.filter(description=name).count() == 2
    assert "1 item matching" in found


def test_disks_are_listed_once_and_fill_every_slot(buyer, metal):
    page = text_of(buyer.get(f"{METAL}?category=disk0"))

    assert "11 items" in page
    assert "The same items fill" not in page
    assert "The same items fill: Second Hard Drive, Third Hard Drive" in text_of(buyer.get(METAL))
    assert "11 items" in text_of(buyer.get(f"{METAL}?category=disk7"))


def test_a_system_priced_by_processors_shows_the_smallest_and_tells_the_others(buyer, metal):
    page = text_of(buyer.get(f"{METAL}?category=os&search=rhel+7&term=monthly&location=dal05"))
    system = metal.items.get(key_name="OS_RHEL_7_1_64_BIT")
    why = text_of(buyer.get(f"{METAL}items/{system.pk}/price/?term=monthly&category=os"))

    assert "from $32.63" in page
    assert "for 1 processor" in page
    assert "1 processor: $32.63 a month" in why
    assert "2 processors: $65.25 a month" in why


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("show=unpriced&term=hourly&category=os", 9),
        ("show=priced&term=hourly&category=os", 21),
        ("show=unpriced&term=hourly&category=disk0", 3),
        ("show=illustrative", 0),
        ("category=abacus", 0),
    ],
)
def test_filters_keep_only_what_they_name(buyer, metal, query, count):
    assert f"{count} items" in text_of(buyer.get(f"{METAL}?{query}"))


def test_illustrative_parts_can_be_looked_for(buyer, shipped):
    page = text_of(buyer.get("/catalog/benchmark-server/?show=illustrative&term=monthly"))

    assert "8 items" in page
    assert page.count(">illustrative</span>") == 8


def test_the_choice_stays_in_the_address_of_the_next_page(buyer):
    items = [make_item(f"machine-{number:03}") for number in range(150)]
    for item in items:
        make_price(item, hourly="1")
    make_package(items=items)

    page = text_of(buyer.get("/catalog/virtual-server/?show=priced&search=machine"))

    assert "show=priced&amp;search=machine&amp;page=2" in page


def test_our_additions_are_listed_with_their_reasons(buyer, shipped):
    page = text_of(buyer.get("/catalog/additions/"))

    assert "the price list requires this category but has no item for it" in page
    assert "Monitoring (optional); Notification (optional); Response (optional)" in page
    assert "disk slots 12" in page
    assert "requires 100 Mbps Public" in page
    assert "no public price found" in page
    assert "MongoDB Large set" in page


def test_without_additions_the_page_says_so(buyer):
    assert "Nothing of our own" in text_of(buyer.get("/catalog/additions/"))


def test_the_price_on_another_day_is_the_one_that_held_then(buyer):
    item = make_item("disk")
    make_price(
        item, monthly="10", valid_from=datetime(2025, 1, 1, tzinfo=UTC), valid_to=datetime(2026, 2, 1, tzinfo=UTC)
    )
    make_price(
        item, monthly="12", valid_from=datetime(2026, 2, 1, tzinfo=UTC), valid_to=datetime(2100, 1, 1, tzinfo=UTC)
    )
    make_price(item, monthly="15", valid_from=datetime(2100, 1, 1, tzinfo=UTC))
    make_package(items=[item])
    address = f"/catalog/virtual-server/items/{item.pk}/price/?term=monthly&on="

    fees = {day: text_of(buyer.get(address + day)) for day in ("2024-12-31", "2026-01-31", "2026-02-01", "2100-01-01")}

    assert "disk: unpriced" in fees["2024-12-31"]
    assert "disk: $10.00 a month" in fees["2026-01-31"]
    assert "disk: $12.00 a month" in fees["2026-02-01"]
    assert "disk: $15.00 a month" in fees["2100-01-01"]
    assert "on 31 January 2026 at the end of the day (UTC)" in fees["2026-01-31"]
    assert fees["2026-01-31"].count('data-label="Until"') == 3
    assert fees["2026-01-31"].count(">counts</span>") == 1


def test_a_day_that_is_none_is_told_and_today_counts(buyer):
    item = make_item("disk")
    make_price(item, monthly="10")
    make_package(items=[item])

    page = text_of(buyer.get(f"/catalog/virtual-server/items/{item.pk}/price/?on=31.02.2026"))

    assert "Enter a valid date." in page
    assert "disk: $10.00 a month" in page


def test_the_questions_of_a_package_come_in_order_with_defaults_for_the_term(metal, account):
    monthly, hourly = form_of(metal, account, term=Term.MONTHLY), form_of(metal, account, term=Term.HOURLY)

    assert [each.category_code for each in monthly.categories if each.is_required][:4] == [
        "server",
        "os",
        "ram",
        "disk_controller",
    ]
    bandwidths = [form.category("bandwidth") for form in (monthly, hourly)]
    assert [each.default.item.key_name for each in bandwidths if each and each.default] == [
        "BANDWIDTH_500_GB",
        "BANDWIDTH_0_GB_2",
    ]
    slot = monthly.category("disk11")
    assert slot is not None
    assert len(slot.options) == 11


def test_the_chosen_server_decides_what_a_system_costs(metal, account):
    form = form_of(metal, account, term=Term.MONTHLY, chosen=("4113",))

    systems = form.category("os")
    assert form.capacities == (("CORE", 12), ("PROCESSOR", 2))
    assert systems is not None
    costs = {each.item.key_name: each.price.monthly.text for each in systems.options if each.price.monthly}
    assert costs["OS_RHEL_7_1_64_BIT"] == "65.25"
    assert costs["OS_WINDOWS_2016_FULL_STD_64_BIT"] == "52.20"
