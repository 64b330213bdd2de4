"""A broken rule with what may mend it: choices of which one may go, and categories that may take something in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catalog.container_facts import Chosen, slot_of
from core.errors import Violation


@dataclass(frozen=True)
class Fill:
    """A category that may take an item in: one of these, or one that has a size; else any that fits."""

    category_code: str
    item_ids: frozenset[int] | None = None
    size: str = ""


@dataclass(frozen=True)
class Broken:
    """A broken rule. Whatever mends it leaves out a choice at fault or adds something to a category in `fills`.

    Unless something is left out, at least one of each set of items in `lacking` must be added; None is any item.
    """

    code: str
    field: str
    words: str
    at_fault: tuple[int, ...] = ()
    fills: tuple[Fill, ...] = ()
    lacking: tuple[frozenset[int] | None, ...] = (None,)

    @property
    def violation(self) -> Violation:
        return Violation(self.code, self.field, self.words)

    @property
    def key(self) -> tuple[str, str, str]:
        return self.code, self.field, self.words


def last_of_each(choices: Sequence[Chosen], *, within: Callable[[Chosen], bool] = lambda _: True) -> tuple[int, ...]:
    """Return one place for equal choices, as which of them goes makes no difference: of disks the last slot."""
    found: dict[tuple[int, str], tuple[int, int]] = {}
    for at, choice in enumerate(choices):
        if within(choice):
            slot = slot_of(choice.category_code)
            kind = choice.item.item_id, choice.category_code if slot is None else "disk"
            found[kind] = max(found.get(kind, (-1, -1)), (-1 if slot is None else slot, at))
    return tuple(sorted(at for _, at in found.values()))
