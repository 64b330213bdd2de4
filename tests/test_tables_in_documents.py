"""Tables of the documents that are written from the code: who may do what, and the moves of an order."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from accounts.models import Role
from accounts.roles import ALLOWED, PARTNER_STAFF
from orders.states import ALLOWED_MOVES, OrderState

DOCS = Path(__file__).resolve().parent.parent / "docs"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def test_the_table_of_roles_is_that_of_the_code():
    roles = [*Role.values, PARTNER_STAFF]
    heads = ["action", *(role.replace("_", " ") for role in roles)]
    rows = [[action, *("yes" if role in allowed else "" for role in roles)] for action, allowed in ALLOWED.items()]

    assert table(heads, rows) in (DOCS / "roles.md").read_text()


def test_the_table_of_moves_is_that_of_the_code():
    rows = [
        [
            state.label,
            ", ".join(each.label for each in OrderState if each in ALLOWED_MOVES[state]) or "none: it ends here",
        ]
        for state, moves in ALLOWED_MOVES.items()
    ]

    assert table(["from", "to"], rows) in (DOCS / "states.md").read_text()
