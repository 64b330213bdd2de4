"""Invariants: what must be true of the rows of any database, and what is told where it is not."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from django.db.models import Count

from core.models import IdempotencyRecord


@dataclass(frozen=True)
class Breach:
    """One place where the rows contradict an invariant: which one, what it is about, and how."""

    invariant: str
    subject: str
    words: str

    def __str__(self) -> str:
        return f"{self.invariant}: {self.subject}: {self.words}"

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


Contradictions = Iterator[tuple[str, str]]
"""Subjects with words, one for each row that contradicts an invariant."""

Invariants = dict[str, Callable[[], Contradictions]]
"""What looks for contradictions, by the name of the invariant."""


def breaches_of(invariants: Invariants) -> list[Breach]:
    """Return every contradiction that the database holds; none is the healthy answer."""
    return [Breach(name, subject, words) for name, look in invariants.items() for subject, words in look()]


def keys_used_twice() -> Contradictions:
    """Yield idempotency keys with which an account has more than one answer."""
    keys = IdempotencyRecord.objects.order_by("account_id", "key").values_list("account_id", "key")
    for account_id, key, count in keys.annotate(count=Count("pk")).filter(count__gt=1):
        yield f"account:{account_id}", f"The idempotency key {key} has {count} answers instead of one."
