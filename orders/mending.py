"""What is wrong with an order, each problem beside the repair that settles it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from catalog.containers import ContainerAnswer
from core.errors import Violation
from orders.documents import PartRow, part_rows
from orders.host_names import host_count_problems, host_names_of, mended_names, repeated_among, repeated_problem
from orders.repairs import OrderRepair
from orders.selectors import ContainerNode, OrderTree

Problem = tuple[Violation, OrderRepair | None]
Rows = Mapping[str, tuple[PartRow, ...]]
"""The parts of each container, by its field, as the document lists them from which the order was read."""


def container_problems(
    answers: Sequence[tuple[ContainerNode, ContainerAnswer]], rows: Rows | None = None
) -> Iterator[Problem]:
    """Give what the catalogue says of each container; the field is the path from the order down."""
    for node, answer in answers:
        repairs = answer.repairs or (None,) * len(answer.violations)
        for violation, change in zip(answer.violations, repairs, strict=True):
            placed = replace(violation, field=f"{node.field}.{violation.field}" if violation.field else node.field)
            repair = None
            if change is not None:
                names = _fewer_names(node, change.quantity)
                repair = OrderRepair(node.field, _rows_of(node, rows), change, names)
            yield placed, repair


def whole_repairs(
    answers: Sequence[tuple[ContainerNode, ContainerAnswer]], rows: Rows | None = None
) -> Iterator[OrderRepair]:
    """Give for each container that can be repaired all of its repair at once."""
    for node, answer in answers:
        change = answer.repair
        if change is not None:
            yield OrderRepair(node.field, _rows_of(node, rows), change, _fewer_names(node, change.quantity))


def host_name_problems_in(tree: OrderTree, rows: Rows | None = None) -> Iterator[Problem]:
    """Give what is wrong with host names: one for each machine where any are given, and none of them twice."""
    nodes = list(tree.containers)
    names = [host_names_of(node.container.host_names, quantity=node.container.quantity) for node in nodes]
    seen: set[str] = set()
    for at, node in enumerate(nodes):
        container, field = node.container, f"{node.field}.host_names"
        problems = host_count_problems(container.host_names, quantity=container.quantity, field=field)
        repeated = [*repeated_among(names[at]), *(name for name in names[at] if name in seen)]
        if repeated:
            problems.append(repeated_problem(repeated, field=field))
        seen.update(names[at])
        if problems:
            others = {name for number, each in enumerate(names) if number != at for name in each} | seen - {*names[at]}
            mended = mended_names(container.host_names, quantity=container.quantity, taken=others)
            names[at] = host_names_of(mended, quantity=container.quantity)
            seen.update(names[at])
        for problem in problems:
            yield problem, OrderRepair(node.field, _rows_of(node, rows), host_names=mended)


def _rows_of(node: ContainerNode, rows: Rows | None) -> tuple[PartRow, ...]:
    return part_rows(line.line for line in node.lines) if rows is None else rows[node.field]


def _fewer_names(node: ContainerNode, quantity: int | None) -> str | None:
    """Return as many host names as pieces are left, where there were names for all."""
    typed = node.container.host_names
    if quantity is None or not host_count_problems(typed, quantity=quantity, field=""):
        return None
    return mended_names(typed, quantity=quantity, taken=())
