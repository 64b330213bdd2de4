"""Pages of simulations: the question, its progress, the result, the history, and two runs side by side."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from core import clock
from jobs.models import RunState
from planner.models import Simulation
from planner.run_pages import run_stop, run_take_up, word_to_load_again
from planner.simulation_charts import comparison_of, figures_of
from planner.simulation_results import best_point
from planner.simulations import pages
from planner.simulations.fields import BLOCK_IO, WORKLOADS
from planner.simulations.filling import Filled, configuration_from, filled_from, sources_of
from planner.simulations.forms import SimulationForm, default_words
from planner.simulations.history import comparable_with, simulation_of, simulation_summaries
from planner.simulations.starting import simulation_start

SIMULATIONS_ON_A_PAGE = 25
MOST_TO_COMPARE_WITH = 50


@require_http_methods(["GET", "POST"])
@action_required("plan")
def simulation_new(request: AccountRequest) -> HttpResponse:
    """Ask: a workload from pictures and its fields, filled in from the address or from a configuration."""
    typed = request.POST if request.method == "POST" else request.GET
    workload = WORKLOADS.get(typed.get("workload", ""), BLOCK_IO)
    filled = None
    if request.method == "POST":
        form = SimulationForm(request.POST, workload=workload)
        if form.is_valid() and form.question:
            simulation = simulation_start(
                account=request.account,
                user=request.user,
                question=form.question,
                now=clock.now(),
            )
            return redirect("simulation-detail", simulation_id=simulation.pk)
    else:
        filled = _filled(request)
        words = default_words(workload) | (filled.words if filled else {}) | request.GET.dict()
        form = SimulationForm(initial=words, workload=workload)
    context = {
        "form": form,
        "workload": workload,
        "workloads": WORKLOADS.values(),
        "sources": sources_of(account_id=request.account.pk),
        "chosen_source": request.GET.get("from", ""),
        "filled": filled,
    }
    return render(request, "planner/simulation_new.html", context, status=422 if form.is_bound else 200)


@require_GET
@account_required
def simulation_list(request: AccountRequest) -> HttpResponse:
    simulations = Paginator(simulation_summaries(account_id=request.account.pk), SIMULATIONS_ON_A_PAGE)
    page = simulations.get_page(request.GET.get("page"))
    for line in page:
        line["workload_name"] = WORKLOADS[line["workload"]].name
    context = {"page": page, "can_ask": can(request.role, "plan")}
    return render(request, "planner/simulation_list.html", context)


@require_GET
@account_required
def simulation_detail(request: AccountRequest, simulation_id: int) -> HttpResponse:
    simulation = _own(request, simulation_id)
    context: dict[str, Any] = {
        "simulation": simulation,
        "workload": WORKLOADS[simulation.workload],
        "configuration": pages.configuration_rows(simulation),
        "change_url": f"{reverse('simulation-new')}?{urlencode(pages.form_words(simulation))}",
        "can_ask": can(request.role, "plan"),
    }
    if simulation.run.state != RunState.DONE:
        return render(request, "planner/simulation_waiting.html", context | pages.progress(simulation))
    result = simulation.run.result or {}
    columns, rows = pages.points_table(result)
    context |= {
        "result": result,
        "heading": pages.heading(result),
        "figures": pages.figures_at_a_glance(result),
        "best": best_point(result),
        "panels": figures_of(simulation.workload, result),
        "columns": columns,
        "rows": rows,
        "others": comparable_with(simulation)[:MOST_TO_COMPARE_WITH],
    }
    return render(request, "planner/simulation_result.html", context)


@require_GET
@account_required
def simulation_progress(request: AccountRequest, simulation_id: int) -> HttpResponse:
    """Answer a poll: the progress panel while the simulation runs, then a word to load the page again."""
    simulation = _own(request, simulation_id)
    if simulation.run.is_finished:
        return word_to_load_again()
    context = {"simulation": simulation, "can_ask": can(request.role, "plan")} | pages.progress(simulation)
    return render(request, "planner/simulation_progress.html", context)


@require_POST
@action_required("plan")
def simulation_stop(request: AccountRequest, simulation_id: int) -> HttpResponse:
    run_stop(request, _own(request, simulation_id).run)
    return redirect("simulation-detail", simulation_id=simulation_id)


@require_POST
@action_required("plan")
def simulation_again(request: AccountRequest, simulation_id: int) -> HttpResponse:
    run_take_up(request, _own(request, simulation_id).run)
    return redirect("simulation-detail", simulation_id=simulation_id)


@require_GET
@account_required
def simulation_compare(request: AccountRequest) -> HttpResponse:
    """Show two finished simulations of one workload on the same scale; the address says which."""
    pair = [_own(request, number) for number in _numbers(request)]
    if len(pair) != 2:
        return redirect("simulation-list")
    first, second = pair
    if first.workload != second.workload or {first.run.state, second.run.state} != {RunState.DONE}:
        messages.warning(request, "Only finished simulations of the same workload can be compared.")
        return redirect("simulation-detail", simulation_id=first.pk)
    sides = [(each, each.run.result or {}) for each in pair]
    context = {
        "sides": [
            {"simulation": each, "heading": pages.heading(result), "figures": pages.figures_at_a_glance(result)}
            for each, result in sides
        ],
        "workload": WORKLOADS[first.workload],
        "differences": pages.differences(first, second),
        "panels": comparison_of(*[(pages.short_name(each), result) for each, result in sides]),
    }
    return render(request, "planner/simulation_compare.html", context)


def _numbers(request: AccountRequest) -> list[int]:
    words = [request.GET.get(name, "") for name in ("first", "second")]
    return [int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 18]


def _filled(request: AccountRequest) -> Filled | None:
    workload = WORKLOADS.get(request.GET.get("workload", ""), BLOCK_IO)
    configuration = configuration_from(key=request.GET.get("from", ""), account_id=request.account.pk)
    return filled_from(configuration, workload) if configuration else None


def _own(request: AccountRequest, simulation_id: int) -> Simulation:
    try:
        return simulation_of(account_id=request.account.pk, simulation_id=simulation_id)
    except Simulation.DoesNotExist:
        raise Http404 from None
