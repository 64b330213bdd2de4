"""A blueprint as two small tables that staff write: its roles with their parts, and where its services stand.

The tables have the columns of blueprints.csv and placement.csv without those that say which blueprint it is.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path

from django.db import transaction

from catalog.blueprint_lint import blueprint_findings
from catalog.blueprint_loading import Known, blueprints_load
from catalog.blueprint_reading import (
    BLUEPRINT_COLUMNS,
    BLUEPRINT_KEY,
    PLACEMENT_COLUMNS,
    PLACEMENT_KEY,
    YES,
    read_blueprint_part,
    read_placement,
)
from catalog.cells import Cells, RowNote
from catalog.files import Columns, table_cells, without_repeated
from catalog.layout import BlueprintPartRow, PlacementRow
from catalog.lint_facts import catalog_facts
from catalog.models import Blueprint, ItemCategory, Package
from catalog.services import catalog_touch
from catalog.tallying import Tally
from core.errors import InputRefused, Violation

PARTS, SERVICES = "parts", "services"
PART_COLUMNS = ("role", "count", "least", "most", "optional", "package", "category", "item")
SERVICE_COLUMNS = ("service", "name", "role", "otherwise", "agents", "shares_up_to", "needs")


@dataclass(frozen=True)
class BlueprintText:
    """A blueprint as it is written: what it is, and its tables as CSV."""

    key_name: str
    name: str
    description: str
    source: str
    basis: str
    parts: str
    services: str


def blueprint_text(blueprint: Blueprint) -> BlueprintText:
    """Write a stored blueprint as its two tables."""
    parts, services = [], []
    for role in blueprint.roles.select_related("package").prefetch_related("parts__category", "parts__item"):
        size = (role.name, role.quantity, role.least, "" if role.most is None else role.most)
        optional = YES if role.is_optional else ""
        parts += [
            (*size, optional, role.package.key_name, part.category.category_code, part.item.key_name)
            for part in role.parts.all()
        ]
        for service in role.services.select_related("otherwise", "agents").prefetch_related("needs__category"):
            needs = [
                f"{need.category.category_code}:{need.item.key_name}"
                for need in service.needs.select_related("category", "item")
                for _ in range(need.count)
            ]
            others = (
                service.otherwise.name if service.otherwise else "",
                service.agents.name if service.agents else "",
            )
            limit = "" if service.shares_up_to is None else service.shares_up_to
            row = (service.key_name, service.name, role.name, *others, limit, " ".join(needs))
            services.append((service.sequence, row))
    services.sort(key=lambda pair: pair[0])
    return BlueprintText(
        key_name=blueprint.key_name,
        name=blueprint.name,
        description=blueprint.description,
        source=blueprint.source,
        basis=blueprint.basis,
        parts=_table(PART_COLUMNS, parts),
        services=_table(SERVICE_COLUMNS, [row for _, row in services]),
    )


@transaction.atomic
def blueprint_write(*, text: BlueprintText, who: str, now: datetime) -> Blueprint:
    """Make or change the blueprint of this key; raises InputRefused with every problem at once, and changes nothing.

    What the catalogue's lint finds about the blueprint is a problem too.
    """
    refused: list[RowNote] = []
    parts = _parts(text, refused)
    services = _services(text, {row.role: row.package for row in parts}, refused)
    known = _known(parts)
    problems = [_as_violation(note) for note in refused]
    if not parts and not problems:
        problems.append(Violation("parts_missing", PARTS, "Has no role. Write at least one line below the header."))
    if not problems:
        problems += [*_split_roles(parts), *_unknown(parts, services, known)]
    if problems:
        raise InputRefused(tuple(problems))
    blueprints_load(
        rows=parts,
        placements=services,
        items=known.items,
        categories=known.categories,
        packages=known.packages,
        tally=Tally(),
    )
    findings = blueprint_findings(catalog_facts(at=now))
    found = tuple(
        Violation(finding.code, PARTS, f"{finding.subject}: {finding.words}")
        for finding in findings
        if finding.subject.startswith(f"{text.key_name}/")
    )
    if found:
        raise InputRefused(found)
    catalog_touch(who=who, now=now)
    return Blueprint.objects.get(key_name=text.key_name)


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _parts(text: BlueprintText, refused: list[RowNote]) -> list[BlueprintPartRow]:
    """Return the rows of the roles and parts; an item goes by its package and key name."""
    same = {
        "blueprint": text.key_name,
        "name": text.name,
        "description": text.description,
        "source": text.source,
        "basis": text.basis,
    }
    needed, optional = BLUEPRINT_COLUMNS
    columns = (needed - same.keys(), optional - same.keys())
    rows = _rows(PARTS, text.parts, columns, same, BLUEPRINT_KEY, refused)
    read = [read_blueprint_part(cells, {text.source: text.source}) for cells in rows]
    return [replace(row, item=f"{row.package}/{row.item}") for row in read]


def _services(text: BlueprintText, packages: Mapping[str, str], refused: list[RowNote]) -> list[PlacementRow]:
    """Return the rows of the services; what one needs is of its role's package."""
    needed, optional = PLACEMENT_COLUMNS
    same = {"blueprint": text.key_name}
    rows = _rows(SERVICES, text.services, (needed - same.keys(), optional), same, PLACEMENT_KEY, refused)
    read = [read_placement(cells) for cells in rows]
    return [
        replace(row, needs=tuple((code, f"{packages.get(row.role, '')}/{item}") for code, item in row.needs))
        for row in read
    ]


def _rows(
    name: str, text: str, columns: Columns, same: Mapping[str, str], key: tuple[str, ...], refused: list[RowNote]
) -> list[Cells]:
    """Return the rows of a table with what is the same in all of them; an empty table has none."""
    if not text.strip():
        return []
    cells = table_cells(Path(name), text.strip(), columns, refused)
    return list(without_repeated((replace(each, values={**each.values, **same}) for each in cells), key))


def _known(parts: Iterable[BlueprintPartRow]) -> Known:
    packages = {each.key_name: each for each in Package.objects.filter(key_name__in={row.package for row in parts})}
    pairs = Package.items.through._default_manager.filter(package__in=packages.values()).order_by("-item_id")
    items = {f"{link.package.key_name}/{link.item.key_name}": link.item for link in pairs.select_related()}
    return Known(items, {each.category_code: each for each in ItemCategory.objects.all()}, packages)


def _split_roles(parts: Iterable[BlueprintPartRow]) -> Iterator[Violation]:
    """Name each role whose lines do not stand together, or do not agree about its machines."""
    first: dict[str, BlueprintPartRow] = {}
    for name, same in groupby(parts, key=lambda row: row.role):
        rows = list(same)
        if name in first:
            words = f"The lines of “{name}” do not stand together. Move them under each other."
            yield Violation("role_split", PARTS, words)
        first.setdefault(name, rows[0])
        if len({(row.count, row.least, row.most, row.is_optional, row.package) for row in rows}) > 1:
            words = f"The lines of “{name}” say different things of its machines or its package. Make them agree."
            yield Violation("role_differs", PARTS, words)


def _unknown(parts: Iterable[BlueprintPartRow], services: Iterable[PlacementRow], known: Known) -> Iterator[Violation]:
    """Name every package, item, category and role that is not there, once."""
    named: dict[tuple[str, str], Mapping[str, object]] = {}
    roles: dict[str, object] = {row.role: row for row in parts}
    for row in parts:
        named |= {(PARTS, row.package): known.packages, (PARTS, row.category_code): known.categories}
        if row.package in known.packages:
            named[PARTS, row.item] = known.items
    for service in services:
        named |= {(SERVICES, role): roles for role in (service.role, service.otherwise, service.agents) if role}
        named |= {(SERVICES, code): known.categories for code, _ in service.needs}
        named |= {(SERVICES, item): known.items for _, item in service.needs if service.role in roles}
    for (field, name), there in named.items():
        if name not in there:
            words = f"“{name}” is not there. Mend the name, or add what it names."
            yield Violation("unknown_name", field, words)


def _as_violation(note: RowNote) -> Violation:
    line = "" if note.line is None else f"Line {note.line}: "
    column = f"{note.field}: " if note.field else ""
    return Violation(note.code, note.path, f"{line}{column}{note.words}")
