"""What calls have in common: who calls, what was sent, and creating a thing exactly once."""

from collections.abc import Callable, Collection
from typing import Any, cast

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.requests import AccountRequest
from api.parsers import StrictJSONParser
from api.permissions import HasAccount
from core.clock import now
from core.idempotency import Answer, fingerprint_of, idempotent

IDEMPOTENCY_HEADER = "Idempotency-Key"


class AccountView(APIView):
    """A view for those who act for an account; `to_read` and `to_change` are the actions that their role must allow."""

    to_read = "read"
    to_change = "draft"
    permission_classes = [HasAccount]
    parser_classes = [StrictJSONParser]


class StrictSerializer(serializers.Serializer[Any]):
    """The shape of what is sent; a field that it does not know is refused by name."""

    def to_internal_value(self, data: Any) -> Any:
        problems = unknown_fields(data, known=[str(name) for name in self.fields])
        try:
            values = super().to_internal_value(data)
        except ValidationError as refusal:
            raise ValidationError({**problems, **cast(dict[str, Any], refusal.detail)}) from None
        if problems:
            raise ValidationError(problems)
        return values


class NothingSent(StrictSerializer):
    """A call that says everything by its address."""


def names_of(shape: type[serializers.Serializer[Any]]) -> tuple[str, ...]:
    """Return the names of a shape's fields, in order."""
    return tuple(str(name) for name in shape().fields)


def unknown_fields(data: Any, *, known: Collection[str]) -> dict[str, list[ErrorDetail]]:
    """Return a problem for each field that is sent and not known."""
    if not isinstance(data, dict):
        return {}
    words = "There is no such field. Leave it out."
    return {name: [ErrorDetail(words, code="field_unknown")] for name in data if name not in known}


def caller_of(request: Request) -> AccountRequest:
    """Return the request with the account, the user and the role for which it is made."""
    return cast(AccountRequest, request._request)


def body_of(request: Request, *, shape: type[StrictSerializer]) -> dict[str, Any]:
    """Return the values in the body; raises ValidationError with every problem of their shape."""
    return _read(shape(data=request.data))


def query_of(request: Request, *, shape: type[StrictSerializer]) -> dict[str, Any]:
    """Return the values in the address; raises ValidationError with every problem of their shape."""
    return _read(shape(data=request.query_params.dict()))


def answer_once(request: Request, call: Callable[[], Answer]) -> Response:
    """Make the call; with an idempotency key, make it once and repeat its answer afterwards."""
    key = request.headers.get(IDEMPOTENCY_HEADER)
    if key is None:
        status, body = call()
    else:
        django_request = request._request
        status, body = idempotent(
            account_id=caller_of(request).account.pk,
            key=key,
            fingerprint=fingerprint_of(
                method=str(request.method), path=django_request.get_full_path(), body=django_request.body
            ),
            now=now(),
            call=call,
        )
    return Response(body, status=status, headers=_headers(status, body))


def _headers(status: int, body: object) -> dict[str, str]:
    if status in (201, 202) and isinstance(body, dict):
        return {"Location": body["href"]}
    return {}


def _read(serializer: StrictSerializer) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data
