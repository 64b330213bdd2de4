"""JSON as strictly as it is defined: no NaN, no field given twice, and numbers exactly as they were written."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """Reads a body of JSON in UTF-8."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig
        try:
            return json.loads(
                body.decode(), parse_float=Decimal, parse_constant=_refuse_constant, object_pairs_hook=_object
            )
        except RecursionError:
            raise ParseError("The body nests too deeply.") from None
        except ValueError as error:
            raise ParseError(f"The body is not readable as JSON: {error}.") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    # Names come back in refusals, so those that no answer could hold (lone surrogates) are refused here.
    "".join(names).encode()
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field “{twice}” stands twice")
    return dict(pairs)
