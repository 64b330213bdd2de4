"""Drawing an order as its tree: order, items, containers, package, categories, items of the catalogue, prices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.templatetags.figures import rate
from orders.models import OrderContainer, OrderLine
from orders.promise_words import contract_words, included_words, later_words, use_words
from orders.selectors import ContainerNode, ItemNode, LineGroup, OrderTree
from orders.totals import totals_of

MOST_CONTAINERS = 8
"""So many unlike containers of an item are drawn; the others are counted in one row."""

WIDTH = 356
INDENT, ROW, LEFT = 13, 40, 6
BOX = ROW - 6
LONGEST_WORDS = 52
NARROWEST = 6.1
"""Pixels that a character takes at least, by which words are cut where money stands behind them."""


@dataclass(frozen=True)
class Node:
    """One box of the tree: what it is, its words, a note under them, what it costs, and what stands under it."""

    kind: str
    words: str
    note: str = ""
    money: str = ""
    children: tuple["Node", ...] = ()

    @property
    def size(self) -> int:
        return 1 + sum(child.size for child in self.children)


def nodes_of(tree: OrderTree) -> Node:
    """Return the order as boxes; equal lines are one box with their count, and so are equal containers."""
    order = tree.order
    return Node(
        "order",
        order.name or str(order),
        f"{order}, {order.get_state_display().lower()}",
        _a_month(tree.totals.monthly),
        tuple(_item(item) for item in tree.items),
    )


def drawing_of(node: Node) -> SafeString:
    """Return the tree as an SVG picture, one box under the other, narrow enough for a phone."""
    height = ROW * node.size + LEFT
    return format_html(
        '<svg class="order-drawing" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">{}</svg>',
        f"{node.words} as a tree of {node.size} boxes",
        WIDTH,
        height,
        WIDTH,
        height,
        format_html_join("", "{}", ((part,) for part in _drawn(node, depth=0, row=0, parent_row=None))),
    )


def _item(item: ItemNode) -> Node:
    kinds: dict[object, list[ContainerNode]] = {}
    for container in item.containers:
        kinds.setdefault(_likeness(container), []).append(container)
    groups = list(kinds.values())
    drawn = [_container(group) for group in groups[:MOST_CONTAINERS]]
    left_out = [container for group in groups[MOST_CONTAINERS:] for container in group]
    if left_out:
        drawn.append(_rest(left_out))
    pieces = "1 machine or volume" if item.quantity == 1 else f"{item.quantity:,} machines or volumes"
    return Node("item", item.item.name, pieces, _a_month(item.totals.monthly), tuple(drawn))


def _container(group: Sequence[ContainerNode]) -> Node:
    node, count = group[0], len(group)
    container = node.container
    words = f"{container.quantity:,} × {container.package.name}"
    contract = contract_words(container.contract_months)
    return Node(
        "container",
        words if count == 1 else f"{count:,} containers of {words}",
        ", ".join(filter(None, (container.location.name, container.get_term_display().lower(), contract))),
        _sum(group),
        (Node("package", container.package.name, "package", "", tuple(_category(each, node) for each in node.groups)),),
    )


def _category(group: LineGroup, node: ContainerNode) -> Node:
    line = group.line
    fee = line.hourly_recurring_fee if node.container.term == OrderContainer.Term.HOURLY else line.recurring_fee
    per = "an hour" if node.container.term == OrderContainer.Term.HOURLY else "a month"
    words = "unpriced" if fee is None else f"{rate(fee, node.totals.currency)} {per} each"
    price = Node("price", words, line.source or "price", str(group.owed.monthly or "unpriced"))
    count = f"{group.count} × " if group.count > 1 else ""
    currency = node.totals.currency
    later = later_words(group.owed.later, group.owed.promotion_months)
    more = ((later, "after the promotion"), _use(line, currency=currency))
    prices = (price, *(Node("price", words, note) for words, note in more if words))
    item = Node("part", f"{count}{line.description}", line.key_name, "", prices)
    return Node("category", group.category_words, "category", "", (item,))


def _use(line: OrderLine, *, currency: str) -> tuple[str, str]:
    """Return the rates of use, which must not be cut off, and what is included for the note under them."""
    included = included_words(allowance=line.usage_allowance, unit=line.item.units)
    rates = use_words(tiers=line.usage_tiers, allowance=None, unit="", currency=currency)
    return rates, f"use, {included}" if included else "use"


def _rest(containers: Sequence[ContainerNode]) -> Node:
    pieces = sum(node.container.quantity for node in containers)
    words = f"and {len(containers):,} more containers"
    return Node("container", words, f"{pieces:,} machines or volumes, not drawn", _sum(containers))


def _likeness(node: ContainerNode) -> object:
    container = node.container
    lines = tuple(
        (
            group.line.item_id,
            group.category_words,
            group.count,
            group.owed,
            _use(group.line, currency=node.totals.currency),
        )
        for group in node.groups
    )
    where = (container.package_id, container.location_id, container.term, container.contract_months)
    return *where, container.quantity, lines


def _sum(containers: Sequence[ContainerNode]) -> str:
    total = sum((node.totals for node in containers), start=totals_of([], currency=containers[0].totals.currency))
    return _a_month(total.monthly)


def _a_month(total: object) -> str:
    return f"{total} a month"


def _drawn(node: Node, *, depth: int, row: int, parent_row: int | None) -> Iterator[SafeString]:
    x, y = LEFT + INDENT * depth, LEFT + ROW * row
    if parent_row is not None:
        elbow = x - INDENT + 6
        yield format_html(
            '<path class="order-branch" d="M{} {}V{}H{}"/>', elbow, LEFT + ROW * parent_row + BOX, y + BOX // 2, x
        )
    yield _box(node, x, y)
    at = row + 1
    for child in node.children:
        yield from _drawn(child, depth=depth + 1, row=at, parent_row=row)
        at += child.size


def _box(node: Node, x: int, y: int) -> SafeString:
    width = WIDTH - x - LEFT
    room = int((width - 16) / NARROWEST) - (len(node.money) + 2 if node.money else 0)
    return format_html(
        '<g class="order-node order-node-{}"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="4"/>'
        '<text class="order-node-name" x="{}" y="{}">{}</text><text class="order-node-note" x="{}" y="{}">{}</text>'
        '<text class="order-node-money" x="{}" y="{}">{}</text></g>',
        node.kind,
        f"{node.words}, {node.note}, {node.money}".removesuffix(", "),
        x,
        y,
        width,
        BOX,
        x + 8,
        y + 14,
        _cut(node.words, min(room, LONGEST_WORDS)),
        x + 8,
        y + 28,
        _cut(node.note, min(int((width - 16) / NARROWEST), LONGEST_WORDS)),
        WIDTH - LEFT - 8,
        y + 14,
        node.money,
    )


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
