"""Queries that a list makes once it is known who calls: as many for a hundred rows as for ten."""

import json
from pathlib import Path

import pytest
from django.urls import resolve
from rest_framework.test import APIRequestFactory, force_authenticate

from api.tests.factories import make_plan
from catalog.models import CatalogLoad, Location, Package
from catalog.tests.factories import LONG_AGO
from orders.tests.factories import make_draft, make_item

BUDGETS = json.loads((Path(__file__).parent / "query_budgets.json").read_text())

pytestmark = pytest.mark.django_db


def fill(shop, account, user, count):
    """Make so many rows for every list."""
    CatalogLoad.objects.create(source="tests", digest="d", loaded_at=LONG_AGO)
    machine_type = shop.items["m1.small"].categories.get()
    for number in range(count):
        make_item(shop.package, machine_type, f"type-{number}", hourly="0.08")
        location = Location.objects.create(key_name=f"place-{number}", name=f"Place {number}", source="tests")
        package = Package.objects.create(source="tests", external_id=f"p{number}", key_name=f"p{number}", name="More")
        package.locations.add(location)
        make_plan(account, user)
        make_draft(shop=shop, account=account, user=user)


@pytest.mark.parametrize("count", [10, 100])
@pytest.mark.parametrize("path", BUDGETS)
def test_a_list_keeps_to_its_budget(shop, account, ana, django_assert_num_queries, path, count):
    fill(shop, account, ana, count)
    request = APIRequestFactory().get(path, {} if path.endswith("/items") else {"page_size": 100})
    force_authenticate(request, user=ana)
    request.account, request.role = account, "buyer"
    view = resolve(path)

    with django_assert_num_queries(BUDGETS[path]):
        answer = view.func(request, **view.kwargs)

    assert answer.status_code == 200
    assert len(answer.data["results"]) >= count
