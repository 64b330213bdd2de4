"""The moves of a resource, and the state of an order that follows from those of its resources."""

from collections.abc import Mapping

from orders.models import ResourceState
from orders.states import OrderState

RESOURCE_MOVES: dict[ResourceState, frozenset[ResourceState]] = {
    ResourceState.ORDERED: frozenset({ResourceState.PROVISIONING, ResourceState.FAILED, ResourceState.CANCELLED}),
    ResourceState.PROVISIONING: frozenset({ResourceState.ACTIVE, ResourceState.FAILED, ResourceState.CANCELLED}),
    ResourceState.ACTIVE: frozenset({ResourceState.CANCELLED}),
    ResourceState.FAILED: frozenset({ResourceState.ORDERED, ResourceState.CANCELLED}),
    ResourceState.CANCELLED: frozenset(),
}
"""An ordered resource fails where its provisioning ended before its turn came."""


def states_before(to_state: ResourceState) -> list[ResourceState]:
    """Return the states from which a resource may become this one."""
    return [state for state, moves in RESOURCE_MOVES.items() if to_state in moves]


def outcome_of(counts: Mapping[str, int]) -> OrderState:
    """Return what an order is whose resources are in these states, so many in each.

    It is provisioning while any piece is still to come, then failed where any failed, active where any is there, and
    cancelled where all are.
    """
    if counts.get(ResourceState.ORDERED) or counts.get(ResourceState.PROVISIONING):
        return OrderState.PROVISIONING
    if counts.get(ResourceState.FAILED):
        return OrderState.FAILED
    return OrderState.ACTIVE if counts.get(ResourceState.ACTIVE) else OrderState.CANCELLED
