"""Runs for the operator: to read, to cancel and to try again. Nobody edits the record of truth by hand."""

from collections.abc import Callable

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from core import clock
from core.errors import RuleBroken
from jobs.models import Point, Run
from jobs.services import run_cancel, run_retry


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows to look at; whoever may change them may use their actions."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__",
        "account_id",
        "state",
        "failure",
        "stage",
        "progress",
        "created_by",
        "created_at",
        "finished_at",
    ]
    list_filter = ["state", "failure", "kind"]
    search_fields = ["=id", "=account_id", "created_by", "reason"]
    date_hierarchy = "created_at"
    actions = ["cancel", "retry"]

    @admin.display(description="Points done")
    def progress(self, run: Run) -> str:
        return f"{run.progress_done} of {run.progress_total}"

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("jobs.change_run")

    @admin.action(description="Cancel selected runs", permissions=["operate"])
    def cancel(self, request: HttpRequest, runs: QuerySet[Run]) -> None:
        self._each(request, runs, service=run_cancel, done="cancelled")

    @admin.action(description="Try selected runs again", permissions=["operate"])
    def retry(self, request: HttpRequest, runs: QuerySet[Run]) -> None:
        self._each(request, runs, service=run_retry, done="started again")

    def _each(self, request: HttpRequest, runs: QuerySet[Run], *, service: Callable[..., Run], done: str) -> None:
        for run in runs:
            try:
                service(run_id=run.pk, account_id=run.account_id, now=clock.now())
            except RuleBroken as refusal:
                self.message_user(request, f"{run}: {refusal.words}", messages.WARNING)
            else:
                self.message_user(request, f"{run} was {done}.", messages.SUCCESS)


@admin.register(Point)
class PointAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "stage", "state", "attempt", "worker", "lease_until", "started_at", "finished_at"]
    list_filter = ["state", "is_final"]
    list_select_related = ["run"]
    search_fields = ["=run__id", "worker", "reason"]
