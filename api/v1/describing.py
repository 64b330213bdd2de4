"""What the API description says about every call alike."""

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from api.v1.calls import IDEMPOTENCY_HEADER
from core.idempotency import LONGEST_KEY

F = TypeVar("F", bound=Callable[..., Any])


class PatchOperation(serializers.Serializer[Any]):
    """One operation of a JSON Patch (RFC 6902)."""

    op = serializers.ChoiceField(choices=["add", "remove", "replace", "test"])
    path = serializers.CharField(help_text="A JSON pointer into the document, such as /items/0/containers/0/parts/2.")
    value = serializers.JSONField(required=False)


class RepairShape(serializers.Serializer[Any]):
    """What settles a broken rule: the change that gives up the fewest choices and then costs least."""

    words = serializers.CharField()
    patch = PatchOperation(many=True)


class BrokenRule(serializers.Serializer[Any]):
    """One thing that is wrong, and the way out."""

    code = serializers.CharField(help_text="For programs; it stays.")
    field = serializers.CharField(help_text="A path such as items[0].quantity; empty where it is about the whole.")
    words = serializers.CharField(help_text="For people; they may improve.")
    repair = RepairShape(required=False, help_text="What settles it, where that is known.")


class Refusal(serializers.Serializer[Any]):
    """Why a call was refused."""

    code = serializers.CharField()
    message = serializers.CharField()
    violations = BrokenRule(many=True)


WORDS_OF_REFUSAL = {
    400: "The body is not JSON.",
    401: "Nobody is signed in, or the key is refused.",
    403: "The key or the role does not allow this.",
    404: "There is no such thing, or it belongs to another account.",
    409: "A rule is broken; nothing was changed.",
    422: "The input is refused; every problem is named.",
}
REPEATABLE = OpenApiParameter(
    IDEMPOTENCY_HEADER,
    location=OpenApiParameter.HEADER,
    description=f"1 to {LONGEST_KEY} characters. A repeated call with this key gets the first answer and does nothing.",
)
CONDITIONAL = OpenApiParameter(
    "If-None-Match",
    location=OpenApiParameter.HEADER,
    description="The ETag of an earlier answer; it is answered with 304 while the catalogue has not changed.",
)


def described(
    name: str,
    *,
    tag: str,
    answer: type[serializers.Serializer[Any]] | type[str],
    status: int = 200,
    media_type: str = "application/json",
    takes: type[serializers.Serializer[Any]] | None = None,
    query: type[serializers.Serializer[Any]] | None = None,
    refuses: tuple[int, ...] = (),
    is_repeatable: bool = False,
    is_cached: bool = False,
) -> Callable[[F], F]:
    """Describe one call by name, what it takes, what it answers, and how it may be refused.

    The view's docstring says what it does; its first sentence is the summary.
    """
    parameters: list[Any] = [
        *([query] if query else []),
        *([REPEATABLE] if is_repeatable else []),
        *([CONDITIONAL] if is_cached else []),
    ]
    responses: dict[Any, Any] = {(status, media_type): answer}
    if is_cached:
        responses[304] = OpenApiResponse(description="What you hold is still true.")
    for code in sorted({401, 403, *refuses}):
        responses[code] = OpenApiResponse(Refusal, description=WORDS_OF_REFUSAL[code])

    def describe(view: F) -> F:
        summary = (view.__doc__ or "").partition(".")[0]
        describing = extend_schema(
            operation_id=name, tags=[tag], summary=summary, parameters=parameters, request=takes, responses=responses
        )
        return describing(view)

    return describe
