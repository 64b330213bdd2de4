"""Making a draft of what somebody names: a plan's answer, a blueprint's roles, or what a program sends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from accounts.models import Account, User
from catalog.blueprints import Role
from catalog.models import Location
from catalog.pricing import HOURS_PER_MONTH, Term
from core.errors import InputRefused, Repair, Violation
from orders.asked import MOST_OF_ONE_ITEM, ContainerAsked, DraftAsked, ItemAsked, draft_of_roles
from orders.checking import check_tree
from orders.host_names import host_name_problems
from orders.models import BillingOrder, BillingOrderItem, OrderContainer, OrderLine
from orders.moves import move_record
from orders.naming import Named, named_in, rows_of, tree_of_asked
from orders.repricing import amount_problems, order_today, prices_set, prices_write
from orders.selectors import OrderTree, tree_added_up

MOST_PIECES = 400_000  # the storage nodes of the largest cloud that is planned
MOST_CONTAINERS = 500
MOST_LINES = 10_000
MOST_HOURS_PER_MONTH = 744
MOST_CONTRACT_MONTHS = 120
LONGEST_NAME = 120


@dataclass(frozen=True)
class DraftCheck:
    """What is named, as it would be drafted now: what keeps it from that, and what would keep it from being placed."""

    problems: tuple[Violation, ...]
    tree: OrderTree
    violations: tuple[Violation, ...]
    repair: Repair | None = None
    """What settles all that can be settled, as a patch of what is named."""


def order_draft(
    *,
    account: Account,
    user: User,
    name: str,
    roles: Sequence[Role],
    location: Location,
    term: Term,
    hours_per_month: Decimal,
    now: datetime,
) -> BillingOrder:
    """Make a draft with one item for each role, all in one location on one term; see `draft_asked`."""
    asked = draft_of_roles(
        name=name, roles=roles, location_key_name=location.key_name, term=term, hours_per_month=hours_per_month
    )
    return draft_asked(account=account, user=user, asked=asked, now=now)


@transaction.atomic
def draft_asked(*, account: Account, user: User, asked: DraftAsked, now: datetime) -> BillingOrder:
    """Make a draft of what is named, priced as of now; raises InputRefused with every problem at once.

    What is wrong with the choice itself, such as a missing category, does not stop a draft; `order_check` names it.
    Raises RuleBroken where an amount would be too large to be owed.
    """
    named = named_in(asked)
    problems = _problems(asked, named)
    if problems:
        raise InputRefused(tuple(problems))
    tree = tree_of_asked(asked, named, account=account)
    order = tree.order
    order.created_by, order.created_at = user, now
    order.save()
    BillingOrderItem.objects.bulk_create(node.item for node in tree.items)
    OrderContainer.objects.bulk_create(node.container for node in tree.containers)
    OrderLine.objects.bulk_create(node.line for node in tree.lines)
    prices_write(order_today(tree=tree, now=now).lines)
    move_record(order=order, from_state="", user=user, now=now)
    return order


def draft_problems(asked: DraftAsked) -> list[Violation]:
    """Say everything that keeps what is named from becoming a draft; nothing is said of what could not be read."""
    return _problems(asked, named_in(asked))


def draft_check(*, account: Account, asked: DraftAsked, now: datetime) -> DraftCheck:
    """Verify and price what is named without storing anything: the rules look at each container that could be read."""
    named = named_in(asked)
    problems = tuple(_problems(asked, named))
    if asked.hours_per_month is None or hours_problems(asked.hours_per_month):
        # The rules do not depend on the hours, and with a problem no price is told.
        asked = replace(asked, hours_per_month=HOURS_PER_MONTH)
    known = asked if not _size_problems(asked) else replace(asked, items=())
    tree = tree_of_asked(known, named, account=account)
    if problems and not any(tree.containers):
        return DraftCheck(problems, tree, ())
    check = check_tree(tree=tree, now=now, rows=rows_of(known, named))
    prices_set(check.lines)
    violations = (*check.violations, *amount_problems(check.lines))
    return DraftCheck(problems, tree_added_up(tree), violations, check.repair)


def name_problems(name: str) -> list[Violation]:
    """Say what keeps a text from being an order's name."""
    if 0 < len(name.strip()) <= LONGEST_NAME:
        return []
    return [Violation("name_length", "name", f"Give the order a name of 1 to {LONGEST_NAME} characters.")]


def quantity_problems(quantity: int, *, field: str) -> list[Violation]:
    """Say what keeps a number from being a container's quantity."""
    if 1 <= quantity <= MOST_PIECES:
        return []
    return [Violation("quantity_out_of_range", field, f"A quantity is from 1 to {MOST_PIECES:,}, not {quantity:,}.")]


def hours_problems(hours_per_month: Decimal) -> list[Violation]:
    """Say what keeps a number from being an order's hours per month."""
    if not (hours_per_month.is_finite() and 1 <= hours_per_month <= MOST_HOURS_PER_MONTH):
        words = f"Hours per month are from 1 to {MOST_HOURS_PER_MONTH}, not {hours_per_month}."
        return [Violation("hours_out_of_range", "hours_per_month", words)]
    if hours_per_month != round(hours_per_month, 2):
        words = f"Hours per month have at most two places, not {hours_per_month}."
        return [Violation("hours_too_fine", "hours_per_month", words)]
    return []


def _problems(asked: DraftAsked, named: Named) -> list[Violation]:
    problems: list[Violation] = []
    if asked.name is not None:
        problems += name_problems(asked.name)
    if asked.hours_per_month is not None:
        problems += hours_problems(asked.hours_per_month)
    problems += _location_problems(asked.location_key_name, named, field="location")
    problems += _size_problems(asked)
    for item in asked.items:
        problems += _item_problems(item)
        for container in item.containers:
            problems += _container_problems(container, named)
    return problems


def _size_problems(asked: DraftAsked) -> list[Violation]:
    problems = []
    containers, lines = len(list(asked.containers)), sum(part.count or 0 for part in asked.parts)
    if containers > MOST_CONTAINERS:
        words = f"An order has at most {MOST_CONTAINERS:,} containers, not {containers:,}. Make several orders."
        problems.append(Violation("too_many_containers", "items", words))
    if lines > MOST_LINES:
        words = f"An order has at most {MOST_LINES:,} chosen items, not {lines:,}. Make several orders."
        problems.append(Violation("too_many_lines", "items", words))
    return problems


def _item_problems(item: ItemAsked) -> list[Violation]:
    problems = []
    if item.name is not None and name_problems(item.name):
        words = f"Give the item a name of 1 to {LONGEST_NAME} characters."
        problems.append(Violation("name_length", f"{item.field}.name", words))
    if not item.containers:
        words = "This item holds nothing. Give it a container, or leave it out."
        problems.append(Violation("item_empty", f"{item.field}.containers", words))
    return problems


def _container_problems(container: ContainerAsked, named: Named) -> list[Violation]:
    field = container.field
    problems = _location_problems(container.location_key_name, named, field=f"{field}.location")
    if container.quantity is not None:
        problems += quantity_problems(container.quantity, field=f"{field}.quantity")
    if container.contract_months is not None and not 1 <= container.contract_months <= MOST_CONTRACT_MONTHS:
        words = f"A contract lasts 1 to {MOST_CONTRACT_MONTHS} months, not {container.contract_months:,}."
        problems.append(Violation("contract_out_of_range", f"{field}.contract_months", words))
    problems += host_name_problems(container.host_names, field=f"{field}.host_names")
    if container.package_key_name not in (None, *named.packages):
        words = f"There is no package “{container.package_key_name}”. Choose one that is on sale."
        problems.append(Violation("package_unknown", f"{field}.package", words))
    return problems + _part_problems(container, named)


def _location_problems(key_name: str | None, named: Named, *, field: str) -> list[Violation]:
    if key_name is None or key_name in named.locations:
        return []
    return [Violation("location_unknown", field, f"There is no location “{key_name}”. Choose one of the catalogue's.")]


def _part_problems(container: ContainerAsked, named: Named) -> list[Violation]:
    problems: list[Violation] = []
    package = named.packages.get(container.package_key_name or "")
    for part in container.parts:
        field = f"{container.field}.{part.category_code or 'parts'}"
        if part.category_code not in (None, *named.categories):
            words = f"There is no category “{part.category_code}”. Choose one that the package asks for."
            problems.append(Violation("category_unknown", field, words))
        elif package and part.item is not None and not named.items.get((package.key_name, part.item)):
            words = f"{package.name} has no item “{part.item}”. Choose one of its items."
            problems.append(Violation("item_unknown", field, words))
        if part.count is not None and not 1 <= part.count <= MOST_OF_ONE_ITEM:
            words = f"Of one item 1 to {MOST_OF_ONE_ITEM} go into a machine, not {part.count:,}."
            problems.append(Violation("count_out_of_range", field, words))
    return problems
