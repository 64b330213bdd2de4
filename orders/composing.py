"""Putting composed containers into drafts: a new draft, one more container, a changed one, a copy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Max

from accounts.models import Account, User
from catalog.models import Item, Location, Package
from catalog.pricing import Term
from core.errors import InputRefused, RuleBroken, Violation
from orders.drafting import hours_problems, name_problems, quantity_problems
from orders.host_names import host_name_problems, tidy
from orders.locks import locked_order
from orders.models import BillingOrder, BillingOrderItem, OrderContainer, OrderLine
from orders.moves import move_record, require_draft
from orders.repricing import order_today, prices_write
from orders.selectors import order_tree


@dataclass(frozen=True)
class Choice:
    """One item chosen for one category of the package."""

    category_code: str
    category_name: str
    item: Item


@dataclass(frozen=True)
class Composition:
    """One container as somebody composed it. It may still break the catalogue's rules: `order_check` names them."""

    item_name: str
    package: Package
    location: Location
    term: Term
    quantity: int
    host_names: str
    choices: tuple[Choice, ...]
    contract_months: int | None = None


@dataclass(frozen=True)
class Spot:
    """Where a container stood in its order, to put it back there."""

    item_sequence: int
    sequence: int


@transaction.atomic
def order_compose(
    *,
    account: Account,
    user: User,
    name: str,
    hours_per_month: Decimal,
    compositions: Sequence[Composition],
    now: datetime,
    promotion_code: str = "",
) -> BillingOrder:
    """Make a draft of composed containers, priced as of now; raises InputRefused with every problem at once."""
    problems = [*name_problems(name), *hours_problems(hours_per_month), *_problems(compositions)]
    if problems:
        raise InputRefused(tuple(problems))
    order = BillingOrder.objects.create(
        account=account,
        partner=account.partner,
        name=name.strip(),
        currency=account.currency,
        hours_per_month=hours_per_month,
        promotion_code=promotion_code.strip().upper(),
        created_by=user,
        created_at=now,
    )
    _containers_create(order, compositions, now=now)
    move_record(order=order, from_state="", user=user, now=now)
    return order


@transaction.atomic
def containers_add(
    *, order_id: int, account_id: int, compositions: Sequence[Composition], now: datetime, spot: Spot | None = None
) -> BillingOrder:
    """Put more containers into a draft: into the items of their names, or into new ones; at a spot, where one was."""
    _require_sound(compositions)
    order = _locked_draft(order_id, account_id)
    _containers_create(order, compositions, now=now, spot=spot)
    return order


@transaction.atomic
def container_change(
    *, order_id: int, container_id: int, account_id: int, composition: Composition, now: datetime
) -> OrderContainer:
    """Make a container of a draft what is composed now; raises OrderContainer.DoesNotExist."""
    compositions = {container_id: composition}
    return containers_change(order_id=order_id, account_id=account_id, compositions=compositions, now=now)[0]


@transaction.atomic
def containers_change(
    *, order_id: int, account_id: int, compositions: Mapping[int, Composition], now: datetime
) -> list[OrderContainer]:
    """Make containers of a draft, by id, what is composed now; raises OrderContainer.DoesNotExist."""
    _require_sound(list(compositions.values()))
    order = _locked_draft(order_id, account_id)
    containers = [_container_set(order, pk, composition) for pk, composition in compositions.items()]
    _price(order, containers, now=now)
    return containers


def _container_set(order: BillingOrder, container_id: int, composition: Composition) -> OrderContainer:
    container = OrderContainer.objects.select_related("order_item").get(pk=container_id, order_item__order=order)
    _container_rename(order, container, name=composition.item_name.strip())
    container.package = composition.package
    container.location = composition.location
    container.term = composition.term
    container.contract_months = composition.contract_months
    container.quantity = composition.quantity
    container.host_names = tidy(composition.host_names)
    container.save()
    container.lines.all().delete()
    _lines_create(container, composition.choices)
    return container


@transaction.atomic
def container_copy(*, order_id: int, container_id: int, account_id: int, now: datetime) -> OrderContainer:
    """Put a second container like this one into its item, without its host names: two machines cannot share one."""
    order = _locked_draft(order_id, account_id)
    original = OrderContainer.objects.select_related("order_item", "package", "location").get(
        pk=container_id, order_item__order=order
    )
    lines = original.lines.select_related("item")
    composition = Composition(
        item_name=original.order_item.name,
        package=original.package,
        location=original.location,
        term=Term(original.term),
        quantity=original.quantity,
        host_names="",
        choices=tuple(Choice(line.category_code, line.category_name, line.item) for line in lines),
        contract_months=original.contract_months,
    )
    return _containers_create(order, [composition], now=now)[0]


def _require_sound(compositions: Sequence[Composition]) -> None:
    problems = _problems(compositions)
    if problems:
        raise InputRefused(tuple(problems))


def _problems(compositions: Sequence[Composition]) -> list[Violation]:
    """Say what keeps compositions from being stored at all; what the catalogue says of them comes later."""
    problems: list[Violation] = []
    for composition in compositions:
        problems += name_problems(composition.item_name)
        problems += quantity_problems(composition.quantity, field="quantity")
        problems += host_name_problems(composition.host_names, field="hosts")
    return problems


def _locked_draft(order_id: int, account_id: int) -> BillingOrder:
    order = locked_order(order_id=order_id, account_id=account_id)
    require_draft(order)
    if order.currency != order.account.currency:
        words = f"This draft is in {order.currency}, the account pays in {order.account.currency}. Take today's prices."
        raise RuleBroken("currency_changed", words)
    return order


def _containers_create(
    order: BillingOrder, compositions: Sequence[Composition], *, now: datetime, spot: Spot | None = None
) -> list[OrderContainer]:
    containers = [_container_create(order, composition, spot=spot) for composition in compositions]
    _price(order, containers, now=now)
    return containers


def _container_create(order: BillingOrder, composition: Composition, *, spot: Spot | None) -> OrderContainer:
    item = _item_named(order, composition.item_name.strip(), sequence=spot.item_sequence if spot else None)
    container = OrderContainer.objects.create(
        order_item=item,
        package=composition.package,
        location=composition.location,
        term=composition.term,
        quantity=composition.quantity,
        host_names=tidy(composition.host_names),
        contract_months=composition.contract_months,
        sequence=spot.sequence if spot else _next(item.containers.aggregate(last=Max("sequence"))["last"]),
    )
    _lines_create(container, composition.choices)
    return container


def _item_named(order: BillingOrder, name: str, *, sequence: int | None = None) -> BillingOrderItem:
    found = order.items.filter(name__iexact=name).first()
    if found:
        return found
    if sequence is None:
        sequence = _next(order.items.aggregate(last=Max("sequence"))["last"])
    return BillingOrderItem.objects.create(order=order, name=name, sequence=sequence)


def _next(last: int | None) -> int:
    return 0 if last is None else last + 1


def _container_rename(order: BillingOrder, container: OrderContainer, *, name: str) -> None:
    """Move a container to the item of this name; an item that holds nothing else takes the name itself."""
    item = container.order_item
    namesake = order.items.filter(name__iexact=name).exclude(pk=item.pk).exists()
    if not namesake and item.containers.count() == 1:
        item.name = name
        item.save(update_fields=["name"])
    elif item.name.lower() != name.lower():
        container.order_item = _item_named(order, name)
        container.sequence = _next(container.order_item.containers.aggregate(last=Max("sequence"))["last"])
        container.save(update_fields=["order_item", "sequence"])
        if not item.containers.exists():
            item.delete()


def _lines_create(container: OrderContainer, choices: Sequence[Choice]) -> None:
    OrderLine.objects.bulk_create(
        OrderLine(
            container=container,
            category_code=choice.category_code,
            category_name=choice.category_name,
            item=choice.item,
            key_name=choice.item.key_name,
            description=choice.item.description,
        )
        for choice in choices
    )


def _price(order: BillingOrder, containers: Sequence[OrderContainer], *, now: datetime) -> None:
    """Price what was composed just now; the other lines of the draft keep the amounts that were shown."""
    today = order_today(tree=order_tree(order_id=order.pk, account_id=order.account_id), now=now)
    composed = {container.pk for container in containers}
    prices_write([line for line in today.lines if line.node.line.container_id in composed])
