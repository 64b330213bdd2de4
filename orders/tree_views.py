"""Orders drawn and listed: the tree, and the bill of materials."""

from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.decorators import account_required
from accounts.requests import AccountRequest
from orders.bill_of_materials import bill_as_csv, bill_as_json
from orders.models import BillingOrder, Quote
from orders.order_drawing import drawing_of, nodes_of
from orders.presenting import heading_of
from orders.quote_document import document_of
from orders.quote_selectors import quote_of
from orders.selectors import OrderTree, order_tree


@account_required
@require_safe
def order_drawing(request: AccountRequest, order_id: int) -> HttpResponse:
    tree = tree_or_404(request, order_id)
    context = {"tree": tree, "order": tree.order, "heading": heading_of(tree), "drawing": drawing_of(nodes_of(tree))}
    return render(request, "orders/order_drawing.html", context)


def tree_or_404(request: AccountRequest, order_id: int) -> OrderTree:
    try:
        return order_tree(order_id=order_id, account_id=request.account.pk)
    except BillingOrder.DoesNotExist:
        raise Http404 from None


@account_required
@require_safe
def order_bill(request: AccountRequest, order_id: int, form: str) -> HttpResponse:
    """The bill of materials of an order as it stands, as a file."""
    tree = tree_or_404(request, order_id)
    return _bill(document_of(tree), name=f"order-{tree.order.number or f'draft-{tree.order.pk}'}", form=form)


@account_required
@require_safe
def quote_bill(request: AccountRequest, quote_id: int, form: str) -> HttpResponse:
    """The bill of materials of a quote, as it was promised."""
    try:
        quote = quote_of(quote_id=quote_id, account_id=request.account.pk)
    except Quote.DoesNotExist:
        raise Http404 from None
    return _bill(quote.document, name=f"quote-{quote.number}", form=form)


def _bill(document: dict[str, Any], *, name: str, form: str) -> HttpResponse:
    if form == "csv":
        response = HttpResponse(bill_as_csv(document), content_type="text/csv; charset=utf-8")
    else:
        response = JsonResponse(bill_as_json(document), json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = f'attachment; filename="{name}-materials.{form}"'
    return response
