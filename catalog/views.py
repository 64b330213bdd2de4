"""Pages of the catalogue: the packages, what one holds, and why a price is what it is."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.decorators import account_required
from accounts.requests import AccountRequest
from catalog.additions import addition_groups
from catalog.browsing import package_listings
from catalog.deal import Deal
from catalog.deals import deal_of
from catalog.forms import ConditionsForm, PriceForm
from catalog.models import Item, Package
from catalog.package_contents import Conditions, PackageContents, Show, package_contents
from catalog.price_history import moment_on, price_history
from catalog.pricing import HOURS_PER_MONTH, PriceQuestion, Term
from catalog.promotions import promotion_code_problems
from catalog.selectors import explain_price
from catalog.shelves import Place, item_on_shelf, shelf_of
from catalog.tables import category_tables, sources_of
from core import clock


@require_safe
@account_required
def catalog(request: AccountRequest) -> HttpResponse:
    """List the packages on sale."""
    return render(
        request,
        "catalog/catalog.html",
        {"packages": package_listings(account=request.account, at=clock.now())},
    )


@require_safe
@account_required
def package(request: AccountRequest, key_name: str) -> HttpResponse:
    """Show what a package holds, with prices under the conditions in the address."""
    try:
        shelf = shelf_of(key_name=key_name)
    except Package.DoesNotExist:
        raise Http404 from None
    shown, places = shelf.package, shelf.places
    form = ConditionsForm(request.GET, places=places)
    asked = _asked(form)
    place = shelf.place(asked.get("location"))
    if place is None:
        return render(request, "catalog/package.html", {"package": shown})
    contents = package_contents(
        shelf=shelf,
        account=request.account,
        place=place,
        term=_term(asked.get("term")),
        at=clock.now(),
        hours_per_month=asked.get("hours") or HOURS_PER_MONTH,
        category_code=asked.get("category", ""),
        search=asked.get("search", ""),
        show=Show(asked.get("show") or Show.ALL),
        page_number=_page_number(request),
    )
    filled = ConditionsForm(_filled(form, contents.conditions), places=places, categories=contents.category_names)
    query = _query(contents.conditions)
    filters = {name: asked[name] for name in ("category", "show", "search") if asked.get(name)}
    return render(
        request,
        "catalog/package.html",
        {
            "package": shown,
            "form": filled,
            "conditions": contents.conditions,
            "tables": category_tables(contents, package_key_name=key_name, query=query),
            "sources": sources_of(contents),
            "page": contents.page,
            "page_query": urlencode({**query, **filters}),
            "included_outbound": contents.included_outbound,
            "finding": _finding(contents, asked.get("search", "")),
        },
    )


@require_safe
@account_required
def item_price(request: AccountRequest, key_name: str, item_id: int) -> HttpResponse:
    """Show step by step why an item of a package costs what it does on a day; as a fragment where htmx asks."""
    try:
        found = item_on_shelf(key_name=key_name, item_id=item_id)
    except Item.DoesNotExist:
        raise Http404 from None
    item, shelf = found.item, found.shelf
    shown, places = shelf.package, shelf.places
    form = PriceForm(request.GET, places=places)
    asked = _asked(form)
    place = shelf.place(asked.get("location"))
    if place is None:
        raise Http404
    conditions = Conditions(
        place,
        _term(asked.get("term")) or Term.MONTHLY,
        asked.get("hours") or HOURS_PER_MONTH,
    )
    at = moment_on(asked.get("on"), now=clock.now())
    question = PriceQuestion(
        location_groups=place.groups,
        term=conditions.term,
        currency=request.account.currency,
        hours_per_month=conditions.hours_per_month,
        category_code=asked.get("category") or found.usual_category,
        contract_months=asked.get("contract"),
        package_id=shown.pk,
        deal=_deal(request, item, asked, at=at),
    )
    answer, ranges, costs = explain_price(item=item, question=question, at=at)
    is_hidden = question.deal.is_hidden
    template = "catalog/price_steps.html" if request.htmx else "catalog/item_price.html"
    return render(
        request,
        template,
        {
            "package": shown,
            "item": item,
            "answer": answer,
            "ranges": ranges,
            "costs": costs,
            "has_contracts": any(cost.under_contract for cost in costs),
            "conditions": conditions,
            "on": asked.get("on"),
            "form": _price_form(request, form, conditions, places, at=at),
            "history": [] if is_hidden else price_history(item=item, groups=place.groups, at=at),
            "package_url": f"{reverse('package', args=[key_name])}?{urlencode(_query(conditions))}",
        },
    )


@require_safe
@account_required
def additions(request: AccountRequest) -> HttpResponse:
    """List what of the catalogue is our own and in no published source."""
    return render(request, "catalog/additions.html", {"groups": addition_groups()})


def _deal(request: AccountRequest, item: Item, asked: Mapping[str, Any], *, at: datetime) -> Deal:
    return deal_of(
        account=request.account,
        at=at,
        item_ids=[item.pk],
        promotion_code=asked.get("code", ""),
        is_revealed=request.user.is_staff or request.serves_partner,
    )


def _price_form(
    request: AccountRequest, form: PriceForm, conditions: Conditions, places: Sequence[Place], *, at: datetime
) -> PriceForm:
    """Return the form as it was filled, with what is wrong with a promotion code."""
    filled = PriceForm(_filled(form, conditions), places=places)
    filled.is_valid()
    code = filled.cleaned_data.get("code", "")
    for problem in promotion_code_problems(account=request.account, code=code, at=at, field="code"):
        filled.add_error("code", problem.words)
    return filled


def _asked(form: ConditionsForm) -> dict[str, Any]:
    """Return the conditions that could be understood; the form tells of the others."""
    form.is_valid()
    return dict(form.cleaned_data)


def _term(word: str | None) -> Term | None:
    return Term(word) if word else None


def _page_number(request: AccountRequest) -> int:
    word = request.GET.get("page", "")
    return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else 1


def _filled(form: ConditionsForm, conditions: Conditions) -> dict[str, str]:
    """Return what was typed, and what was assumed where nothing was."""
    return _query(conditions) | {name: value for name, value in form.data.items() if value}


def _query(conditions: Conditions) -> dict[str, str]:
    return {
        "location": conditions.place.key_name,
        "term": conditions.term.value,
        "hours": _plain(conditions.hours_per_month),
    }


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _finding(contents: PackageContents, search: str) -> str:
    count = contents.page.paginator.count
    noun = "item" if count == 1 else "items"
    matching = f" matching “{search}”" if search else ""
    conditions = contents.conditions
    hours = f" for {_plain(conditions.hours_per_month)} hours a month" if conditions.term is Term.HOURLY else ""
    return f"{count} {noun}{matching}, {conditions.term} prices in {conditions.place.name}{hours}."
