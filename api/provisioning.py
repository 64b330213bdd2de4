"""The door for external provisioners: they answer calls with a signed message, without a key or a session."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.parsers import StrictJSONParser
from api.v1.calls import StrictSerializer, body_of
from api.v1.describing import WORDS_OF_REFUSAL, Refusal
from core.clock import now
from core.signing import DELIVERY_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER
from orders.fulfilment.callbacks import callback_take
from orders.fulfilment.drivers.interface import Answer
from orders.models import ResourceState

STATES = [ResourceState.PROVISIONING, ResourceState.ACTIVE, ResourceState.FAILED]
SIGNED_WITH = [
    OpenApiParameter(DELIVERY_HEADER, location=OpenApiParameter.HEADER, description="An id, new for each message."),
    OpenApiParameter(TIMESTAMP_HEADER, location=OpenApiParameter.HEADER, description="Seconds since 1970, UTC."),
    OpenApiParameter(SIGNATURE_HEADER, location=OpenApiParameter.HEADER, description="See docs/provisioners.md."),
]


class CallbackSent(StrictSerializer):
    """What has become of a resource."""

    resource = serializers.UUIDField()
    attempt = serializers.IntegerField(min_value=1, max_value=32767, help_text="As in the call that is answered.")
    state = serializers.ChoiceField(choices=[(state.value, state.label) for state in STATES])
    external_id = serializers.CharField(max_length=120, allow_blank=True, default="")
    reason = serializers.CharField(max_length=300, allow_blank=True, default="")


class CallbackTaken(serializers.Serializer[Any]):
    """The resource as it is now."""

    resource = serializers.UUIDField()
    state = serializers.CharField()
    external_id = serializers.CharField()


class ProvisioningCallback(APIView):
    """Takes signed messages from anywhere."""

    authentication_classes = []
    permission_classes = []
    parser_classes = [StrictJSONParser]

    @extend_schema(
        operation_id="provisioning_callback",
        tags=["provisioning"],
        summary="Say what has become of a resource",
        auth=[],
        parameters=SIGNED_WITH,
        request=CallbackSent,
        responses={
            200: CallbackTaken,
            400: OpenApiResponse(Refusal, description=WORDS_OF_REFUSAL[400]),
            401: OpenApiResponse(Refusal, description="The signature is wrong or too old."),
            409: OpenApiResponse(Refusal, description=WORDS_OF_REFUSAL[409]),
            422: OpenApiResponse(Refusal, description=WORDS_OF_REFUSAL[422]),
        },
    )
    def post(self, request: Request) -> Response:
        """Say what has become of a resource. Saying the same again changes nothing; the same delivery is refused."""
        body = request._request.body
        said = body_of(request, shape=CallbackSent)
        resource = callback_take(
            resource_uuid=said["resource"],
            attempt=said["attempt"],
            answer=Answer(ResourceState(said["state"]), external_id=said["external_id"], reason=said["reason"]),
            headers=request.headers,
            body=body,
            now=now(),
        )
        return Response(
            {"resource": str(resource.uuid), "state": str(resource.state), "external_id": resource.external_id}
        )
