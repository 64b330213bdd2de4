"""What pages of plans, advice and simulations do alike with the run behind them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse

from accounts.requests import AccountRequest
from core import clock
from core.errors import RuleBroken
from jobs.models import Run
from jobs.services import run_cancel, run_retry


def word_to_load_again() -> HttpResponse:
    """Answer a poll whose run is finished: the browser loads the whole page again."""
    return HttpResponse(headers={"HX-Refresh": "true"})


def run_stop(request: AccountRequest, run: Run) -> None:
    """Stop a run of the account; the next page says why where that is refused."""
    _tell(request, run, run_cancel)


def run_take_up(request: AccountRequest, run: Run) -> None:
    """Take a failed or cancelled run up again where it was; the next page says why where that is refused."""
    _tell(request, run, run_retry)


def _tell(request: AccountRequest, run: Run, service: Callable[..., Any]) -> None:
    try:
        service(run_id=run.pk, account_id=request.account.pk, now=clock.now())
    except RuleBroken as refusal:
        messages.warning(request, refusal.words)
