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
from catalog.browsing import Place, locations_of, package_listings
from catalog.models import Item, Location, Package
from catalog.package_contents import Conditions, package_contents
from catalog.pricing import PriceQuestion, Term
from catalog.selectors import explain_price
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
        """Show a package and what it asks for."""
        package = _packages_on_sale().get(key_name=key_name)

        def make() -> dict[str, Any]:
            return rows.package_json(
                package,
                places=locations_of(package_ids=[package.pk])[package.pk],
                configuration=package.configuration.select_related("category", "default_item"),
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
        package = _packages_on_sale().get(key_name=key_name)
        asked = query_of(request, shape=shapes.ItemsAsked)

        def make() -> dict[str, Any]:
            contents = package_contents(
                package=package,
                account=account,
                place=_place(locations_of(package_ids=[package.pk])[package.pk], asked.get("location")),
                term=Term(asked["term"]) if "term" in asked else None,
                at=at,
                hours_per_month=asked["hours_per_month"],
                category_code=asked["category"],
                search=asked["search"],
                page_number=asked["page"],
            )
            if contents.page.number != asked["page"]:
                raise Http404
            return {
                **rows.conditions_json(contents.conditions, account=account),
                **page_json(contents.page, results=list(rows.item_lines(contents.categories))),
            }

        return answer_unless_known(request, at=at, make=make)


class ItemPriceDetail(AccountView):
    @described(
        "items_price", tag="catalog", query=shapes.PriceAsked, answer=shapes.PriceExplained, refuses=(404, 422),
        is_cached=True,
    )  # fmt: skip
    def get(self, request: Request, item_id: int) -> HttpResponseBase:
        """Say what a piece of an item costs here, and why."""
        account, at = caller_of(request).account, now()
        item = Item.objects.filter(packages__is_active=True).distinct().get(pk=item_id)
        asked = query_of(request, shape=shapes.PriceAsked)

        def make() -> dict[str, Any]:
            sold_in = locations_of(package_ids=item.packages.filter(is_active=True).values_list("pk", flat=True))
            places = [place for places in sold_in.values() for place in places]
            conditions = Conditions(_place(places, asked["location"]), Term(asked["term"]), asked["hours_per_month"])
            question = PriceQuestion(
                location_groups=conditions.place.groups,
                term=conditions.term,
                currency=account.currency,
                hours_per_month=conditions.hours_per_month,
                category_code=asked["category"],
            )
            answer, _ = explain_price(item=item, question=question, at=at)
            return rows.price_explained(answer, item=item, conditions=conditions, account=account)

        return answer_unless_known(request, at=at, make=make)


def _packages_on_sale() -> QuerySet[Package]:
    return Package.objects.filter(is_active=True)


def _place(places: Sequence[Place], key_name: str | None) -> Place:
    for place in places:
        if key_name in (None, place.key_name):
            return place
    sold_in = ", ".join(sorted({place.key_name for place in places})) or "no location"
    words = f"This is not sold in “{key_name}”. It is sold in: {sold_in}." if key_name else "This is sold nowhere yet."
    raise InputRefused((Violation("location_not_sold", "location", words),))
