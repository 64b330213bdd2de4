"""Errors that people and programs can act on."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Repair:
    """What settles a broken rule: in words, and as a JSON Patch (RFC 6902) of the document that breaks it."""

    words: str
    patch: tuple[dict[str, Any], ...]

    def as_dict(self) -> dict[str, Any]:
        return {"words": self.words, "patch": list(self.patch)}


@dataclass(frozen=True)
class Violation:
    """One broken rule: a stable code, the field it concerns, the rule in words with the way out, and a known repair."""

    code: str
    field: str
    words: str
    repair: Repair | None = None

    def as_dict(self) -> dict[str, Any]:
        told = {"code": self.code, "field": self.field, "words": self.words}
        return told | ({"repair": self.repair.as_dict()} if self.repair else {})


class RuleBroken(Exception):
    """A business rule that the request breaks. The code is for machines and stays; the words may improve."""

    def __init__(self, code: str, words: str, *, field: str = "", violations: tuple[Violation, ...] = ()) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.violations = violations or (Violation(code=code, field=field, words=words),)


class InputRefused(RuleBroken):
    """Input of the wrong shape: every problem at once, each with its field."""

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        super().__init__("input_refused", " ".join(violation.words for violation in violations), violations=violations)
