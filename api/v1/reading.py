"""Reading a body in one go: the values that can be read, and a problem for each that cannot."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.fields import Field, SkipField, empty

from api.errors import violations_of
from api.v1.calls import unknown_fields
from core.errors import Violation

Problems = list[Violation]


def read_leniently(shape: serializers.Serializer[Any], data: Any) -> tuple[dict[str, Any], Problems]:
    """Return what a body of this shape says; what was left out is missing in it, what cannot be read is None.

    So the rest of a body that is wrong somewhere can still be looked at, and everything be said at once.
    """
    problems: Problems = []
    values = _object(shape, data, "", problems)
    return values or {}, problems


def _read(field: Field[Any, Any, Any, Any], data: Any, path: str, problems: Problems) -> Any:
    is_left_out = data is empty or (data is None and field.allow_null)
    if isinstance(field, serializers.Serializer) and not is_left_out:
        return _object(field, data, path, problems)
    if isinstance(field, serializers.ListField) and data is not empty:
        return _list(field, data, path, problems)
    try:
        return field.run_validation(data)
    except ValidationError as refusal:
        problems += violations_of(refusal.get_full_details(), field=path)
        return None


def _object(shape: serializers.Serializer[Any], data: Any, path: str, problems: Problems) -> dict[str, Any] | None:
    if not isinstance(data, dict):
        words = "An object is expected, such as {…}."
        problems += violations_of({"message": words, "code": "invalid"}, field=path)
        return None
    unknown = ValidationError(unknown_fields(data, known=[str(name) for name in shape.fields]))
    problems += violations_of(unknown.get_full_details(), field=path)
    values = {}
    for name, field in shape.fields.items():
        try:
            values[name] = _read(field, data.get(name, empty), f"{path}.{name}" if path else name, problems)
        except SkipField:
            continue
    return values


def _list(field: serializers.ListField, data: Any, path: str, problems: Problems) -> list[Any] | None:
    if not isinstance(data, list):
        problems += violations_of({"message": "A list is expected, such as […].", "code": "not_a_list"}, field=path)
        return None
    try:
        field.run_validators(data)
    except ValidationError as refusal:
        problems += violations_of(refusal.get_full_details(), field=path)
        return None
    return [_read(field.child, each, f"{path}[{index}]", problems) for index, each in enumerate(data)]
