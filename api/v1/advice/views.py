"""Calls about advice: ask, wait, cancel, and order or quote what was found."""

from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.advice import rows, shapes
from api.v1.calls import AccountView, NothingSent, answer_once, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.orders.rows import order_json
from api.v1.orders.shapes import OrderShape
from api.v1.paging import WhichPage, page_json, page_of
from core.clock import now
from core.idempotency import Answer
from jobs.services import run_cancel
from orders.selectors import order_tree
from planner.advice.models import Advice
from planner.advice.registry import KINDS
from planner.advice.selectors import advice_of, advice_summaries
from planner.advice.services import advice_order, advice_start, kind_of


class AdviceKindList(AccountView):
    @described("advice_kinds", tag="advice", answer=shapes.AdviceKinds)
    def get(self, request: Request) -> Response:
        """List the kinds of advice, with the fields of each."""
        return Response(rows.kinds_json(KINDS.values(), partner_id=caller_of(request).account.partner_id))


class AdviceList(AccountView):
    to_change = "plan"

    @described("advice_list", tag="advice", query=WhichPage, answer=shapes.AdvicePage, refuses=(404, 422))
    def get(self, request: Request) -> Response:
        """List the account's advice, the latest first."""
        page = page_of(advice_summaries(account_id=caller_of(request).account.pk), **query_of(request, shape=WhichPage))
        return Response(page_json(page, results=[rows.advice_line(summary) for summary in page]))

    @described(
        "advice_start", tag="advice", takes=shapes.AdviceAsked, answer=shapes.AdviceStarted, status=202,
        refuses=(400, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Ask what some work needs. It is worked out by a job; its address is answered at once."""
        caller = caller_of(request)

        def start() -> Answer:
            asked = body_of(request, shape=shapes.AdviceAsked)
            advice = advice_start(
                account=caller.account,
                user=caller.user,
                kind=kind_of(asked["kind"]),
                words=asked.get("words", {}),
                now=now(),
            )
            return 202, rows.advice_started(advice)

        return answer_once(request, start)


class AdviceDetail(AccountView):
    @described("advice_read", tag="advice", answer=shapes.AdviceShape, refuses=(404,))
    def get(self, request: Request, advice_id: int) -> Response:
        """Show a piece of advice: how far it is, and its answer once it is done."""
        return Response(rows.advice_json(_own(request, advice_id)))


class AdviceCancel(AccountView):
    to_change = "plan"

    @described(
        "advice_cancel", tag="advice", takes=NothingSent, answer=shapes.AdviceShape, refuses=(400, 404, 409, 422)
    )
    def post(self, request: Request, advice_id: int) -> Response:
        """Stop advice that is being worked out."""
        advice = _own(request, advice_id)
        body_of(request, shape=NothingSent)
        advice.run = run_cancel(run_id=advice.run_id, account_id=caller_of(request).account.pk, now=now())
        return Response(rows.advice_json(advice))


class AdviceOrder(AccountView):
    @described(
        "advice_order", tag="advice", takes=shapes.ConfigurationChosen, answer=OrderShape, status=201,
        refuses=(400, 404, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request, advice_id: int) -> Response:
        """Make a draft order of the best configuration, or of another one that the answer shows."""
        caller = caller_of(request)
        advice = _own(request, advice_id)

        def order() -> Answer:
            chosen = body_of(request, shape=shapes.ConfigurationChosen)
            made = advice_order(
                advice_id=advice.pk,
                account=caller.account,
                user=caller.user,
                key=chosen.get("configuration", ""),
                now=now(),
            )
            return 201, order_json(order_tree(order_id=made.pk, account_id=caller.account.pk))

        return answer_once(request, order)


def _own(request: Request, advice_id: int) -> Advice:
    return advice_of(account_id=caller_of(request).account.pk, advice_id=advice_id)
