"""Orders in words: headings that say the finding, the line of states, and where on the page a problem stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import Violation
from core.models import AuditEntry
from orders.models import BillingOrder
from orders.moves import time_words
from orders.selectors import OrderTree
from orders.states import OrderState, states_ahead

ENDED_BADLY = frozenset({OrderState.CANCELLED, OrderState.REJECTED, OrderState.FAILED})

CONTAINER = re.compile(r"items\[(\d+)]\.containers\[(\d+)]")


@dataclass(frozen=True)
class Step:
    """One state on the line of an order's states; `state` is done, current, wrong or todo."""

    label: str
    state: str
    at: str = ""


@dataclass(frozen=True)
class Problem:
    """A violation in words, the place on the page that it is about, and what settles it where that is known."""

    number: int
    violation: Violation
    anchor: str

    @property
    def words(self) -> str:
        return self.violation.words

    @property
    def repair_words(self) -> str:
        return self.violation.repair.words if self.violation.repair else ""

    @property
    def key(self) -> str:
        """What the button of the repair sends."""
        return f"{self.violation.code} {self.violation.field}"


def heading_of(tree: OrderTree) -> str:
    """Say what is in an order and what it costs: "6 proxies, 30 storage nodes · $3,110.00 a month"."""
    if not tree.items:
        return "Nothing in this order yet"
    monthly = tree.totals.monthly
    if monthly.is_exact:
        return f"{contents_of(tree)} · {monthly.known} a month"
    noun = "part" if monthly.unpriced_parts == 1 else "parts"
    return f"{contents_of(tree)} · ≥ {monthly.known} a month, {monthly.unpriced_parts} {noun} unpriced"


def contents_of(tree: OrderTree) -> str:
    """Say what is in an order: "6 proxies, 30 storage nodes"."""
    return ", ".join(
        f"{item.quantity:,} {_counted(_inside_a_sentence(item.item.name), item.quantity)}" for item in tree.items
    )


def steps_of(order: BillingOrder, history: Sequence[AuditEntry]) -> list[Step]:
    """Return the line of states: those passed, with their times, the present one, and those to come."""
    passed = [
        Step(OrderState(entry.to_state).label, "done", time_words(entry.at))
        for entry in history
        if entry.to_state != order.state
    ]
    times = {entry.to_state: time_words(entry.at) for entry in history}
    kind = "wrong" if order.state in ENDED_BADLY else "current"
    present = Step(OrderState(order.state).label, kind, times.get(order.state, ""))
    to_come = [Step(state.label, "todo") for state in states_ahead(order.state)]
    return [*passed, present, *to_come]


def problems_of(violations: Sequence[Violation]) -> list[Problem]:
    """Return each violation with the id of the part of the page that it concerns."""
    return [
        Problem(number, violation, anchor_of(violation.field)) for number, violation in enumerate(violations, start=1)
    ]


def problems_by_container(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    """Return the problems of each container, by its field."""
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        at = CONTAINER.match(problem.violation.field)
        if at:
            found.setdefault(at[0], []).append(problem)
    return found


def anchor_of(field: str) -> str:
    """Return the page's id for the container in a field path: items[0].containers[1].os is at items-0-containers-1."""
    found = CONTAINER.match(field)
    return f"items-{found[1]}-containers-{found[2]}" if found else "order-parts"


def _inside_a_sentence(name: str) -> str:
    """Return a name with a small first letter, unless its second is a capital too, as in "SSD tier"."""
    return name if name[1:2].isupper() else f"{name[:1].lower()}{name[1:]}"


def _counted(name: str, quantity: int) -> str:
    """Return a plural name as it reads behind a number: one proxy, two proxies."""
    if quantity != 1:
        return name
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name
