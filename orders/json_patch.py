"""Applying a JSON Patch (RFC 6902) to a document: the operations of repairs, add, remove, replace and test."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from core.errors import RuleBroken

Operation = Mapping[str, Any]


def patch_apply(document: Any, patch: Sequence[Operation]) -> Any:
    """Return the document as the patch makes it; the document itself stays as it is.

    Raises RuleBroken("patch_failed") where a tested value is another one or a place does not exist; then nothing of the
    patch counts.
    """
    found = deepcopy(document)
    for operation in patch:
        found = _applied(found, operation)
    return found


def _applied(document: Any, operation: Operation) -> Any:
    path, kind = operation["path"], operation["op"]
    parts = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
    if kind == "test":
        if _value_at(document, parts, path) != operation["value"]:
            raise _failed(path, "is not what it was when the repair was worked out")
        return document
    if not parts:
        return deepcopy(operation["value"])
    parent, name = _value_at(document, parts[:-1], path), parts[-1]
    if kind == "add" and isinstance(parent, list):
        parent.insert(len(parent) if name == "-" else _index(name, len(parent) + 1, path), deepcopy(operation["value"]))
    elif kind == "add" and isinstance(parent, dict):
        parent[name] = deepcopy(operation["value"])
    elif kind == "replace":
        _value_at(parent, [name], path)
        parent[_key(parent, name, path)] = deepcopy(operation["value"])
    elif kind == "remove":
        _value_at(parent, [name], path)
        del parent[_key(parent, name, path)]
    else:
        raise _failed(path, f"cannot be changed by “{kind}”")
    return document


def _value_at(document: Any, parts: Sequence[str], path: str) -> Any:
    found = document
    for part in parts:
        if isinstance(found, dict) and part in found:
            found = found[part]
        elif isinstance(found, list):
            found = found[_index(part, len(found), path)]
        else:
            raise _failed(path, "does not exist")
    return found


def _key(parent: Any, name: str, path: str) -> Any:
    return _index(name, len(parent), path) if isinstance(parent, list) else name


def _index(name: str, length: int, path: str) -> int:
    if not (name.isascii() and name.isdigit() and str(int(name)) == name and int(name) < length):
        raise _failed(path, "does not exist")
    return int(name)


def _failed(path: str, why: str) -> RuleBroken:
    return RuleBroken("patch_failed", f"{path} {why}. Look at the document again.")
