"""Pages of measured results: upload, what it teaches, the history, and two series side by side."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.decorators import account_required, action_required
from accounts.requests import AccountRequest
from accounts.roles import can
from core import clock
from core.errors import RuleBroken
from jobs.models import Run, RunState
from planner.measurements import pages, services
from planner.measurements.attaching import targets_of
from planner.measurements.calibrating import factors_for
from planner.measurements.comparing import comparison_of, metrics_in_both
from planner.measurements.forms import FileForm, KeepForm, signed_values, values_of
from planner.measurements.reading.files import KINDS
from planner.measurements.reading.readings import METRICS
from planner.measurements.selectors import file_of, file_summaries, measurements_of, other_files
from planner.models import MeasurementFile

FILES_ON_A_PAGE = 25
MOST_TO_COMPARE_WITH = 50


@require_http_methods(["GET", "POST"])
@action_required("plan")
def measurement_new(request: AccountRequest) -> HttpResponse:
    """Take a file of results; posting it shows what was read, and asks what was measured. Nothing is kept yet."""
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if not form.is_bound or not form.is_valid() or form.uploaded is None:
        return render(request, "planner/measurement_new.html", {"form": form}, status=422 if form.is_bound else 200)
    values = signed_values(form.uploaded, account_id=request.account.pk)
    keep = KeepForm(initial={"values": values}, targets=targets_of(account_id=request.account.pk))
    return _preview(request, keep, form.uploaded)


@require_POST
@action_required("plan")
def measurement_keep(request: AccountRequest) -> HttpResponse:
    """Keep the values that the page before showed, attached to what was measured."""
    form = KeepForm(request.POST, targets=targets_of(account_id=request.account.pk))
    try:
        uploaded = values_of(request.POST.get("values", ""), account_id=request.account.pk)
    except RuleBroken as refusal:
        messages.error(request, refusal.words)
        return redirect("measurement-new")
    if form.is_valid():
        try:
            file = services.measurement_keep(
                account=request.account,
                user=request.user,
                uploaded=uploaded,
                name=form.cleaned_data["name"],
                source=form.cleaned_data["source"],
                now=clock.now(),
            )
            return redirect("measurement-detail", file_id=file.pk)
        except RuleBroken as refusal:
            form.add_violations(refusal)
    return _preview(request, form, uploaded, status=422)


@require_GET
@account_required
def measurement_list(request: AccountRequest) -> HttpResponse:
    files = Paginator(file_summaries(account_id=request.account.pk), FILES_ON_A_PAGE)
    page = files.get_page(request.GET.get("page"))
    for line in page:
        line["kind_name"] = KINDS.get(line["kind"], line["kind"])
    factors = factors_for(account_id=request.account.pk)
    lessons = [(pages.thing_words(name), pages.speed_words(factor)) for name, factor in factors.items()]
    context = {"page": page, "lessons": lessons, "can_upload": can(request.role, "plan")}
    return render(request, "planner/measurement_list.html", context)


@require_GET
@account_required
def measurement_detail(request: AccountRequest, file_id: int) -> HttpResponse:
    """Show each value beside its prediction, what it teaches, and which plans would be answered otherwise now."""
    file = _own(request, file_id)
    measurements = measurements_of(file)
    factors = factors_for(account_id=request.account.pk)
    context: dict[str, Any] = {
        "file": file,
        "kind_name": KINDS.get(file.kind, file.kind),
        "rows": pages.measured_rows(measurements),
        "lessons": pages.lessons_of(measurements, factors),
        "others": other_files(file)[:MOST_TO_COMPARE_WITH],
        "can_upload": can(request.role, "plan"),
        **_review(file),
    }
    return render(request, "planner/measurement_detail.html", context)


@require_GET
@account_required
def measurement_review(request: AccountRequest, file_id: int) -> HttpResponse:
    """Answer a poll: which plans would be answered otherwise, or how far the work on that has come."""
    file = _own(request, file_id)
    return render(request, "planner/measurement_review.html", {"file": file, **_review(file)})


@require_POST
@action_required("plan")
def measurement_delete(request: AccountRequest, file_id: int) -> HttpResponse:
    file = _own(request, file_id)
    services.measurement_delete(account=request.account, file_id=file.pk)
    messages.success(request, f"“{file.name}” is deleted: nothing follows from it any more.")
    return redirect("measurement-list")


@require_GET
@account_required
def measurement_compare(request: AccountRequest) -> HttpResponse:
    """Show two series side by side; the address says which, and in which metric."""
    pair = [_own(request, number) for number in _numbers(request)]
    if len(pair) != 2:
        return redirect("measurement-list")
    first, second = pair
    series = [measurements_of(file) for file in pair]
    metrics = metrics_in_both(*series)
    if not metrics:
        messages.warning(request, f"“{first.name}” and “{second.name}” have no configuration in common.")
        return redirect("measurement-detail", file_id=first.pk)
    asked = request.GET.get("metric", "")
    comparison = comparison_of(*series, metric=asked if asked in metrics else metrics[0])
    context = {
        "first": first,
        "second": second,
        "comparison": comparison,
        "heading": pages.comparison_heading(comparison, first, second),
        "glance": pages.glance(comparison),
        "panel": pages.gain_panel(comparison, first, second),
        "metrics": [(METRICS[key].label, key, key == comparison.metric) for key in metrics],
    }
    return render(request, "planner/measurement_compare.html", context)


def _preview(request: AccountRequest, form: KeepForm, uploaded: services.Uploaded, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "uploaded": uploaded,
        "kind_name": KINDS.get(uploaded.read.kind, uploaded.read.kind),
        "columns": pages.PREVIEW_COLUMNS,
        "rows": pages.preview_rows(uploaded.read.readings),
        "count": len(uploaded.read.readings),
    }
    return render(request, "planner/measurement_preview.html", context, status=status)


def _review(file: MeasurementFile) -> dict[str, Any]:
    """Return what looking at the plans again found, or how far it has come."""
    run = file.review_run
    if run is None:
        return {"review": None}
    review: dict[str, Any] = {"is_finished": run.is_finished, "is_done": run.state == RunState.DONE}
    if run.state == RunState.DONE and run.result:
        review["rows"] = pages.review_rows(run.result)
        review["changed"] = sum(row["is_changed"] for row in review["rows"])
    elif not run.is_finished:
        review |= _progress(run)
        review["poll_url"] = reverse("measurement-review", args=[file.pk])
    return {"review": review}


def _progress(run: Run) -> dict[str, Any]:
    done = f"{run.progress_done} of {run.progress_total}"
    return {"words": f"Asking recent plans again: {done}", "percent": 100 * run.progress_done // run.progress_total}


def _numbers(request: AccountRequest) -> list[int]:
    words = [request.GET.get(name, "") for name in ("first", "second")]
    return [int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 18]


def _own(request: AccountRequest, file_id: int) -> MeasurementFile:
    try:
        return file_of(account_id=request.account.pk, file_id=file_id)
    except MeasurementFile.DoesNotExist:
        raise Http404 from None
