"""Packages that cannot be ordered although each part of them looks sound: asked of the search for repairs itself."""

from collections.abc import Iterator
from datetime import datetime

from accounts.models import Account
from catalog.containers import ContainerQuestion
from catalog.desk import Conditions, Desk, StockLeft
from catalog.lint_facts import CatalogFacts, Finding, PackageHeld
from catalog.models import ItemPrice, Location, Package
from catalog.pricing import HOURS_PER_MONTH, Term
from catalog.repairs import mended

NAMED = 5
"""So many places are named; of others only the number."""


def order_findings(facts: CatalogFacts, *, at: datetime) -> Iterator[Finding]:
    """Give the packages for which no combination of items can be ordered in some of their places, or in any."""
    sound = {pk: package for pk, package in facts.packages.items() if _is_sound(facts, package)}
    if not sound:
        return
    packages = Package.objects.in_bulk(list(sound))
    places = Location.objects.in_bulk(list(set().union(*(package.locations for package in sound.values()))))
    desks = [_desk(currency, packages, places, sound, at) for currency in _currencies(at)]
    for pk, held in sound.items():
        failing = [
            place
            for location_id in sorted(held.locations)
            if not _can_be_ordered(packages[pk], place := places[location_id], desks)
        ]
        if failing:
            where = "anywhere" if len(failing) == len(held.locations) else f"in {_listed(failing)}"
            words = f"No combination of its items can be ordered {where}: rules, prices or stock exclude each other."
            yield Finding("package_unorderable", held.key_name, words)


def _is_sound(facts: CatalogFacts, package: PackageHeld) -> bool:
    """Tell whether the package is sold and has a priced item for all it requires; if not, that is told by itself."""
    return package.is_sold_somewhere and all(
        facts.fillers(package, code) & facts.priced
        for code, category in package.categories.items()
        if category.is_required
    )


def _currencies(at: datetime) -> list[str]:
    return sorted(set(ItemPrice.objects.open_on(at).order_by().values_list("currency", flat=True).distinct()))


def _desk(
    currency: str, packages: dict[int, Package], places: dict[int, Location], held: dict[int, PackageHeld], at: datetime
) -> Desk:
    # An account of no partner is told the list prices.
    conditions = Conditions(Account(currency=currency), at, HOURS_PER_MONTH, "")
    item_ids = set().union(*(package.items for package in held.values()))
    return Desk(conditions=conditions, packages=packages, location_ids=places.keys(), item_ids=item_ids)


def _can_be_ordered(package: Package, place: Location, desks: list[Desk]) -> bool:
    return any(
        mended(
            desk.examine(
                ContainerQuestion(package, place, term.value, ()), StockLeft(desk.facts.stock, is_shared=False)
            )
        )
        for desk in desks
        for term in (Term.MONTHLY, Term.HOURLY)
    )


def _listed(places: list[Location]) -> str:
    names = ", ".join(place.key_name for place in places[:NAMED])
    return names if len(places) <= NAMED else f"{names} and {len(places) - NAMED} more"
