"""Every preset and every solution, with no edit, in every data centre where its packages are sold."""

import pytest

from accounts.models import Account
from accounts.tests.factories import make_account
from catalog.models import Blueprint, Location
from catalog.pricing import HOURS_PER_MONTH, Term
from catalog.services import ContainerQuestion, containers_check
from catalog.shelves import shelves_on_sale
from core.clock import now
from orders.blueprint_offers import blueprint_offers

pytestmark = pytest.mark.django_db

AS_USUAL: dict[str, int] = {}
NETWORK_SHARED = {"Network nodes": 0}
ALL_APART = dict.fromkeys(
    [
        *("Network nodes", "Block store", "Image store", "Object store", "Database servers", "Message brokers"),
        *("Identity servers", "Dashboard servers", "Compute control servers"),
        *("Orchestration servers", "Telemetry servers"),
    ],
    5,
)
"""The roles of the OpenStack cloud that may be left out; five machines are as many as each of them may have."""


@pytest.fixture
def account() -> Account:
    return make_account()


@pytest.mark.parametrize("machines", [AS_USUAL, NETWORK_SHARED, ALL_APART], ids=["usual", "shared", "apart"])
def test_every_blueprint_can_be_ordered_as_it_is_wherever_it_is_sold(shipped_catalogue, account, machines):
    shelves = {shelf.package.pk: shelf for shelf in shelves_on_sale()}
    offers = blueprint_offers(
        account=account,
        location_key="",
        term=Term.MONTHLY,
        hours_per_month=HOURS_PER_MONTH,
        at=now(),
        machines=machines,
    )
    asked = [
        (offer.key_name, place, composition)
        for offer in offers
        for composition in offer.compositions
        for place in shelves[composition.package.pk].places
    ]

    answers = containers_check(
        account=account,
        questions=[
            ContainerQuestion(
                package=composition.package,
                location=Location(pk=place.location_id, key_name=place.key_name, name=place.name),
                term=composition.term.value,
                choices=[(choice.category_code, choice.item) for choice in composition.choices],
                quantity=composition.quantity,
            )
            for _, place, composition in asked
        ],
        at=now(),
    )

    wrong = {
        (blueprint, place.key_name): [violation.words for violation in answer.violations]
        for (blueprint, place, _), answer in zip(asked, answers, strict=True)
        if answer.violations or any(line.price.is_unpriced for line in answer.lines)
    }
    assert wrong == {}
    assert {offer.key_name for offer in offers} == set(Blueprint.objects.values_list("key_name", flat=True))
    assert len({place.key_name for _, place, _ in asked}) >= 37
    assert {composition.term for _, _, composition in asked} == {Term.MONTHLY}
    cloud = next(offer for offer in offers if offer.key_name == "openstack-cloud")
    counts = {"Controller": 1, "Compute nodes": 3, "Network nodes": 1} | machines
    assert cloud.placement.machines == dict.fromkeys(ALL_APART, 0) | counts
    assert cloud.service_count == 11
