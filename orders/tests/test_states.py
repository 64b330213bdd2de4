"""The table of moves, and the one function that makes them."""

from itertools import product

import pytest

from core.errors import RuleBroken
from core.models import AuditEntry
from orders.models import BillingOrder
from orders.moves import order_move
from orders.states import ALLOWED_MOVES, ONCE_PLACED, OrderState
from orders.tests.factories import NOW

REFUSED_MOVES = [
    (move_from, move_to)
    for move_from, move_to in product(OrderState, OrderState)
    if move_to not in ALLOWED_MOVES[move_from]
]


@pytest.mark.parametrize(("move_from", "move_to"), REFUSED_MOVES)
@pytest.mark.breaks_invariants(
    "audit entries = changes of state",
    "numbers have no gaps",
    "order state = states of its resources",
    "placed order = a line and one event",
)
def test_a_move_outside_the_table_is_refused_and_leaves_no_trace(draft, ana, move_from, move_to):
    facts = {"placed_at": NOW, "placed_by": ana, "number": 1} if move_from in ONCE_PLACED else {}
    BillingOrder.objects.filter(pk=draft.pk).update(state=move_from, **facts)
    order = BillingOrder.objects.get(pk=draft.pk)
    audit_before = AuditEntry.objects.count()

    with pytest.raises(RuleBroken) as refusal:
        order_move(order=order, to_state=move_to, user=ana, now=NOW)

    assert refusal.value.code == "move_not_allowed"
    assert BillingOrder.objects.get(pk=draft.pk).state == move_from
    assert AuditEntry.objects.count() == audit_before


def test_an_allowed_move_writes_down_who_when_and_why(draft, ana):
    order_move(order=draft, to_state=OrderState.CANCELLED, user=ana, now=NOW, why="Planned another one.")

    entry = AuditEntry.objects.last()
    assert entry is not None
    assert (entry.subject, entry.from_state, entry.to_state) == (draft.subject, "draft", "cancelled")
    assert (entry.actor, entry.at, entry.why) == (ana.email, NOW, "Planned another one.")
