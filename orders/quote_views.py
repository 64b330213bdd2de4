"""Pages of quotes: the list, the document, its link for others, and what can be done with it."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.decorators import account_required, action_required, open_to_link_holders
from accounts.requests import AccountRequest, PartnerRequest
from accounts.roles import can
from core.clock import now
from core.errors import RuleBroken
from core.forms import problem_words
from orders import quoting
from orders.forms import AsOfForm, QuoteForm
from orders.models import BillingOrder, Quote
from orders.quote_page import quote_page
from orders.quote_selectors import quote_of, quote_shared, quotes_of
from orders.views import order_refused

QUOTES_ON_A_PAGE = 25
CAN_MAKE_PDF = find_spec("weasyprint") is not None


@account_required
@require_safe
def quote_list(request: AccountRequest) -> HttpResponse:
    page = Paginator(quotes_of(account_id=request.account.pk), QUOTES_ON_A_PAGE).get_page(request.GET.get("page"))
    rows = [quote_page(quote, now=now()) for quote in page]
    return render(request, "orders/quote_list.html", {"page": page, "rows": rows})


@require_POST
@action_required("quote")
def quote_issue(request: AccountRequest, order_id: int) -> HttpResponse:
    form = QuoteForm(request.POST)
    if not form.is_valid():
        return order_refused(request, order_id, RuleBroken("quote_form", f"Nothing was quoted. {problem_words(form)}"))
    try:
        quote = quoting.quote_issue(
            order_id=order_id, account_id=request.account.pk, user=request.user, now=now(), **form.cleaned_data
        )
    except BillingOrder.DoesNotExist:
        raise Http404 from None
    except RuleBroken as refusal:
        return order_refused(request, order_id, refusal)
    messages.success(request, f"{quote} is issued. Its lines and prices hold until it expires.")
    return redirect("quote-detail", quote.pk)


@account_required
@require_safe
def quote_detail(request: AccountRequest, quote_id: int) -> HttpResponse:
    return _document(request, quote_id)


@open_to_link_holders
@require_safe
def quote_by_link(request: PartnerRequest, token: str) -> HttpResponse:
    """The document alone, for whoever has the link, signed in or not."""
    try:
        quote = quote_shared(token=token, partner_id=request.partner.pk)
    except Quote.DoesNotExist:
        raise Http404 from None
    return render(request, "orders/quote_shared.html", {"page": quote_page(quote, now=now()), "quote": quote})


@account_required
@require_safe
def quote_pdf(request: AccountRequest, quote_id: int) -> HttpResponse:
    """The document as a PDF file, where WeasyPrint is installed."""
    quote = _quote_or_404(request, quote_id)
    if not CAN_MAKE_PDF:
        messages.info(request, "This installation makes no PDF files. Print the page to a PDF in the browser.")
        return redirect("quote-detail", quote_id)
    context = {"page": quote_page(quote, now=now()), "quote": quote}
    html = render_to_string("orders/quote_file.html", context, request=request)
    file = import_module("weasyprint").HTML(string=html).write_pdf()  # optional, and slow to import
    response = HttpResponse(file, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="quote-{quote.number}.pdf"'
    return response


@require_POST
@action_required("place")
def quote_accept(request: AccountRequest, quote_id: int) -> HttpResponse:
    def accept(**asked: Any) -> str:
        return f"{quoting.quote_accept(**asked)} is placed, with the very lines that were quoted."

    return _do(request, quote_id, accept, to_order=True)


@require_POST
@action_required("quote")
def quote_withdraw(request: AccountRequest, quote_id: int) -> HttpResponse:
    def withdraw(**asked: Any) -> str:
        return f"{quoting.quote_withdraw(**asked)} is withdrawn. The order is a draft again and can be changed."

    return _do(request, quote_id, withdraw, to_order=True)


@require_POST
@action_required("quote")
def quote_reissue(request: AccountRequest, quote_id: int) -> HttpResponse:
    issued: list[Quote] = []

    def reissue(**asked: Any) -> str:
        issued.append(quoting.quote_reissue(**asked))
        return f"{issued[0]} replaces the one before, at the prices of now."

    answer = _do(request, quote_id, reissue)
    return redirect("quote-detail", issued[0].pk) if issued else answer


@require_POST
@action_required("quote")
def quote_share(request: AccountRequest, quote_id: int) -> HttpResponse:
    def share(**asked: Any) -> str:
        quoting.quote_share(**asked)
        return "Whoever has the link below sees this quote and nothing else."

    return _do(request, quote_id, share)


@require_POST
@action_required("quote")
def quote_unshare(request: AccountRequest, quote_id: int) -> HttpResponse:
    def unshare(**asked: Any) -> str:
        quoting.quote_unshare(**asked)
        return "The link leads nowhere any more."

    return _do(request, quote_id, unshare)


def _do(request: AccountRequest, quote_id: int, action: Callable[..., str], *, to_order: bool = False) -> HttpResponse:
    quote = _quote_or_404(request, quote_id)
    try:
        words = action(quote_id=quote_id, account_id=request.account.pk, user=request.user, now=now())
    except RuleBroken as refusal:
        return _document(request, quote_id, refusal=refusal, status=409)
    messages.success(request, words)
    return redirect("order-detail", quote.order_id) if to_order else redirect("quote-detail", quote_id)


def _document(
    request: AccountRequest, quote_id: int, *, refusal: RuleBroken | None = None, status: int = 200
) -> HttpResponse:
    quote = _quote_or_404(request, quote_id)
    form = AsOfForm(request.GET)
    day = form.cleaned_data["on"] if form.is_valid() else None
    link = reverse("quote-shared", args=[quote.share_token]) if quote.share_token else None
    context = {
        "page": quote_page(quote, now=now()),
        "quote": quote,
        "form": form,
        "changes": quoting.quote_changes(quote=quote, at=day or now()),
        "refusal": refusal,
        "link": request.build_absolute_uri(link) if link else None,
        "may_change": can(request.role, "quote"),
        "may_accept": can(request.role, "place"),
        "can_make_pdf": CAN_MAKE_PDF,
    }
    return render(request, "orders/quote_detail.html", context, status=status)


def _quote_or_404(request: AccountRequest, quote_id: int) -> Quote:
    try:
        return quote_of(quote_id=quote_id, account_id=request.account.pk)
    except Quote.DoesNotExist:
        raise Http404 from None
