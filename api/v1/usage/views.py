"""The operator's call about use."""

from dataclasses import asdict

from rest_framework.request import Request
from rest_framework.response import Response

from api.permissions import IsOperator
from api.v1.calls import AccountView, body_of, caller_of
from api.v1.describing import described
from api.v1.usage import shapes
from core.clock import now
from orders.billing.usage import usage_record
from orders.billing.usage_reading import readings_of


class UsageRecording(AccountView):
    permission_classes = [IsOperator]

    @described("usage_record", tag="billing", takes=shapes.UsageAsked, answer=shapes.UsageShape, refuses=(400, 422))
    def post(self, request: Request) -> Response:
        """Record what machines and volumes used in a month; for the operator's staff. Again it changes nothing."""
        asked = body_of(request, shape=shapes.UsageAsked)["readings"]
        readings = readings_of((f"readings[{number}]", reading) for number, reading in enumerate(asked))
        recorded = usage_record(readings=readings, actor=caller_of(request).user.email, now=now())
        return Response(asdict(recorded))
