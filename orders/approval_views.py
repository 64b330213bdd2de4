"""Pages of approvals: what waits, the decision, the link from an e-mail, and the account's limits."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from accounts.services import account_choose
from core.clock import now
from core.errors import InputRefused, RuleBroken
from core.forms import problem_words
from core.paging import counted_page
from orders import approving
from orders.forms import DecisionForm, PolicyForm
from orders.models import Approval, BillingOrder
from orders.views import order_refused, order_rows

APPROVALS_ON_A_PAGE = 25


@account_required
@require_safe
def approval_list(request: AccountRequest) -> HttpResponse:
    """The orders that wait for approval, the longest waiting first."""
    orders = approving.approvals_open(account_id=request.account.pk)
    page = counted_page(orders, number=request.GET.get("page", ""), size=APPROVALS_ON_A_PAGE)
    context = {"page": page, "rows": order_rows(page), "may_manage": can(request.role, "manage")}
    return render(request, "orders/approval_list.html", context)


@require_POST
@action_required("approve")
def approval_decide(request: AccountRequest, order_id: int) -> HttpResponse:
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return order_refused(
            request, order_id, RuleBroken("decision_missing", f"Nothing was decided. {problem_words(form)}")
        )
    try:
        order = approving.approval_decide(
            order_id=order_id,
            account_id=request.account.pk,
            user=request.user,
            role=request.role,
            is_approved=form.cleaned_data["decision"] == "approve",
            note=form.cleaned_data["note"],
            now=now(),
        )
    except BillingOrder.DoesNotExist:
        raise Http404 from None
    except RuleBroken as refusal:
        return order_refused(request, order_id, refusal)
    messages.success(request, f"{order} is {order.get_state_display().lower()}.")
    return redirect("order-detail", order_id)


@account_required
@require_safe
def approval_by_link(request: AccountRequest, token: str) -> HttpResponse:
    """Lead from an e-mail to the order, in the account it belongs to. Looking decides nothing."""
    accounts = [standing.account.pk for standing in request.standings]
    approval = Approval.objects.select_related("order").filter(token=token, order__account_id__in=accounts).first()
    if approval is None:
        raise Http404
    order = approval.order
    account_choose(session=request.session, standings=request.standings, account_id=order.account_id)
    return redirect("order-detail", order.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@action_required("manage")
def approval_policy(request: AccountRequest) -> HttpResponse:
    """What the account may spend before somebody else must agree."""
    policy = approving.policy_of(account_id=request.account.pk)
    form = PolicyForm(request.POST or None, account=request.account, policy=policy)
    if request.method == "POST" and form.is_valid():
        try:
            approving.policy_set(account=request.account, user=request.user, now=now(), **form.policy)
        except InputRefused as refusal:
            for violation in refusal.violations:
                form.add_error(violation.field, violation.words)
        else:
            messages.success(request, "These limits hold for orders placed from now on.")
            return redirect("approval-policy")
    status = 422 if form.errors else 200
    return render(request, "orders/approval_policy.html", {"form": form, "policy": policy}, status=status)
