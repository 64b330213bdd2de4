"""Calls about simulations: ask, wait, cancel, take up again."""

from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.calls import AccountView, NothingSent, answer_once, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.paging import WhichPage, page_json, page_of
from api.v1.simulations import rows, shapes
from api.v1.simulations.asking import question_of
from core.clock import now
from core.idempotency import Answer
from jobs.services import run_cancel, run_retry
from planner.models import Simulation
from planner.simulations.history import simulation_of, simulation_summaries
from planner.simulations.starting import simulation_start


class SimulationList(AccountView):
    to_change = "plan"

    @described("simulations_list", tag="simulations", query=WhichPage, answer=shapes.SimulationPage, refuses=(404, 422))
    def get(self, request: Request) -> Response:
        """List the account's simulations, the latest first."""
        summaries = simulation_summaries(account_id=caller_of(request).account.pk)
        page = page_of(summaries, **query_of(request, shape=WhichPage))
        return Response(page_json(page, results=[rows.simulation_line(summary) for summary in page]))

    @described(
        "simulations_start", tag="simulations", takes=shapes.SimulationAsked, answer=shapes.SimulationStarted,
        status=202, refuses=(400, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Ask what a configuration delivers under a workload. It is run by a job; its address is answered at once."""
        caller = caller_of(request)

        def start() -> Answer:
            question = question_of(request.data)
            simulation = simulation_start(account=caller.account, user=caller.user, question=question, now=now())
            return 202, rows.simulation_started(simulation)

        return answer_once(request, start)


class SimulationDetail(AccountView):
    @described("simulations_read", tag="simulations", answer=shapes.SimulationShape, refuses=(404,))
    def get(self, request: Request, simulation_id: int) -> Response:
        """Show a simulation: how far it is, and its result once it is done."""
        return Response(rows.simulation_json(_own_simulation(request, simulation_id)))


class SimulationCancel(AccountView):
    to_change = "plan"

    @described(
        "simulations_cancel", tag="simulations", takes=NothingSent, answer=shapes.SimulationShape,
        refuses=(400, 404, 409, 422),
    )  # fmt: skip
    def post(self, request: Request, simulation_id: int) -> Response:
        """Stop a simulation that is being run."""
        simulation = _own_simulation(request, simulation_id)
        body_of(request, shape=NothingSent)
        simulation.run = run_cancel(run_id=simulation.run_id, account_id=caller_of(request).account.pk, now=now())
        return Response(rows.simulation_json(simulation))


class SimulationRetry(AccountView):
    to_change = "plan"

    @described(
        "simulations_retry", tag="simulations", takes=NothingSent, answer=shapes.SimulationShape,
        refuses=(400, 404, 409, 422),
    )  # fmt: skip
    def post(self, request: Request, simulation_id: int) -> Response:
        """Take a failed or cancelled simulation up again where it was: only what is missing is computed."""
        simulation = _own_simulation(request, simulation_id)
        body_of(request, shape=NothingSent)
        simulation.run = run_retry(run_id=simulation.run_id, account_id=caller_of(request).account.pk, now=now())
        return Response(rows.simulation_json(simulation))


def _own_simulation(request: Request, simulation_id: int) -> Simulation:
    return simulation_of(account_id=caller_of(request).account.pk, simulation_id=simulation_id)
