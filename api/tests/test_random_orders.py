"""Random orders from the shipped catalogue, sent by a program: verified, drafted and composed they cost the same."""

from collections import Counter
from random import Random

import pytest

from catalog.models import Package
from orders.composing import Composition
from orders.totals import totals_of
from tests.test_composed_orders import HOURS, Shelves, in_words

pytestmark = pytest.mark.django_db

ORDERS = 40


def as_sent(composition: Composition) -> dict:
    """Return a composed container as a program sends it."""
    counts = Counter((choice.category_code, choice.item.pk) for choice in composition.choices)
    return {
        "package": composition.package.key_name,
        "location": composition.location.key_name,
        "term": composition.term.value,
        "quantity": composition.quantity,
        "host_names": composition.host_names,
        "parts": [{"category": code, "item_id": pk, "count": count} for (code, pk), count in counts.items()],
    }


def test_what_the_composer_shows_is_what_a_program_is_told(shipped_catalogue, program, account):
    shelves, random = Shelves(Package.objects.filter(is_active=True), account), Random(2026)

    for number in range(ORDERS):
        hours = random.choice(HOURS)
        parts = [shelves.compose(random, hours=hours) for _ in range(random.choice((1, 2, 3)))]
        shown = in_words(sum((part.totals for part in parts), start=totals_of([], currency="USD")))
        containers = [as_sent(part.composition) for part in parts if part.composition]
        body = {
            "name": f"Order {number}",
            "hours_per_month": hours,
            "items": [{"name": "all", "containers": containers}],
        }

        verified, drafted = program.post("/api/v1/orders/verify", body), program.post("/api/v1/orders", body)

        assert (verified.status_code, drafted.status_code) == (200, 201)
        assert (verified.json()["valid"], verified.json()["violations"]) == (True, [])
        assert verified.json()["totals"] == drafted.json()["totals"]
        assert {name: verified.json()["totals"][name] for name in shown} == shown
