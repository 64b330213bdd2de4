"""Pages of price books, for those who keep a partner's prices."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.requests import TenantRequest
from catalog.book_forms import PriceBookForm, RuleForm
from catalog.book_models import PriceBook, PriceBookRule
from catalog.price_books import (
    books_of,
    price_book_create,
    price_book_end,
    price_book_rule_add,
    price_book_rule_end,
    rules_of,
)
from core.clock import now
from core.errors import RuleBroken


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def price_books(request: HttpRequest) -> HttpResponse:
    """List the price books, and begin one."""
    tenant_request = cast(TenantRequest, request)
    _require_keeper(tenant_request)
    form = PriceBookForm(request.POST or None, partner=tenant_request.partner)
    if request.method == "POST" and form.is_valid():
        book = price_book_create(**form.cleaned_data, who=str(request.user), now=now())
        messages.success(request, f"“{book.name}” holds from now on. Add its rules.")
        return redirect("price-book", book.pk)
    still = Q(rules__valid_to__isnull=True) | Q(rules__valid_to__gt=now())
    books = _books(tenant_request).annotate(rule_count=Count("rules", filter=still))
    status = 422 if form.errors else 200
    return render(request, "catalog/price_books.html", {"books": books, "form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def price_book(request: HttpRequest, book_id: int) -> HttpResponse:
    """Show a price book with its rules, and add one."""
    book = _book(request, book_id)
    at = now()
    form = RuleForm(request.POST or None, now=at)
    if request.method == "POST" and form.is_valid():
        return _do(
            request,
            book,
            lambda: price_book_rule_add(
                book_id=book.pk, asked=form.cleaned_data["asked"], who=str(request.user), now=at
            ),
            "The rule is added.",
        )
    return _page(request, book, form=form, status=422 if form.errors else 200)


@require_POST
@login_required
def price_book_close(request: HttpRequest, book_id: int) -> HttpResponse:
    """End a price book: the list prices count from then on."""
    book = _book(request, book_id)
    return _do(
        request,
        book,
        lambda: price_book_end(book_id=book.pk, who=str(request.user), now=now()),
        f"“{book.name}” has ended. The list prices count again.",
    )


@require_POST
@login_required
def price_book_rule_close(request: HttpRequest, book_id: int, rule_id: int) -> HttpResponse:
    """End a rule, or take back one that has not begun."""
    book = _book(request, book_id)
    if not book.rules.filter(pk=rule_id).exists():
        raise Http404
    return _do(
        request,
        book,
        lambda: price_book_rule_end(book_id=book.pk, rule_id=rule_id, who=str(request.user), now=now()),
        "The rule has ended.",
    )


def _books(request: TenantRequest) -> QuerySet[PriceBook]:
    """Return the books of the host's partner; on a host of no partner the operator's staff see all."""
    if request.partner is None and not request.user.is_staff:
        return PriceBook.objects.none()
    return books_of(partner_id=request.partner.pk if request.partner else None)


def _book(request: HttpRequest, book_id: int) -> PriceBook:
    """Return a price book of the host's partner; another partner's is not there, whoever asks."""
    tenant_request = cast(TenantRequest, request)
    try:
        book = _books(tenant_request).get(pk=book_id)
    except PriceBook.DoesNotExist:
        raise Http404 from None
    _require_keeper(tenant_request)
    return book


def _require_keeper(request: TenantRequest) -> None:
    if not (request.user.is_staff or request.serves_partner):
        raise PermissionDenied("Price books are kept by the partner's own people and the operator's staff.")


def _do(request: HttpRequest, book: PriceBook, action: Callable[[], object], words: str) -> HttpResponse:
    try:
        action()
    except RuleBroken as refusal:
        return _page(request, book, refusal=refusal, status=409)
    messages.success(request, words)
    return redirect("price-book", book.pk)


def _page(
    request: HttpRequest,
    book: PriceBook,
    *,
    form: RuleForm | None = None,
    refusal: RuleBroken | None = None,
    status: int = 200,
) -> HttpResponse:
    at = now()
    rules = list(rules_of(book=book))
    context: dict[str, Any] = {
        "book": book,
        "rules": [rule for rule in rules if not _has_ended(rule, at)],
        "ended": [rule for rule in rules if _has_ended(rule, at)],
        "form": form or RuleForm(now=at),
        "refusal": refusal,
        "now": at,
    }
    return render(request, "catalog/price_book.html", context, status=status)


def _has_ended(rule: PriceBookRule, at: datetime) -> bool:
    return rule.valid_to is not None and rule.valid_to <= at
