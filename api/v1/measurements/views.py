"""Calls about measured results: upload a file, read what it teaches, delete it."""

from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.calls import AccountView, NothingSent, answer_once, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.measurements import rows, shapes
from api.v1.paging import WhichPage, page_json, page_of
from core.clock import now
from core.errors import InputRefused, Violation
from core.idempotency import Answer
from planner.measurements.reading.files import read_file
from planner.measurements.reading.numbers import DecimalSign
from planner.measurements.reading.readings import FIELD
from planner.measurements.selectors import file_of, file_summaries
from planner.measurements.services import Uploaded, measurement_delete, measurement_keep, uploaded_of
from planner.models import MeasurementFile


class MeasurementList(AccountView):
    to_change = "plan"

    @described("measurements_list", tag="measurements", query=WhichPage, answer=shapes.ResultsPage, refuses=(404, 422))
    def get(self, request: Request) -> Response:
        """List the account's files of results, the latest first."""
        summaries = file_summaries(account_id=caller_of(request).account.pk)
        page = page_of(summaries, **query_of(request, shape=WhichPage))
        return Response(page_json(page, results=[rows.results_line(summary) for summary in page]))

    @described(
        "measurements_keep", tag="measurements", takes=shapes.ResultsSent, answer=shapes.ResultsShape, status=201,
        refuses=(400, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Upload what fio, YCSB, COSBench or Basho Bench wrote, or a table. New plans of the account learn from it."""
        caller = caller_of(request)

        def keep() -> Answer:
            sent = body_of(request, shape=shapes.ResultsSent)
            file = measurement_keep(
                account=caller.account,
                user=caller.user,
                uploaded=_uploaded(sent),
                name=sent["name"],
                source=sent["source"],
                now=now(),
            )
            return 201, rows.results_json(file)

        return answer_once(request, keep)


class MeasurementDetail(AccountView):
    @described("measurements_read", tag="measurements", answer=shapes.ResultsShape, refuses=(404,))
    def get(self, request: Request, file_id: int) -> Response:
        """Show a file of results: each value beside its prediction, and what they teach."""
        return Response(rows.results_json(_own_file(request, file_id)))


class MeasurementDelete(AccountView):
    to_change = "plan"

    @described(
        "measurements_delete", tag="measurements", takes=NothingSent, answer=shapes.ResultsDeleted,
        refuses=(400, 404, 422),
    )  # fmt: skip
    def post(self, request: Request, file_id: int) -> Response:
        """Delete a file of results, so that nothing follows from it any more; plans made meanwhile stay."""
        file = _own_file(request, file_id)
        body_of(request, shape=NothingSent)
        measurement_delete(account=caller_of(request).account, file_id=file.pk)
        return Response({"id": file_id, "is_deleted": True})


def _uploaded(sent: dict[str, Any]) -> Uploaded:
    """Read the content; what is wrong with it is about the field `content`."""
    data = sent["content"].encode()
    sign = sent.get("decimal_sign")
    try:
        read = read_file(data, kind=sent.get("kind", ""), decimal_sign=DecimalSign(sign) if sign else None)
        return uploaded_of(file_name=sent["file_name"], data=data, read=read)
    except InputRefused as refusal:
        raise InputRefused(tuple(_about_content(violation) for violation in refusal.violations)) from None


def _about_content(violation: Violation) -> Violation:
    field = "content" if violation.field == FIELD else violation.field
    return Violation(code=violation.code, field=field, words=violation.words)


def _own_file(request: Request, file_id: int) -> MeasurementFile:
    try:
        return file_of(account_id=caller_of(request).account.pk, file_id=file_id)
    except MeasurementFile.DoesNotExist:
        raise Http404 from None
