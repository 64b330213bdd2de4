"""The operator's console: prices are added and closed, never edited."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from accounts.tests.factories import client_of, make_operator
from catalog.models import (
    Blueprint,
    CatalogLoad,
    Item,
    ItemCategory,
    ItemPrice,
    Location,
    LocationGroup,
    Package,
)
from catalog.selectors import catalog_version
from catalog.services import price_close, price_end
from catalog.tests.factories import LONG_AGO, make_item, make_package, make_price
from core.errors import RuleBroken

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator() -> Client:
    return client_of(make_operator(), host="localhost")


def test_every_list_of_the_catalogue_opens(operator):
    make_price(make_item(), monthly="5")
    make_package()

    models = [Package, ItemCategory, Item, ItemPrice, LocationGroup, Location, Blueprint, CatalogLoad]
    names = [model._meta.model_name for model in models]
    statuses = {name: operator.get(reverse(f"admin:catalog_{name}_changelist")).status_code for name in names}

    assert statuses == dict.fromkeys(names, 200)


def test_a_stored_price_cannot_be_edited_or_deleted(operator):
    price = make_price(make_item(), monthly="5")
    address = reverse("admin:catalog_itemprice_change", args=[price.pk])

    response = operator.post(address, {"item": price.item_id, "recurring_fee": "1"})

    assert response.status_code == 403
    assert operator.post(reverse("admin:catalog_itemprice_delete", args=[price.pk]), {"post": "yes"}).status_code == 403
    price.refresh_from_db()
    assert price.recurring_fee == Decimal(5)


def test_the_action_closes_prices_and_gives_the_catalogue_a_new_version(operator):
    price, version = make_price(make_item(), monthly="5"), catalog_version()

    operator.post(
        reverse("admin:catalog_itemprice_changelist"), {"action": "close_now", "_selected_action": [price.pk]}
    )

    price.refresh_from_db()
    assert price.valid_to is not None
    assert catalog_version() != version


def test_a_price_added_by_staff_has_an_id_of_its_own(operator):
    item, version = make_item(), catalog_version()
    fields = {
        "item": item.pk,
        "currency": "USD",
        "recurring_fee": "7.5",
        "valid_from_0": "2026-01-01",
        "valid_from_1": "00:00",
        "source": "Our list of 2026",
        "basis": "published",
    }

    response = operator.post(reverse("admin:catalog_itemprice_add"), fields)

    assert response.status_code == 302
    price = ItemPrice.objects.get(item=item)
    assert price.external_id.startswith("staff-")
    assert price.recurring_fee == Decimal("7.5")
    assert catalog_version() != version


def test_a_price_may_take_the_place_of_another_from_a_day_on(operator):
    item = make_item()
    old = make_price(item, monthly="10")
    fields = {
        "item": item.pk,
        "currency": "USD",
        "recurring_fee": "12",
        "valid_from_0": "2100-01-01",
        "valid_from_1": "00:00",
        "source": "Our list of 2100",
        "basis": "published",
        "replaces": old.pk,
    }

    response = operator.post(reverse("admin:catalog_itemprice_add"), fields)

    assert response.status_code == 302
    old.refresh_from_db()
    new = ItemPrice.objects.exclude(pk=old.pk).get()
    assert old.valid_to == new.valid_from == datetime(2100, 1, 1, tzinfo=UTC)
    assert old.recurring_fee == Decimal(10)


@pytest.mark.parametrize(
    ("begins", "other", "problem"),
    [
        ("2020-01-01", False, "begins from now on"),
        ("2100-01-01", True, "belongs to m2.xlarge"),
    ],
)
def test_a_replacement_of_the_past_or_of_another_item_is_refused(operator, begins, other, problem):
    item = make_item()
    old = make_price(make_item("m2.xlarge") if other else item, monthly="10")
    fields = {
        "item": item.pk,
        "currency": "USD",
        "recurring_fee": "12",
        "valid_from_0": begins,
        "valid_from_1": "00:00",
        "source": "Our list",
        "basis": "published",
        "replaces": old.pk,
    }

    response = operator.post(reverse("admin:catalog_itemprice_add"), fields)

    assert problem in response.content.decode()
    assert ItemPrice.objects.get().valid_to is None


def test_a_saved_package_gives_the_catalogue_a_new_version(operator):
    package, version = make_package(required=()), catalog_version()
    address = reverse("admin:catalog_package_change", args=[package.pk])
    form = operator.get(address).context["adminform"].form
    fields = {name: value for name, value in form.initial.items() if value is not None}
    formset = {"configuration-TOTAL_FORMS": "0", "configuration-INITIAL_FORMS": "0"}

    response = operator.post(
        address, {**fields, **formset, "items": [], "locations": [package.locations.get().pk], "name": "Cloud server"}
    )

    assert response.status_code == 302
    package.refresh_from_db()
    assert package.name == "Cloud server"
    assert catalog_version() != version


def test_a_closed_price_cannot_be_closed_again():
    price = make_price(make_item(), monthly="5", valid_to=datetime(2020, 1, 1, tzinfo=UTC))

    with pytest.raises(RuleBroken) as caught:
        price_close(price_id=price.pk, who="op", now=datetime(2026, 1, 1, tzinfo=UTC))

    assert caught.value.code == "price_closed"
    assert catalog_version() == "empty"


def test_a_price_that_has_not_begun_cannot_be_closed():
    price = make_price(make_item(), monthly="5")

    with pytest.raises(RuleBroken) as caught:
        price_close(price_id=price.pk, who="op", now=LONG_AGO)

    assert caught.value.code == "price_not_begun"


def test_the_end_of_a_price_cannot_be_moved_into_the_past():
    price = make_price(make_item(), monthly="5")

    with pytest.raises(RuleBroken) as caught:
        price_end(
            price_id=price.pk, at=datetime(2025, 1, 1, tzinfo=UTC), who="op", now=datetime(2026, 1, 1, tzinfo=UTC)
        )

    assert caught.value.code == "price_end_past"
