"""One shape for every refusal: {"code", "message", "violations"}."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from rest_framework.exceptions import APIException, NotFound, ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from catalog.models import Blueprint, Item, Package
from core.errors import InputRefused, RuleBroken, Violation
from orders.models import BillingOrder, Invoice, Quote, Resource
from planner.models import Advice, Plan, Simulation

MISSING = (
    Http404,
    NotFound,
    Advice.DoesNotExist,
    BillingOrder.DoesNotExist,
    Blueprint.DoesNotExist,
    Invoice.DoesNotExist,
    Item.DoesNotExist,
    Package.DoesNotExist,
    Plan.DoesNotExist,
    Quote.DoesNotExist,
    Resource.DoesNotExist,
    Simulation.DoesNotExist,
)
STATUS_OF_RULE = {
    "idempotency_key_invalid": 422,
    "idempotency_key_reused": 422,
    "signature_wrong": 401,
    "signature_too_old": 401,
}
"""Rules about the call itself; every other broken rule is a conflict with what is stored."""

RETRY_AFTER_SECONDS = "5"


def answer_exception(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Turn what a view raised into an answer; None for a bug, which stays one."""
    if isinstance(exception, InputRefused):
        return _refusal(422, exception.code, exception.words, exception.violations)
    if isinstance(exception, RuleBroken):
        status = STATUS_OF_RULE.get(exception.code, 409)
        refused = _refusal(status, exception.code, exception.words, exception.violations)
        if exception.code == "idempotency_in_flight":
            refused["Retry-After"] = RETRY_AFTER_SECONDS
        return refused
    if isinstance(exception, ValidationError):
        violations = tuple(violations_of(exception.get_full_details()))
        return _refusal(422, "input_refused", " ".join(violation.words for violation in violations), violations)
    if isinstance(exception, MISSING):
        # The same words for what belongs to another account as for what never was.
        return _refusal(404, "not_found", "There is nothing at this address for your account.")
    if isinstance(exception, ParseError):
        return _refusal(400, "json_unreadable", str(exception.detail))
    if isinstance(exception, RequestDataTooBig):
        return _refusal(413, "body_too_large", "The body of this call is too large.")
    answer = exception_handler(exception, context)
    if answer is not None:
        answer.data = refusal_body(_code_of(exception), _words_of(exception))
    return answer


def refusal_body(code: str, message: str, violations: Sequence[Violation] = ()) -> dict[str, Any]:
    """Return the body of a refusal."""
    return {"code": code, "message": message, "violations": [violation.as_dict() for violation in violations]}


def violations_of(details: Any, *, field: str = "") -> Iterator[Violation]:
    """Flatten what a serializer refused; a violation's field is its path, such as items[0].parts[1].item."""
    if _is_one_problem(details):
        yield Violation(code=details["code"], field=field, words=f"{field or 'The body'}: {details['message']}")
    elif isinstance(details, dict):
        for name, inner in details.items():
            yield from violations_of(inner, field=_path(field, name))
    else:
        # Either several problems of one field, or one entry for each element of a list.
        for index, inner in enumerate(details):
            yield from violations_of(inner, field=field if _is_one_problem(inner) else _path(field, index))


def _is_one_problem(details: Any) -> bool:
    return isinstance(details, dict) and isinstance(details.get("message"), str)


def _path(field: str, name: Any) -> str:
    if name == "non_field_errors":
        return field
    if isinstance(name, int):
        return f"{field}[{name}]"
    return f"{field}.{name}" if field else str(name)


def _refusal(status: int, code: str, message: str, violations: Sequence[Violation] = ()) -> Response:
    return Response(refusal_body(code, message, violations), status=status)


def _code_of(exception: Exception) -> str:
    codes = exception.get_codes() if isinstance(exception, APIException) else "not_allowed"
    return codes if isinstance(codes, str) else "not_allowed"


def _words_of(exception: Exception) -> str:
    return str(exception.detail) if isinstance(exception, APIException) else "You may not do this."
