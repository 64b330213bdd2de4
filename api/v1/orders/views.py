"""Calls about orders: draft, read, verify, refresh, place, cancel."""

from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.calls import AccountView, NothingSent, answer_once, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.orders import shapes
from api.v1.orders.asking import draft_in
from api.v1.orders.rows import order_json, order_line, order_priced, order_verified
from api.v1.paging import WhichPage, page_json, page_of
from core.clock import now
from core.errors import InputRefused
from core.idempotency import Answer
from orders.changing import order_cancel, order_refresh_prices
from orders.checking import order_check
from orders.drafting import draft_asked, draft_check, draft_problems
from orders.placing import order_place
from orders.repairing import order_repair
from orders.selectors import OrderTree, order_sums, order_tree, orders_of


class OrderList(AccountView):
    @described("orders_list", tag="orders", query=WhichPage, answer=shapes.OrderPage, refuses=(404, 422))
    def get(self, request: Request) -> Response:
        """List the account's orders, the newest first."""
        orders = orders_of(account_id=caller_of(request).account.pk)
        page = page_of(orders, **query_of(request, shape=WhichPage))
        sums = order_sums(page)
        results = [order_line(order, totals=sums[order.pk].totals, hourly=sums[order.pk].hourly) for order in page]
        return Response(page_json(page, results=results))

    @described(
        "orders_draft", tag="orders", takes=shapes.OrderAsked, answer=shapes.OrderShape, status=201,
        refuses=(400, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Make a draft, priced as of now. What is wrong with the choice itself does not stop it: verify says so."""
        caller = caller_of(request)

        def draft() -> Answer:
            asked, problems = draft_in(request.data)
            if problems:
                raise InputRefused((*problems, *draft_problems(asked)))
            order = draft_asked(account=caller.account, user=caller.user, asked=asked, now=now())
            return 201, order_json(_own_order(request, order.pk))

        return answer_once(request, draft)


class OrderVerifyUnsaved(AccountView):
    @described(
        "orders_verify_unsaved", tag="orders", takes=shapes.OrderAsked, answer=shapes.OrderPriced, refuses=(400, 422)
    )
    def post(self, request: Request) -> Response:
        """Say what an order would cost and which rules it breaks, all at once. Nothing is stored."""
        asked, problems = draft_in(request.data)
        found = draft_check(account=caller_of(request).account, asked=asked, now=now())
        refused = (*problems, *found.problems)
        if refused:
            raise InputRefused((*refused, *found.violations))
        return Response(order_priced(found))


class OrderDetail(AccountView):
    @described("orders_read", tag="orders", answer=shapes.OrderShape, refuses=(404,))
    def get(self, request: Request, order_id: int) -> Response:
        """Show an order as a tree of items, containers and lines with their totals."""
        return Response(order_json(_own_order(request, order_id)))


class OrderVerify(AccountView):
    @described(
        "orders_verify", tag="orders", takes=NothingSent, answer=shapes.OrderVerified, refuses=(400, 404, 409, 422)
    )
    def post(self, request: Request, order_id: int) -> Response:
        """Name every rule that keeps a draft from being placed, at the prices of now. Nothing is written."""
        order = _own_order(request, order_id).order
        body_of(request, shape=NothingSent)
        return Response(order_verified(order_check(order_id=order.pk, account_id=order.account_id, now=now())))


class OrderRepair(AccountView):
    @described(
        "orders_repair", tag="orders", takes=shapes.RepairAsked, answer=shapes.OrderVerified,
        refuses=(400, 404, 409, 422),
    )  # fmt: skip
    def post(self, request: Request, order_id: int) -> Response:
        """Make the changes that verify offers, for these violations or for all, and verify the draft again."""
        order = _own_order(request, order_id).order
        named = body_of(request, shape=shapes.RepairAsked).get("violations")
        only = None if named is None else {(each["code"], each["field"]) for each in named}
        found = order_repair(order_id=order.pk, account_id=order.account_id, now=now(), only=only)
        return Response(order_verified(found))


class OrderRefresh(AccountView):
    @described(
        "orders_refresh", tag="orders", takes=NothingSent, answer=shapes.OrderShape, refuses=(400, 404, 409, 422)
    )
    def post(self, request: Request, order_id: int) -> Response:
        """Show a draft at the prices of now, so that it can be placed at them."""
        order = _own_order(request, order_id).order
        body_of(request, shape=NothingSent)
        order_refresh_prices(order_id=order.pk, account_id=order.account_id, now=now())
        return Response(order_json(_own_order(request, order_id)))


class OrderPlace(AccountView):
    to_change = "place"

    @described(
        "orders_place", tag="orders", takes=shapes.PriceShown, answer=shapes.OrderShape,
        refuses=(400, 404, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request, order_id: int) -> Response:
        """Turn a draft into a firm order and freeze its words and prices."""
        order = _own_order(request, order_id).order

        def place() -> Answer:
            shown = body_of(request, shape=shapes.PriceShown)
            order_place(
                order_id=order.pk, account_id=order.account_id, user=caller_of(request).user, now=now(), **shown
            )
            return 200, order_json(_own_order(request, order_id))

        return answer_once(request, place)


class OrderCancel(AccountView):
    @described("orders_cancel", tag="orders", takes=NothingSent, answer=shapes.OrderShape, refuses=(400, 404, 409, 422))
    def post(self, request: Request, order_id: int) -> Response:
        """Give a draft up; it stays to be read."""
        order = _own_order(request, order_id).order
        body_of(request, shape=NothingSent)
        order_cancel(order_id=order.pk, account_id=order.account_id, user=caller_of(request).user, now=now())
        return Response(order_json(_own_order(request, order_id)))


def _own_order(request: Request, order_id: int) -> OrderTree:
    return order_tree(order_id=order_id, account_id=caller_of(request).account.pk)
