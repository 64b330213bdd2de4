"""The states of an order and the moves between them: one table for code, docs and tests."""

from django.db import models


class OrderState(models.TextChoices):
    DRAFT = "draft", "Draft"
    PLACED = "placed", "Placed"
    CANCELLED = "cancelled", "Cancelled"


ALLOWED_MOVES: dict[OrderState, frozenset[OrderState]] = {
    OrderState.DRAFT: frozenset({OrderState.PLACED, OrderState.CANCELLED}),
    OrderState.PLACED: frozenset(),
    OrderState.CANCELLED: frozenset(),
}


def is_allowed(move_from: str, move_to: str) -> bool:
    return OrderState(move_to) in ALLOWED_MOVES[OrderState(move_from)]
