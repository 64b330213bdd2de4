"""Moving resources from state to state: conditional on the state they are in, each move with its audit entry."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet

from core.bulk import insert_alike
from core.errors import RuleBroken
from core.models import AuditEntry
from orders.fulfilment.states import states_before
from orders.models import Resource, ResourceState
from orders.models.resources import subject_of

ROWS_AT_ONCE = 1000
LONGEST_REASON = 300

Row = tuple[int, UUID, int]
"""The id, the UUID and the account of a resource."""


def resources_move(
    *,
    resources: QuerySet[Resource],
    to_state: ResourceState,
    now: datetime,
    actor: str,
    why: str = "",
    external_id: str = "",
) -> int:
    """Move those of the resources that may become this, and return how many; the caller holds their order.

    Where no external id is told, they keep the one that is known.
    Raises RuleBroken where one of them changed since it was read, which only happens to a caller without the lock.
    """
    why = why[:LONGEST_REASON]
    facts = _facts_of(to_state, now=now, why=why, external_id=external_id)
    moved = 0
    for from_state in states_before(to_state):
        for rows in _batches(resources.filter(state=from_state)):
            _move_rows(rows, from_state=from_state, to_state=to_state, facts=facts)
            _record(rows, from_state=from_state, to_state=to_state, now=now, actor=actor, why=why)
            moved += len(rows)
    return moved


def _facts_of(to_state: ResourceState, *, now: datetime, why: str, external_id: str) -> dict[str, Any]:
    """Return what a state implies beside itself."""
    match to_state:
        case ResourceState.ORDERED:
            return {"reason": "", "external_id": "", "accepted_at": None, "taken_by": None}
        case ResourceState.PROVISIONING:
            return {"attempt": F("attempt") + 1, "begun_at": now}
        case ResourceState.ACTIVE:
            named = {"external_id": external_id} if external_id else {}
            return {"active_at": now, "reason": "", **named}
        case ResourceState.FAILED:
            return {"reason": why}
        case ResourceState.CANCELLED:
            return {"cancelled_at": now}


def _batches(resources: QuerySet[Resource]) -> Iterator[list[Row]]:
    rows = list(resources.order_by("pk").values_list("pk", "uuid", "account_id"))
    return (rows[start : start + ROWS_AT_ONCE] for start in range(0, len(rows), ROWS_AT_ONCE))


def _move_rows(rows: list[Row], *, from_state: ResourceState, to_state: ResourceState, facts: dict[str, Any]) -> None:
    in_that_state = Resource.objects.filter(pk__in=[pk for pk, _, _ in rows], state=from_state)
    if in_that_state.update(state=to_state, **facts) != len(rows):
        words = "Somebody else changed one of these machines at the same moment. Look at them again."
        raise RuleBroken("resource_changed_meanwhile", words)


def _record(
    rows: list[Row], *, from_state: ResourceState, to_state: ResourceState, now: datetime, actor: str, why: str
) -> None:
    entry = AuditEntry(actor=actor, from_state=from_state, to_state=to_state, why=why, at=now)
    told = ((account_id, subject_of(resource_uuid)) for _, resource_uuid, account_id in rows)
    insert_alike(alike=entry, varying=("account_id", "subject"), rows=told)
