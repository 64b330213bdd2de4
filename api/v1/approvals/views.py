"""Calls about approvals: what waits, approve, reject, and the limits beyond which an order waits."""

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Account, Membership
from api.v1.approvals import shapes
from api.v1.approvals.rows import order_waiting, policy_json
from api.v1.calls import AccountView, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.orders.rows import order_json
from api.v1.orders.shapes import OrderShape
from api.v1.paging import WhichPage, page_json, page_of
from core.clock import now
from orders.approving import approval_decide, approvals_open, may_decide, policy_of, policy_set
from orders.selectors import order_sums, order_tree, orders_of

NOBODY = -1
"""The id of no user: whoever is named and is no member is refused together with all else that is wrong."""


class ApprovalList(AccountView):
    @described("approvals_list", tag="approvals", query=WhichPage, answer=shapes.OrdersWaiting, refuses=(404, 422))
    def get(self, request: Request) -> Response:
        """List the orders that wait for approval, the longest waiting first."""
        caller = caller_of(request)
        waiting = approvals_open(account_id=caller.account.pk).prefetch_related(None)
        page = page_of(waiting, **query_of(request, shape=WhichPage))
        sums, policy = order_sums(page), policy_of(account_id=caller.account.pk)
        results = [
            order_waiting(
                order,
                comes_to=sums[order.pk],
                may_decide=may_decide(order=order, policy=policy, user=caller.user, role=caller.role),
            )
            for order in page
        ]
        return Response(page_json(page, results=results))


class OrderApprove(AccountView):
    to_change = "approve"

    @described(
        "orders_approve", tag="approvals", takes=shapes.Decision, answer=OrderShape, refuses=(400, 404, 409, 422)
    )
    def post(self, request: Request, order_id: int) -> Response:
        """Approve an order that waits for it, so that it is provisioned."""
        return _decide(request, order_id, is_approved=True)


class OrderReject(AccountView):
    to_change = "approve"

    @described("orders_reject", tag="approvals", takes=shapes.Decision, answer=OrderShape, refuses=(400, 404, 409, 422))
    def post(self, request: Request, order_id: int) -> Response:
        """Reject an order that waits for approval, for good."""
        return _decide(request, order_id, is_approved=False)


class Policy(AccountView):
    to_change = "manage"

    @described("approval_policy_read", tag="approvals", answer=shapes.PolicyShape)
    def get(self, request: Request) -> Response:
        """Show beyond which limits an order of the account waits for approval."""
        return Response(_policy(caller_of(request).account))

    @described(
        "approval_policy_set", tag="approvals", takes=shapes.PolicyAsked, answer=shapes.PolicyShape, refuses=(400, 422)
    )
    def put(self, request: Request) -> Response:
        """Set the limits for orders placed from now on."""
        caller = caller_of(request)
        asked = body_of(request, shape=shapes.PolicyAsked)
        approver_id = _member_id(caller.account, email=asked.pop("approver"))
        policy_set(account=caller.account, approver_id=approver_id, user=caller.user, now=now(), **asked)
        return Response(_policy(caller.account))


def _decide(request: Request, order_id: int, *, is_approved: bool) -> Response:
    caller = caller_of(request)
    order = orders_of(account_id=caller.account.pk).get(pk=order_id)
    decision = body_of(request, shape=shapes.Decision)
    approval_decide(
        order_id=order.pk,
        account_id=order.account_id,
        user=caller.user,
        role=caller.role,
        is_approved=is_approved,
        now=now(),
        **decision,
    )
    return Response(order_json(order_tree(order_id=order.pk, account_id=order.account_id)))


def _policy(account: Account) -> dict[str, object]:
    return policy_json(policy_of(account_id=account.pk), account=account)


def _member_id(account: Account, *, email: str | None) -> int | None:
    if email is None:
        return None
    members = Membership.objects.filter(account=account, user__email=email.lower())
    return members.values_list("user_id", flat=True).first() or NOBODY
