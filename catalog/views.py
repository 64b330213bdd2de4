"""Pages of the catalogue: the packages, what one holds, and why a price is what it is."""

from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.decorators import account_required
from accounts.requests import AccountRequest
from catalog.additions import addition_groups
from catalog.browsing import Place, locations_of, package_listings
from catalog.forms import ConditionsForm, PriceForm
from catalog.models import Item, Package
from catalog.package_contents import Conditions, PackageContents, Show, package_contents
from catalog.price_history import moment_on, price_history
from catalog.pricing import HOURS_PER_MONTH, PriceQuestion, Term
from catalog.selectors import explain_price
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
    shown = get_object_or_404(Package, key_name=key_name, is_active=True)
    places = locations_of(package_ids=[shown.pk])[shown.pk]
    form = ConditionsForm(request.GET, places=places)
    asked = _asked(form)
    if not places:
        return render(request, "catalog/package.html", {"package": shown})
    contents = package_contents(
        package=shown,
        account=request.account,
        place=_place(places, asked.get("location")),
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
    shown = get_object_or_404(Package, key_name=key_name, is_active=True)
    item = get_object_or_404(Item, pk=item_id, packages=shown)
    places = locations_of(package_ids=[shown.pk])[shown.pk]
    if not places:
        raise Http404
    form = PriceForm(request.GET, places=places)
    asked = _asked(form)
    conditions = Conditions(
        _place(places, asked.get("location")),
        _term(asked.get("term")) or Term.MONTHLY,
        asked.get("hours") or HOURS_PER_MONTH,
    )
    question = PriceQuestion(
        location_groups=conditions.place.groups,
        term=conditions.term,
        currency=request.account.currency,
        hours_per_month=conditions.hours_per_month,
        category_code=asked.get("category", ""),
    )
    at = moment_on(asked.get("on"), now=clock.now())
    answer, ranges = explain_price(item=item, question=question, at=at)
    template = "catalog/price_steps.html" if request.htmx else "catalog/item_price.html"
    return render(
        request,
        template,
        {
            "package": shown,
            "item": item,
            "answer": answer,
            "ranges": ranges,
            "conditions": conditions,
            "on": asked.get("on"),
            "form": PriceForm(_filled(form, conditions), places=places),
            "history": price_history(item=item, groups=conditions.place.groups, at=at),
            "package_url": f"{reverse('package', args=[key_name])}?{urlencode(_query(conditions))}",
        },
    )


@require_safe
@account_required
def additions(request: AccountRequest) -> HttpResponse:
    """List what of the catalogue is our own and in no published source."""
    return render(request, "catalog/additions.html", {"groups": addition_groups()})


def _asked(form: ConditionsForm) -> dict[str, Any]:
    """Return the conditions that could be understood; the form tells of the others."""
    form.is_valid()
    return dict(form.cleaned_data)


def _place(places: list[Place], key_name: str | None) -> Place:
    return next((place for place in places if place.key_name == key_name), places[0])


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
