"""Catalogue calls: locations, packages, their items with prices, and why a price is what it is."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from rest_framework.request import Request

from api.v1.caching import answer_unless_known
from api.v1.calls import AccountView, caller_of, query_of
from api.v1.catalog import rows, shapes
from api.v1.describing import described
from api.v1.paging import WhichPage, page_json, page_of
from api.v1.texts import time_text
from catalog.browsing import Place, locations_of, package_listings
from catalog.deals import deal_of
from catalog.item_search import items_found, items_on_sale
from catalog.models import Item, Location, Package
from catalog.package_contents import Conditions, Show, package_contents
from catalog.price_history import moment_on, price_history
from catalog.pricing import PriceQuestion, Term
from catalog.promotions import promotion_code_problems
from catalog.selectors import explain_price
from catalog.shelves import Shelf, shelf_of, shelves_of
from core.clock import now
from core.errors import InputRefused, Violation


class LocationList(AccountView):
    @described(
        "locations_list", tag="catalog", query=WhichPage, answer=shapes.LocationPage, refuses=(404, 422), is_cached=True
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List where packages are sold."""
        asked = query_of(request, shape=WhichPage)

        def make() -> dict[str, Any]:
            locations = Location.objects.filter(packages__is_active=True).distinct().values("key_name", "name")
            page = page_of(locations, **asked)
            return page_json(page, results=list(page))

        return answer_unless_known(request, at=now(), make=make)


class PackageList(AccountView):
    @described(
        "packages_list", tag="catalog", query=WhichPage, answer=shapes.PackagePage, refuses=(404, 422), is_cached=True
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the packages on sale."""
        account, at = caller_of(request).account, now()
        asked = query_of(request, shape=WhichPage)

        def make() -> dict[str, Any]:
            page = page_of(package_listings(account=account, at=at), **asked)
            return page_json(page, results=[rows.package_line(listing, account=account) for listing in page])

        return answer_unless_known(request, at=at, make=make)


class PackageDetail(AccountView):
    @described("packages_read", tag="catalog", answer=shapes.PackageShape, refuses=(404,), is_cached=True)
    def get(self, request: Request, key_name: str) -> HttpResponseBase:
        """Show a package, what it asks for in which order, and its networks."""
        package = _packages_on_sale().get(key_name=key_name)

        def make() -> dict[str, Any]:
            return rows.package_json(
                package,
                places=locations_of(package_ids=[package.pk])[package.pk],
                configuration=package.configuration.select_related("category", "default_item", "same_items_as"),
            )

        return answer_unless_known(request, at=now(), make=make)


class PackageItems(AccountView):
    @described(
        "packages_items", tag="catalog", query=shapes.ItemsAsked, answer=shapes.ItemPage, refuses=(404, 422),
        is_cached=True,
    )  # fmt: skip
    def get(self, request: Request, key_name: str) -> HttpResponseBase:
        """List the items of a package, each with its price here, a hundred on a page."""
        account, at = caller_of(request).account, now()
        shelf = shelf_of(key_name=key_name)
        asked = query_of(request, shape=shapes.ItemsAsked)

        def make() -> dict[str, Any]:
            contents = package_contents(
                shelf=shelf,
                account=account,
                place=_place(shelf.places, asked.get("location")),
                term=Term(asked["term"]) if "term" in asked else None,
                at=moment_on(asked.get("on"), now=at),
                hours_per_month=asked["hours_per_month"],
                category_code=asked["category"],
                search=asked["search"],
                show=Show(asked["show"]),
                page_number=asked["page"],
            )
            if contents.page.number != asked["page"]:
                raise Http404
            return {
                **rows.conditions_json(contents.conditions, account=account),
                **page_json(contents.page, results=list(rows.item_lines(contents.categories))),
            }

        return answer_unless_known(request, at=at, make=make)


class ItemList(AccountView):
    @described(
        "items_list", tag="catalog", query=shapes.ItemsFoundAsked, answer=shapes.ItemFoundPage, refuses=(404, 422),
        is_cached=True,
    )  # fmt: skip
    def get(self, request: Request) -> HttpResponseBase:
        """Find items in all packages on sale; what one costs depends on where and how it is bought."""
        asked = query_of(request, shape=shapes.ItemsFoundAsked)

        def make() -> dict[str, Any]:
            items = items_on_sale(
                search=asked["search"], category_code=asked["category"], package_key_name=asked["package"]
            )
            page = page_of(items, page=asked["page"], page_size=asked["page_size"])
            return page_json(page, results=[rows.item_found(item) for item in items_found(page)])

        return answer_unless_known(request, at=now(), make=make)


class ItemPriceDetail(AccountView):
    @described(
        "items_price", tag="catalog", query=shapes.PriceAsked, answer=shapes.PriceExplained, refuses=(404, 422),
        is_cached=True,
    )  # fmt: skip
    def get(self, request: Request, item_id: int) -> HttpResponseBase:
        """Say what a piece of an item costs here, now or on another day, and why."""
        account, at = caller_of(request).account, now()
        item = Item.objects.filter(packages__is_active=True).distinct().get(pk=item_id)
        asked = query_of(request, shape=shapes.PriceAsked)

        def make() -> dict[str, Any]:
            shelves = _shelves_named(_shelves_with(item_id), asked.get("package"))
            place = _place_among(shelves, asked["location"])
            package = next(shelf.package for shelf in shelves if place in shelf.places)
            conditions = Conditions(place, Term(asked["term"]), asked["hours_per_month"])
            day = moment_on(asked.get("on"), now=at)
            problems = promotion_code_problems(
                account=account, code=asked["promotion_code"], at=day, field="promotion_code"
            )
            if problems:
                raise InputRefused(tuple(problems))
            question = PriceQuestion(
                location_groups=place.groups,
                term=conditions.term,
                currency=account.currency,
                hours_per_month=conditions.hours_per_month,
                category_code=asked["category"],
                package_id=package.pk,
                contract_months=asked.get("contract_months"),
                deal=deal_of(account=account, at=day, item_ids=[item.pk], promotion_code=asked["promotion_code"]),
            )
            return rows.price_explained(
                explain_price(item=item, question=question, at=day),
                item=item,
                package_key_name=package.key_name,
                conditions=conditions,
                account=account,
            )

        return answer_unless_known(request, at=at, make=make)


class ItemPriceList(AccountView):
    @described(
        "items_prices", tag="catalog", query=shapes.PricesAsked, answer=shapes.PricePeriodPage, refuses=(404, 422),
        is_cached=True,
    )  # fmt: skip
    def get(self, request: Request, item_id: int) -> HttpResponseBase:
        """List every price that an item had, has or will have at a place, the latest first, and which held on a day."""
        account, at = caller_of(request).account, now()
        shelves = _shelves_with(item_id)
        asked = query_of(request, shape=shapes.PricesAsked)

        def make() -> dict[str, Any]:
            item, day = Item(pk=item_id), moment_on(asked.get("on"), now=at)
            place = _place_among(shelves, asked["location"]) if "location" in asked else None
            is_told = not deal_of(account=account, at=at, item_ids=[item.pk]).is_hidden
            periods = price_history(item=item, groups=place.groups if place else (), at=day) if is_told else []
            page = page_of(periods, page=asked["page"], page_size=asked["page_size"])
            return {
                "item_id": item_id,
                "location": place.key_name if place else None,
                "on": time_text(day),
                "is_told": is_told,
                **page_json(page, results=[rows.price_period(period) for period in page]),
            }

        return answer_unless_known(request, at=at, make=make)


def _packages_on_sale() -> QuerySet[Package]:
    return Package.objects.filter(is_active=True)


def _shelves_with(item_id: int) -> list[Shelf]:
    """Return the packages on sale that hold an item, with where they are sold, in one query; raises Http404."""
    shelves = list(shelves_of(package_ids=_packages_on_sale().filter(items=item_id).values("pk")).values())
    if not shelves:
        raise Http404
    return shelves


def _shelves_named(shelves: Sequence[Shelf], key_name: str | None) -> list[Shelf]:
    """Return the package of this key name; without a name all of them."""
    found = [shelf for shelf in shelves if key_name in (None, shelf.package.key_name)]
    if not found:
        names = ", ".join(shelf.package.key_name for shelf in shelves)
        words = f"This is in no package “{key_name}”. It is in: {names}."
        raise InputRefused((Violation("package_unknown", "package", words),))
    return found


def _place_among(shelves: Sequence[Shelf], key_name: str) -> Place:
    return _place([place for shelf in shelves for place in shelf.places], key_name)


def _place(places: Sequence[Place], key_name: str | None) -> Place:
    for place in places:
        if key_name in (None, place.key_name):
            return place
    sold_in = ", ".join(sorted({place.key_name for place in places})) or "no location"
    words = f"This is not sold in “{key_name}”. It is sold in: {sold_in}." if key_name else "This is sold nowhere yet."
    raise InputRefused((Violation("location_not_sold", "location", words),))
