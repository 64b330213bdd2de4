"""Holds every answer of a test against the API description: what is not described there may not be answered."""

import re
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings
from jsonschema import Draft202012Validator

OF_EVERY_SERVER = {405, 406, 413, 415}
"""Answers of the protocol rather than of a call; they are described nowhere."""


@cache
def description() -> dict[str, Any]:
    """Return the API description, in the version that JSON Schema reads, with objects closed to other fields."""
    with patched_settings({"OAS_VERSION": "3.1.0"}):
        described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    for schema in described["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return described


def assert_as_described(answer: Any, *, method: str, path: str) -> None:
    """Fail where the description names no such answer, or another shape of it."""
    if answer.status_code in OF_EVERY_SERVER:
        return
    responses = _operation(method, path)["responses"]
    assert str(answer.status_code) in responses, f"{method} {path} answered {answer.status_code}: {answer.content!r}"
    content = responses[str(answer.status_code)].get("content")
    if content is None:
        assert answer.content == b""
        return
    if "application/json" not in content:
        assert answer["Content-Type"].partition(";")[0] in content
        return
    schema = {"allOf": [content["application/json"]["schema"]], "components": description()["components"]}
    Draft202012Validator(schema).validate(answer.json())


def _operation(method: str, path: str) -> dict[str, Any]:
    bare = path.partition("?")[0]
    # A word such as orders/verify would also fit where an id stands, so the address with fewer arguments counts.
    for template, operations in sorted(description()["paths"].items(), key=lambda path: path[0].count("{")):
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), bare):
            operation: dict[str, Any] = operations[method]
            return operation
    raise AssertionError(f"The description has no address {bare}.")
