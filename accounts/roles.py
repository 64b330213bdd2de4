"""Who may do what in an account: one table for pages and programs."""

from accounts.models import Role

PARTNER_STAFF = "partner_staff"
"""The role of a partner's own people in the accounts of their partner; no membership has it."""

BUYERS = frozenset({Role.BUYER.value, Role.APPROVER.value, Role.OWNER.value})
ALLOWED: dict[str, frozenset[str]] = {
    "read": BUYERS | {Role.VIEWER.value, PARTNER_STAFF},
    "plan": BUYERS | {PARTNER_STAFF},
    "draft": BUYERS | {PARTNER_STAFF},
    "quote": BUYERS | {PARTNER_STAFF},
    "place": BUYERS,
    "approve": frozenset({Role.APPROVER.value, Role.OWNER.value}),
    "manage": frozenset({Role.OWNER.value}),
}
"""Which roles may do an action.

`plan` is to plan and to simulate, `draft` to compose an order and to give it up, `quote` to promise its prices. `place`
is whatever an account pays for: to place an order, to accept a quote, and to cancel or try again what was placed.
`manage` is to set the account's own rules and to see everybody's keys.
"""

ONE_OF_THEM = {role.value: role.label.lower() for role in Role} | {PARTNER_STAFF: "one of the partner's staff"}


def can(role: str | None, action: str) -> bool:
    """Tell whether the role allows the action; no role at all allows nothing. An unknown action raises KeyError."""
    return role in ALLOWED[action]


def role_words(role: str) -> str:
    """Return a role for people, such as "approver"."""
    return ONE_OF_THEM[role]


def allowed_words(action: str) -> str:
    """Return who may do the action, such as "an approver or owner"."""
    *others, last = [words for role, words in ONE_OF_THEM.items() if role in ALLOWED[action]]
    words = f"{', '.join(others)} or {last}" if others else last
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
