"""Errors that people and programs can act on."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Violation:
    """One broken rule: a stable code, the field it concerns, and the rule and the way out in words."""

    code: str
    field: str
    words: str

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


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
