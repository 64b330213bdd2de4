"""Pages of tables of scores, for those who keep them; and the way from a plan to servers that replace its machines."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.decorators import action_required
from accounts.models import User
from accounts.requests import AccountRequest, TenantRequest
from core.clock import now
from core.errors import InputRefused, RuleBroken
from planner.mapping import services
from planner.mapping.forms import ScoreTableForm
from planner.mapping.models import ImportedScoreTable
from planner.mapping.of_plan import replacement_of
from planner.mapping.tables import tables_for
from planner.owned import own_plan
from simulation.score_tables import shipped_table
from simulation.scores import SUITE_COLUMNS

TABLES_ON_A_PAGE = 25
SCORES_ON_A_PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def score_tables(request: HttpRequest) -> HttpResponse:
    """List the tables that come along and those that were imported, and import one."""
    keeper = cast(TenantRequest, request)
    _require_keeper(keeper)
    form = ScoreTableForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            table = services.score_table_import(
                partner=keeper.partner,
                user=cast(User, keeper.user),
                text=form.cleaned_data["text"],
                source=form.cleaned_data["source"],
                now=now(),
            )
            messages.success(request, f"“{table}” can be chosen from now on.")
            return redirect("score-table", table.pk)
        except (InputRefused, RuleBroken) as refusal:
            form.add_violations(refusal)
    tables = tables_for(partner_id=_partner_id(keeper)).select_related("partner").annotate(count=Count("scores"))
    tables = tables.order_by("suite", "version", "pk")
    context = {
        "page": Paginator(tables, TABLES_ON_A_PAGE).get_page(request.GET.get("page")),
        "shipped": [shipped_table(version) for version in SUITE_COLUMNS],
        "form": form,
    }
    return render(request, "planner/mapping_tables.html", context, status=422 if form.errors else 200)


@require_GET
@login_required
def score_table(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the scores of an imported table, and where they are from."""
    table = _table(request, table_id)
    _require_keeper(cast(TenantRequest, request))
    page = Paginator(table.scores.all(), SCORES_ON_A_PAGE).get_page(request.GET.get("page"))
    is_own = table.partner_id == _partner_id(cast(TenantRequest, request))
    return render(request, "planner/mapping_table.html", {"table": table, "page": page, "is_own": is_own})


@require_POST
@login_required
def score_table_remove(request: HttpRequest, table_id: int) -> HttpResponse:
    """Remove a table: it can no longer be chosen, and what was asked with it stays as it is."""
    table = _table(request, table_id)
    keeper = cast(TenantRequest, request)
    _require_keeper(keeper)
    try:
        name = services.score_table_remove(partner=keeper.partner, table_id=table.pk)
    except ImportedScoreTable.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"“{name}” is removed. What was asked with it stays as it is.")
    return redirect("score-tables")


@require_GET
@action_required("plan")
def plan_physical(request: AccountRequest, plan_id: int, role: str) -> HttpResponse:
    """Go on to the question which server replaces the machines of a role of a plan, filled in."""
    plan = own_plan(request, plan_id)
    try:
        replacement = replacement_of(plan, role)
    except RuleBroken as refusal:
        messages.warning(request, refusal.words)
        return redirect("plan-detail", plan_id=plan.pk)
    messages.info(request, replacement.taken)
    return redirect(f"{reverse('advice-new', args=['virtual_to_physical'])}?{urlencode(replacement.words)}")


def _table(request: HttpRequest, table_id: int) -> ImportedScoreTable:
    """Return a table of the host's partner or of everybody; another partner's is not there, whoever asks."""
    tables = tables_for(partner_id=_partner_id(cast(TenantRequest, request)))
    try:
        return tables.select_related("imported_by", "partner").get(pk=table_id)
    except ImportedScoreTable.DoesNotExist:
        raise Http404 from None


def _require_keeper(request: TenantRequest) -> None:
    if not (request.user.is_staff or request.serves_partner):
        raise PermissionDenied("Tables of scores are kept by the partner's own people and the operator's staff.")


def _partner_id(request: TenantRequest) -> int | None:
    return request.partner.pk if request.partner else None
