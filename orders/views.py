"""Pages of orders: the list, one order, and what can be done to it."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from core.clock import now
from core.errors import InputRefused, RuleBroken
from core.paging import counted_page
from orders import changing, composing, placing
from orders.approving import may_decide, policy_of
from orders.checking import OrderCheck, check_tree
from orders.composing import Spot
from orders.forms import CancelForm, DraftForm, PlaceForm, QuoteForm
from orders.fulfilment.presenting import panel_of
from orders.models import Approval, BillingOrder, OrderContainer
from orders.presenting import contents_of, heading_of, problems_by_container, problems_of, steps_of
from orders.quote_selectors import quotes_of
from orders.removing import Removal, composition_of, removal_of
from orders.selectors import OrderTree, order_history, order_tree, orders_of, tree_of, with_parts
from orders.states import OrderState

ORDERS_ON_A_PAGE = 25
ORDERS_AT_HOME = 5
STATE_WORDS = {state.value: state.label for state in OrderState}


@account_required
@require_safe
def order_list(request: AccountRequest) -> HttpResponse:
    orders = with_parts(orders_of(account_id=request.account.pk))
    page = counted_page(orders, number=request.GET.get("page", ""), size=ORDERS_ON_A_PAGE)
    return render(request, "orders/order_list.html", {"page": page, "rows": order_rows(page)})


@account_required
@require_safe
def order_recent(request: AccountRequest) -> HttpResponse:
    """The fragment that the home page shows."""
    orders = with_parts(orders_of(account_id=request.account.pk))[:ORDERS_AT_HOME]
    return render(request, "orders/recent.html", {"rows": order_rows(orders)})


@account_required
@require_safe
def order_detail(request: AccountRequest, order_id: int) -> HttpResponse:
    return _order_page(request, order_id)


@require_POST
@action_required("place")
def order_place(request: AccountRequest, order_id: int) -> HttpResponse:
    form = PlaceForm(request.POST)
    if not form.is_valid():
        words = "The page did not say which price it showed, so nothing was placed. Look at the order and try again."
        return order_refused(request, order_id, RuleBroken("shown_price_missing", words))

    def place() -> str:
        order = placing.order_place(
            order_id=order_id, account_id=request.account.pk, user=request.user, now=now(), **form.cleaned_data
        )
        fixed = f"{order} is placed. Its words and prices are fixed from now on."
        return f"{fixed} It waits for approval." if order.state == OrderState.PENDING_APPROVAL else fixed

    return _do(request, order_id, place)


@require_POST
@action_required("draft")
def order_update(request: AccountRequest, order_id: int) -> HttpResponse:
    tree = _tree_or_404(request, order_id)
    form = DraftForm(request.POST, tree=tree)
    if not form.is_valid():
        return _order_page(request, order_id, form=form, status=422)

    def change() -> str:
        changing.order_change(
            order_id=order_id,
            account_id=request.account.pk,
            name=form.cleaned_data["name"],
            quantities=form.quantities,
            host_names=form.host_names,
            promotion_code=form.code,
            now=now(),
        )
        return "The draft is updated, at the prices of now."

    try:
        return _do(request, order_id, change)
    except InputRefused as refusal:
        for violation in refusal.violations:
            form.add_error(violation.field if violation.field in form.fields else None, violation.words)
        return _order_page(request, order_id, form=form, status=422)


@require_POST
@action_required("draft")
def order_refresh(request: AccountRequest, order_id: int) -> HttpResponse:
    def refresh() -> str:
        changing.order_refresh_prices(order_id=order_id, account_id=request.account.pk, now=now())
        return "The draft shows the prices of now."

    return _do(request, order_id, refresh)


@require_http_methods(["GET", "HEAD", "POST"])
@action_required("draft")
def order_cancel(request: AccountRequest, order_id: int) -> HttpResponse:
    form = CancelForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        tree = _tree_or_404(request, order_id)
        context = {"tree": tree, "contents": contents_of(tree), "form": form}
        return render(request, "orders/cancel.html", context)

    def cancel() -> str:
        changing.order_cancel(
            order_id=order_id, account_id=request.account.pk, user=request.user, now=now(), **form.cleaned_data
        )
        return "The draft is cancelled. It stays here to be read."

    return _do(request, order_id, cancel)


@require_http_methods(["GET", "HEAD", "POST"])
@action_required("draft")
def container_remove(request: AccountRequest, order_id: int, container_id: int) -> HttpResponse:
    if request.method != "POST":
        tree = _tree_or_404(request, order_id)
        node = next((node for node in tree.containers if node.container.pk == container_id), None)
        if node is None:
            raise Http404
        return render(request, "orders/container_remove.html", {"order": tree.order, "node": node})

    def remove() -> str:
        removed = removal_of(order_id=order_id, container_id=container_id, account_id=request.account.pk)
        changing.container_remove(
            order_id=order_id, container_id=container_id, account_id=request.account.pk, now=now()
        )
        request.session[_removed_key(order_id)] = asdict(removed)
        return f"{removed.words} removed."

    return _do(request, order_id, remove)


@require_POST
@action_required("draft")
def container_restore(request: AccountRequest, order_id: int) -> HttpResponse:
    """Put the part back that was removed last."""
    _tree_or_404(request, order_id)
    removed = _removed(request, order_id)
    if removed is None:
        messages.warning(request, "There is nothing to put back any more.")
        return redirect("order-detail", order_id)

    def restore() -> str:
        composing.containers_add(
            order_id=order_id,
            account_id=request.account.pk,
            compositions=[composition_of(removed)],
            spot=Spot(removed.item_sequence, removed.sequence),
            now=now(),
        )
        del request.session[_removed_key(order_id)]
        return f"{removed.words} put back."

    return _do(request, order_id, restore)


@require_POST
@action_required("draft")
def container_copy(request: AccountRequest, order_id: int, container_id: int) -> HttpResponse:
    def copy() -> str:
        composing.container_copy(order_id=order_id, container_id=container_id, account_id=request.account.pk, now=now())
        return "The part stands here twice now. The copy has no host names yet."

    return _do(request, order_id, copy)


def _removed_key(order_id: int) -> str:
    return f"removed-from-{order_id}"


def _removed(request: AccountRequest, order_id: int) -> Removal | None:
    kept = request.session.get(_removed_key(order_id))
    return Removal(**kept) if kept else None


def _do(request: AccountRequest, order_id: int, action: Callable[[], str]) -> HttpResponse:
    """Do one thing to an order and show it again: with the words of success, or of the refusal."""
    try:
        words = action()
    except (BillingOrder.DoesNotExist, OrderContainer.DoesNotExist):
        raise Http404 from None
    except InputRefused:
        raise
    except RuleBroken as refusal:
        return order_refused(request, order_id, refusal)
    messages.success(request, words)
    return redirect("order-detail", order_id)


def order_refused(request: AccountRequest, order_id: int, refusal: RuleBroken) -> HttpResponse:
    """Show the order again with the reason why something was not done to it."""
    return _order_page(request, order_id, refusal=refusal, status=409)


def _order_page(
    request: AccountRequest,
    order_id: int,
    *,
    form: DraftForm | None = None,
    refusal: RuleBroken | None = None,
    status: int = 200,
) -> HttpResponse:
    tree = _tree_or_404(request, order_id)
    history = order_history(order=tree.order)
    context: dict[str, Any] = {
        "tree": tree,
        "order": tree.order,
        "heading": heading_of(tree),
        "steps": steps_of(tree.order, history),
        "history": [(STATE_WORDS.get(entry.to_state, entry.to_state), entry) for entry in history],
        "refusal": refusal,
        "may_share": can(request.role, "quote"),
    }
    if tree.order.state == OrderState.DRAFT:
        context |= _draft_context(request, tree, form)
    else:
        context |= _firm_context(request, tree.order)
    return render(request, "orders/order_detail.html", context, status=status)


def _draft_context(request: AccountRequest, tree: OrderTree, form: DraftForm | None) -> dict[str, Any]:
    check = check_tree(tree=tree, now=now())
    form = form or DraftForm(tree=tree)
    problems = problems_of(check.violations)
    return {
        "check": check,
        "problems": problems,
        "problems_at": problems_by_container(problems),
        "repairable": sum(bool(problem.repair_words) for problem in problems),
        "may_change": can(request.role, "draft"),
        "removed": _removed(request, tree.order.pk),
        "may_place": can(request.role, "place") and _is_ready(check),
        "may_quote": can(request.role, "quote") and _is_ready(check),
        "form": form,
        "quote_form": QuoteForm(),
        "quantity_fields": {pk: form[name] for pk, name in form.field_names.items()},
        "host_fields": {pk: form[name] for pk, name in form.host_field_names.items()},
    }


def _firm_context(request: AccountRequest, order: BillingOrder) -> dict[str, Any]:
    approval = Approval.objects.select_related("decided_by").filter(order=order).first()
    policy = policy_of(account_id=order.account_id) if approval else None
    return {
        "quotes": quotes_of(account_id=order.account_id).filter(order=order),
        "approval": approval,
        "may_decide": may_decide(order=order, policy=policy, user=request.user, role=request.role),
        "fulfilment": panel_of(order=order, role=request.role),
    }


def _is_ready(check: OrderCheck) -> bool:
    return check.is_valid and not check.price_changes


def _tree_or_404(request: AccountRequest, order_id: int) -> OrderTree:
    try:
        return order_tree(order_id=order_id, account_id=request.account.pk)
    except BillingOrder.DoesNotExist:
        raise Http404 from None


def order_rows(orders: Any) -> list[dict[str, Any]]:
    """Return what a list of orders shows of each, in the template orders/rows.html."""
    trees = [tree_of(order) for order in orders]
    return [{"order": tree.order, "contents": contents_of(tree), "totals": tree.totals} for tree in trees]
