"""Presets, the blueprints of one kind of machine, as starting points of the composer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.db.models import Exists, OuterRef

from catalog.models import BlueprintPart, BlueprintRole, Location, Package
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion
from orders.compose_address import Asked
from orders.options import Option, PackageOptions
from orders.totals import Totals, owed_for, totals_of


@dataclass(frozen=True)
class Preset:
    """A blueprint with one role, as plain values; parts are pairs of category code and item id."""

    key_name: str
    name: str
    description: str
    role_name: str
    quantity: int
    parts: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class PresetOffer:
    """A preset under the conditions of the page; picking it leads to the address."""

    preset: Preset
    url: str
    totals: Totals
    term: Term
    is_valid: bool
    is_chosen: bool


def presets_of(*, package_id: int) -> list[Preset]:
    """Return the presets of a package, in one query."""
    other_roles = BlueprintRole.objects.filter(blueprint=OuterRef("role__blueprint")).exclude(pk=OuterRef("role"))
    parts = BlueprintPart.objects.filter(~Exists(other_roles), role__package_id=package_id)
    rows = parts.order_by("role__blueprint__name", "role_id", "pk").values_list(
        "role__blueprint__key_name",
        "role__blueprint__name",
        "role__blueprint__description",
        "role__name",
        "role__quantity",
        "category__category_code",
        "item_id",
    )
    return [
        Preset(key_name, name, description, role_name, quantity, tuple((code, item_id) for *_, code, item_id in same))
        for (key_name, name, description, role_name, quantity), same in groupby(rows, key=lambda row: row[:5])
    ]


def preset_choices(preset: Preset, options: PackageOptions) -> list[tuple[str, Option]]:
    """Return what a preset chooses, and the usual choice where it says nothing."""
    named = {code for code, _ in preset.parts}
    chosen = [(code, option) for code, option in options.usual.items() if code not in named]
    for code, item_id in preset.parts:
        category = options.category(code)
        option = category.option_of(item_id) if category else None
        if option:
            chosen.append((code, option))
    return chosen


def preset_questions(
    presets: Sequence[Preset],
    *,
    package: Package,
    location: Location,
    options: PackageOptions,
    contract_months: int | None = None,
) -> list[ContainerQuestion]:
    """Ask about each preset on each term: one that cannot be had as asked may be had on the other."""
    choices = [tuple((code, option.item) for code, option in preset_choices(preset, options)) for preset in presets]
    return [
        ContainerQuestion(package, location, term.value, chosen, contract_months=contract_months)
        for chosen in choices
        for term in Term
    ]


def preset_offers(
    presets: Sequence[Preset],
    answers: Sequence[ContainerAnswer],
    *,
    options: PackageOptions,
    asked: Asked,
    is_named: bool,
    currency: str,
) -> tuple[PresetOffer, ...]:
    """Show each preset on the term asked for; on the other one where only that can be had.

    A preset brings its own name along, unless the buyer has given one (`is_named`).
    """
    terms = len(Term)
    return tuple(
        _offer(preset, answers[number * terms : (number + 1) * terms], options, asked, is_named, currency)
        for number, preset in enumerate(presets)
    )


def _offer(
    preset: Preset,
    answers: Sequence[ContainerAnswer],
    options: PackageOptions,
    asked: Asked,
    is_named: bool,
    currency: str,
) -> PresetOffer:
    by_term = dict(zip(Term, answers, strict=True))
    term = min(Term, key=lambda each: (bool(by_term[each].violations), each.value != asked.term))
    answer = by_term[term]
    picks = [(code, option.value) for code, option in preset_choices(preset, options)]
    offered = replace(
        asked.with_choices(picks),
        term=term.value,
        quantity=str(preset.quantity),
        name=asked.name if is_named else preset.role_name,
        searches=None,
    )
    owed = (owed_for(price=line.price, quantity=preset.quantity) for line in answer.lines)
    chosen = [(code, pick.value) for code, rows in (asked.picks or {}).items() for pick in rows]
    return PresetOffer(
        preset=preset,
        url=offered.url,
        totals=totals_of(owed, currency=currency),
        term=term,
        is_valid=not answer.violations and {code for code, _ in preset.parts} <= {code for code, _ in picks},
        is_chosen=sorted(set(picks)) == sorted(set(chosen)),
    )
