"""The audit tells of every change of state: read in order, its entries lead to the state that a row is in."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from core.invariants import Contradictions
from core.models import AuditEntry
from orders.fulfilment.states import RESOURCE_MOVES
from orders.models import BillingOrder, Resource, ResourceState
from orders.models.resources import subject_of
from orders.states import ALLOWED_MOVES, OrderState

Move = tuple[str, int, str, str]
"""A subject, its account and the states between which it moved."""


@dataclass(frozen=True)
class Standing:
    """Who owns something that has states, and the state that it is in."""

    account_id: int
    state: str


def states_without_audit() -> Contradictions:
    """Yield orders and resources whose audit entries do not tell, step by step, how they got into their state."""
    orders = BillingOrder.objects.values_list("pk", "account_id", "state")
    standing = {f"order:{pk}": Standing(account_id, state) for pk, account_id, state in orders}
    # An order begins with the entry of its making; a resource is ordered together with its order.
    yield from _untold("order:", standing, begins_as="", moves=_by_words(ALLOWED_MOVES) | {"": {OrderState.DRAFT}})
    resources = Resource.objects.values_list("uuid", "account_id", "state")
    standing = {subject_of(uuid): Standing(account_id, state) for uuid, account_id, state in resources}
    yield from _untold("resource:", standing, begins_as=ResourceState.ORDERED, moves=_by_words(RESOURCE_MOVES))


def _untold(
    kind: str, standing: Mapping[str, Standing], *, begins_as: str, moves: Mapping[str, Collection[str]]
) -> Contradictions:
    untold = {subject for subject, one in standing.items() if one.state != begins_as}
    entries = AuditEntry.objects.filter(subject__startswith=kind).order_by("subject", "pk")
    columns = entries.values_list("subject", "account_id", "from_state", "to_state")
    for subject, told in groupby(columns.iterator(), key=itemgetter(0)):
        untold.discard(subject)
        one = standing.get(subject)
        words = _contradiction(told, one, begins_as=begins_as, moves=moves) if one else ""
        if words:
            yield subject, words
    for subject in sorted(untold):
        yield subject, f"Is {standing[subject].state}, and no audit entry says since when."


def _contradiction(told: Iterable[Move], one: Standing, *, begins_as: str, moves: Mapping[str, Collection[str]]) -> str:
    """Return where the audit entries of one subject do not fit together or its state; "" where they do."""
    at = begins_as
    for _, account_id, from_state, to_state in told:
        if account_id != one.account_id:
            return f"Belongs to account {one.account_id}, and an audit entry of it to account {account_id}."
        if from_state != at:
            return f"Became {to_state} from {from_state or 'nothing'}, and was {at or 'nothing'} before."
        if to_state not in moves[from_state]:
            return f"Became {to_state} from {from_state or 'nothing'}, which no table allows."
        at = to_state
    return "" if at == one.state else f"Is {one.state}, and the audit says {at}."


def _by_words(moves: Mapping[Any, Collection[str]]) -> dict[str, Collection[str]]:
    return {str(state): reached for state, reached in moves.items()}
