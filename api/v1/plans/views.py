"""Calls about plans: ask, wait, cancel, and order what was found."""

from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.calls import AccountView, NothingSent, answer_once, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.orders.rows import order_json
from api.v1.orders.shapes import OrderShape
from api.v1.paging import WhichPage, page_json, page_of
from api.v1.plans import rows, shapes
from api.v1.plans.asking import question_of
from core.clock import now
from core.idempotency import Answer
from jobs.services import run_cancel
from orders.selectors import order_tree
from planner.models import Plan
from planner.selectors import plan_of, plan_summaries
from planner.services import plan_order, plan_start


class PlanList(AccountView):
    to_change = "plan"

    @described("plans_list", tag="plans", query=WhichPage, answer=shapes.PlanPage, refuses=(404, 422))
    def get(self, request: Request) -> Response:
        """List the account's plans, the latest first."""
        page = page_of(plan_summaries(account_id=caller_of(request).account.pk), **query_of(request, shape=WhichPage))
        return Response(page_json(page, results=[rows.plan_line(summary) for summary in page]))

    @described(
        "plans_start", tag="plans", takes=shapes.PlanAsked, answer=shapes.PlanStarted, status=202,
        refuses=(400, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Ask what a storage cloud should be made of. It is worked out by a job; its address is answered at once."""
        caller = caller_of(request)

        def start() -> Answer:
            demand, location = question_of(request.data, currency=caller.account.currency)
            plan = plan_start(account=caller.account, user=caller.user, demand=demand, location=location, now=now())
            return 202, rows.plan_started(plan)

        return answer_once(request, start)


class PlanDetail(AccountView):
    @described("plans_read", tag="plans", answer=shapes.PlanShape, refuses=(404,))
    def get(self, request: Request, plan_id: int) -> Response:
        """Show a plan: how far it is, and its answer once it is done."""
        return Response(rows.plan_json(_own_plan(request, plan_id)))


class PlanCancel(AccountView):
    to_change = "plan"

    @described("plans_cancel", tag="plans", takes=NothingSent, answer=shapes.PlanShape, refuses=(400, 404, 409, 422))
    def post(self, request: Request, plan_id: int) -> Response:
        """Stop a plan that is being worked out."""
        plan = _own_plan(request, plan_id)
        body_of(request, shape=NothingSent)
        plan.run = run_cancel(run_id=plan.run_id, account_id=caller_of(request).account.pk, now=now())
        return Response(rows.plan_json(plan))


class PlanOrder(AccountView):
    @described(
        "plans_order", tag="plans", takes=shapes.ShapeChosen, answer=OrderShape, status=201,
        refuses=(400, 404, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request, plan_id: int) -> Response:
        """Make a draft order of the best configuration, or of another one that the plan shows.

        Best is `best`, or `mixed` where nothing else meets the demand. A shape that stands in the answer with several
        numbers of balancers is named with theirs.
        """
        caller = caller_of(request)
        plan = _own_plan(request, plan_id)

        def order() -> Answer:
            chosen = body_of(request, shape=shapes.ShapeChosen)
            made = plan_order(plan_id=plan.pk, account=caller.account, user=caller.user, **chosen, now=now())
            return 201, order_json(order_tree(order_id=made.pk, account_id=caller.account.pk))

        return answer_once(request, order)


def _own_plan(request: Request, plan_id: int) -> Plan:
    return plan_of(account_id=caller_of(request).account.pk, plan_id=plan_id)
