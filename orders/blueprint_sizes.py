"""How many machines each role of a blueprint gets, as its page asks for them, and the picture of what comes out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import Violation
from core.units import without_marks
from orders.blueprint_offers import BlueprintOffer, RoleOffer, part_words
from orders.blueprint_ordering import RoleAsked
from orders.blueprint_roles import StoredRole

FIELD = "machines."
"""What the names of the fields begin with; the name of a role follows."""
LONGEST_NUMBER = 9
MOST_BOXES = 24


@dataclass(frozen=True)
class SizeField:
    """The question how many machines a role gets: what was typed, and what is wrong with it."""

    name: str
    label: str
    typed: str
    help: str
    errors: tuple[str, ...]


@dataclass(frozen=True)
class NodeGroup:
    """Machines of one role in the picture: a few boxes and the rest as a number, with the services on each.

    Its parts are those that the blueprint and its services ask for, without what the package takes besides.
    """

    name: str
    count: int
    boxes: int
    services: tuple[str, ...]
    agents: tuple[str, ...]
    parts: list[str]
    role: RoleOffer

    @property
    def more(self) -> int:
        return self.count - self.boxes


def sizes_typed(typed: Mapping[str, str]) -> tuple[tuple[RoleAsked, ...], list[Violation]]:
    """Read the numbers that were typed for the roles, by their names; one left empty leaves its role as it is."""
    fields = [(field, field.removeprefix(FIELD), value) for field, value in typed.items() if field.startswith(FIELD)]
    return _read((field, name, value) for field, name, value in fields if value.strip())


def machines_read(words: str) -> tuple[tuple[RoleAsked, ...], list[Violation]]:
    """Read roles with their numbers of machines, such as "Compute nodes:40,Database servers:1"."""
    pairs = [part.rpartition(":") for part in words.split(",") if part.strip()]
    return _read((f"machines[{number}]", name.strip(), value) for number, (name, _, value) in enumerate(pairs))


def _read(numbers: Iterable[tuple[str, str, str]]) -> tuple[tuple[RoleAsked, ...], list[Violation]]:
    asked, problems = [], []
    for field, name, value in numbers:
        words = _without_marks(value.strip())
        if words.isascii() and words.isdigit() and len(words) <= LONGEST_NUMBER:
            asked.append(RoleAsked(field=field, name=name, quantity=int(words)))
        else:
            told = f"{name}: “{value.strip()}” is not a whole number. Write one like 12."
            problems.append(Violation("not_whole", f"{field}.quantity", told))
    return tuple(asked), problems


def _without_marks(number: str) -> str:
    try:
        return without_marks(number)
    except ValueError:
        return number


def size_fields(
    offer: BlueprintOffer, *, typed: Mapping[str, str], problems: Sequence[Violation]
) -> tuple[list[SizeField], list[SizeField]]:
    """Return the questions about the roles that are always there or there as a rule, and about those that are not."""
    always: list[SizeField] = []
    apart: list[SizeField] = []
    for role in offer.stored_roles:
        field = f"{FIELD}{role.name}"
        question = SizeField(
            name=field,
            label=role.name,
            typed=typed.get(field, "").strip() or str(role.quantity),
            help=_help(role),
            errors=tuple(each.words for each in problems if each.field == f"{field}.quantity"),
        )
        (apart if role.is_optional else always).append(question)
    return always, apart


def node_groups(offer: BlueprintOffer) -> list[NodeGroup]:
    """Return the machines of the picture, role by role."""
    services, agents = offer.placement.services, offer.placement.agents
    named = {role.name: part_words(role.named) for role in offer.stored_roles}
    groups = []
    for role in offer.roles:
        name, count = role.composition.item_name, role.composition.quantity
        groups.append(
            NodeGroup(
                name=name,
                count=count,
                boxes=min(count, MOST_BOXES),
                services=tuple(rule.name for rule in services.get(name, ())),
                agents=tuple(rule.name for rule in agents.get(name, ())),
                parts=named[name],
                role=role,
            )
        )
    return groups


def sharing_words(offer: BlueprintOffer) -> str:
    """Say what becomes of the services whose own roles have no machines."""
    shared = {rule.otherwise: None for role in offer.stored_roles for _, rule in role.rules if rule.otherwise}
    return f"0: with no machine of its own it shares the {' or the '.join(shared)}." if shared else ""


def _help(role: StoredRole) -> str:
    """Say what stands there, and how many it must be."""
    names = [rule.name for _, rule in role.rules]
    parts = [f"{', '.join(names)}."] if names else []
    if role.least > 1:
        parts.append(f"None, or at least {role.least:,}." if role.is_optional else f"At least {role.least:,}.")
    if role.most is not None:
        parts.append(f"At most {role.most:,}.")
    return " ".join(parts)
