"""Calls about blueprints: list them, price one, and order one."""

from typing import Any

from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.blueprints import rows, shapes
from api.v1.caching import answer_unless_known
from api.v1.calls import AccountView, answer_once, caller_of, query_of
from api.v1.describing import described
from api.v1.orders.rows import order_json
from api.v1.orders.shapes import OrderShape
from api.v1.paging import page_json, page_of
from api.v1.reading import read_leniently
from catalog.blueprint_listings import BlueprintListing, blueprint_listings, blueprints_on_sale
from catalog.models import Blueprint
from catalog.pricing import HOURS_PER_MONTH, Term
from core.clock import now
from core.errors import InputRefused, Violation
from core.idempotency import Answer
from orders.blueprint_ordering import (
    BlueprintAsked,
    RoleAsked,
    blueprint_offer,
    blueprint_problems,
    order_of_blueprint,
)
from orders.blueprint_sizes import machines_read
from orders.selectors import order_tree


class BlueprintList(AccountView):
    @described(
        "blueprints_list", tag="catalog", query=shapes.BlueprintsAsked, answer=shapes.BlueprintPage,
        refuses=(404, 422), is_cached=True,
    )  # fmt: skip
    def get(self, request: Request) -> HttpResponseBase:
        """List the presets and solutions: what they are made of. What one costs stands at its own address."""
        asked = query_of(request, shape=shapes.BlueprintsAsked)

        def make() -> dict[str, Any]:
            blueprints = blueprints_on_sale(package_key_name=asked["package"])
            page = page_of(blueprints, page=asked["page"], page_size=asked["page_size"])
            return page_json(page, results=[rows.blueprint_line(listing) for listing in blueprint_listings(page)])

        return answer_unless_known(request, at=now(), make=make)


class BlueprintDetail(AccountView):
    @described(
        "blueprints_read", tag="catalog", query=shapes.BlueprintPriceAsked, answer=shapes.BlueprintShape,
        refuses=(404, 422), is_cached=True,
    )  # fmt: skip
    def get(self, request: Request, key_name: str) -> HttpResponseBase:
        """Show a blueprint as it would be ordered here: where its services stand, and what it costs."""
        account, at = caller_of(request).account, now()
        listing = _listing(key_name)
        asked = query_of(request, shape=shapes.BlueprintPriceAsked)

        def make() -> dict[str, Any]:
            roles, unread = machines_read(asked["machines"])
            question = BlueprintAsked(
                key_name=key_name,
                location_key=asked["location"],
                term=Term(asked["term"]),
                hours_per_month=asked["hours_per_month"],
                roles=roles,
            )
            if unread:
                raise InputRefused((*unread, *blueprint_problems(account=account, asked=question, at=at)))
            offer = blueprint_offer(account=account, asked=question, at=at)
            return rows.blueprint_json(listing, offer, hours_per_month=question.hours_per_month)

        return answer_unless_known(request, at=at, make=make)


class BlueprintOrder(AccountView):
    @described(
        "blueprints_order", tag="catalog", takes=shapes.BlueprintAsked, answer=OrderShape, status=201,
        refuses=(400, 404, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request, key_name: str) -> Response:
        """Make a draft of all machines of a blueprint, priced as of now."""
        caller = caller_of(request)
        _listing(key_name)

        def order() -> Answer:
            asked, problems = _asked(key_name, request.data)
            if problems:
                raise InputRefused((*problems, *blueprint_problems(account=caller.account, asked=asked, at=now())))
            made = order_of_blueprint(account=caller.account, user=caller.user, asked=asked, now=now())
            return 201, order_json(order_tree(order_id=made.pk, account_id=caller.account.pk))

        return answer_once(request, order)


def _listing(key_name: str) -> BlueprintListing:
    listings = blueprint_listings(blueprints_on_sale().filter(key_name=key_name))
    if not listings:
        raise Blueprint.DoesNotExist
    return listings[0]


def _asked(key_name: str, body: Any) -> tuple[BlueprintAsked, list[Violation]]:
    """Return what a body asks for, as far as it can be read, and what keeps it from being read."""
    values, problems = read_leniently(shapes.BlueprintAsked(), body)
    roles = enumerate(values.get("roles") or [])
    asked = BlueprintAsked(
        key_name=key_name,
        name=values.get("name"),
        location_key=values.get("location") or "",
        term=Term(values.get("term") or Term.MONTHLY),
        hours_per_month=values.get("hours_per_month") or HOURS_PER_MONTH,
        roles=tuple(_role(role, field=f"roles[{number}]") for number, role in roles if role is not None),
    )
    return asked, problems


def _role(values: dict[str, Any], *, field: str) -> RoleAsked:
    return RoleAsked(
        field=field,
        name=values.get("name"),
        quantity=values.get("quantity"),
        host_names=values.get("host_names") or "",
    )
