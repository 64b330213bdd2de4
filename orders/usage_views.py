"""The operator's page of use: a table of what machines and volumes used is sent up, and what is recorded is shown."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.decorators import staff_required
from accounts.models import User
from core.clock import now
from core.errors import InputRefused
from core.paging import counted_page
from orders.billing.selectors import usage_recorded
from orders.billing.usage import usage_record
from orders.billing.usage_reading import COLUMNS, readings_in_csv
from orders.forms import UsageForm

RECORDS_ON_A_PAGE = 25
MOST_PROBLEMS_SHOWN = 50


@require_http_methods(["GET", "HEAD", "POST"])
@staff_required
def usage_page(request: HttpRequest) -> HttpResponse:
    """Show what is recorded, the latest month first; posting a table records all of it, or nothing."""
    form = UsageForm(request.POST or None, request.FILES or None)
    problems: list[str] = []
    if request.method == "POST" and form.is_valid():
        try:
            recorded = usage_record(
                readings=readings_in_csv(form.cleaned_data["table"]), actor=cast(User, request.user).email, now=now()
            )
        except InputRefused as refusal:
            problems = [f"{each.field}: {each.words}" if each.field else each.words for each in refusal.violations]
        else:
            messages.success(request, recorded.words)
            return redirect("usage")
    page = counted_page(usage_recorded(), number=request.GET.get("page", ""), size=RECORDS_ON_A_PAGE)
    context = {
        "form": form,
        "problems": problems[:MOST_PROBLEMS_SHOWN],
        "problems_hidden": max(len(problems) - MOST_PROBLEMS_SHOWN, 0),
        "page": page,
        "columns": ",".join(COLUMNS),
    }
    return render(request, "orders/usage.html", context, status=422 if form.errors or problems else 200)
