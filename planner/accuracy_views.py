"""Pages of how far to trust a prediction: predicted against published, and the parameters behind it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from planner.accuracy_chart import accuracy_figure, chart_words
from planner.accuracy_page import WORKLOAD_WORDS, promises_of, workloads_of
from planner.parameter_page import groups_for, parameter_groups, source_counts
from simulation.figures import shipped_figures
from simulation.parameters import load_parameter_set
from simulation.stored_accuracy import stored_report


@require_safe
@login_required
def accuracy(request: HttpRequest) -> HttpResponse:
    """Show every published figure beside its prediction, of all workloads or of the one in the address."""
    parameters = load_parameter_set()
    everything = workloads_of(shipped_figures(), stored_report(parameters.name))
    asked = request.GET.get("workload", "")
    shown = [each for each in everything if each.workload == asked] or everything
    title, summary = chart_words(shown)
    figures = [figure for each in everything for figure in each.figures]
    sources = list(dict.fromkeys(figure.source for figure in figures))
    context = {
        "parameters": parameters,
        "workloads": everything,
        "shown": shown,
        "asked": shown[0].workload if len(shown) == 1 else "",
        "promises": promises_of(everything),
        "figure": accuracy_figure(shown),
        "chart_title": title,
        "chart_summary": summary,
        "heading": chart_words(everything)[0],
        "fitted": sum(figure.is_fitted for figure in figures),
        "count": len(figures),
        "sources": sources,
        "source_numbers": {source: number for number, source in enumerate(sources, start=1)},
    }
    return render(request, "planner/accuracy.html", context)


@require_safe
@login_required
def parameters(request: HttpRequest) -> HttpResponse:
    """List the parameters of the shipped set, all or those that one workload's predictions take."""
    shipped = load_parameter_set()
    everything = parameter_groups(shipped)
    asked = request.GET.get("workload", "")
    asked = asked if asked in WORKLOAD_WORDS and groups_for(everything, workload=asked) else ""
    used = {workload for group in everything for workload in group.workloads}
    context = {
        "parameters": shipped,
        "groups": groups_for(everything, workload=asked),
        "workload_words": WORKLOAD_WORDS,
        "workloads": [(key, words) for key, words in WORKLOAD_WORDS.items() if key in used],
        "asked": asked,
        "counts": source_counts(everything),
        "count": sum(len(group.rows) for group in everything),
    }
    return render(request, "planner/parameters.html", context)
