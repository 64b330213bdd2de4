"""Walls between tenants, read off the models: no foreign key leads from what one owns to what another owns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush

from django.apps import apps
from django.db import models
from django.db.models import F

from accounts.models import Account, Partner
from core.invariants import Contradictions

Model = type[models.Model]
OWNERS: dict[str, Model] = {"account": Account, "partner": Partner}
PLAIN_KEY = "account_id"
"""Rooms below this one name their account by its number, without a foreign key."""
MOST_HOPS = 6


@dataclass(frozen=True)
class Crossing:
    """A foreign key between two owned models, and the two ways to the owner that must lead to the same one."""

    model: Model
    field: str
    owner: str
    here: str
    there: str

    def __str__(self) -> str:
        return f"{self.model._meta.label}.{self.field} ({self.owner})"


def crossings_of(every_model: Iterable[Model]) -> Iterator[Crossing]:
    """Yield every foreign key whose two ends both belong to an account, or both to a partner."""
    for model in every_model:
        for owner in OWNERS:
            here = owner_lookup(model, owner)
            for key in _foreign_keys(model) if here else ():
                below = owner_lookup(key.related_model, owner)
                there = f"{key.name}__{below}" if below else ""
                if key.related_model is OWNERS[owner]:
                    there = key.attname
                if there and there != here:
                    yield Crossing(model, key.name, owner, here, there)


@cache
def owner_lookup(model: Model, owner: str) -> str:
    """Return the lookup from a model to the key of its account or partner: "order__account_id"; "" where it has none.

    Of several ways the one counts that is always filled, then the shortest.
    """
    ways: list[tuple[int, int, str]] = [(0, 0, "")]
    ends = {"": model}
    while ways:
        empty, hops, way = heappop(ways)
        at = ends[way]
        if at is OWNERS[owner]:
            return way
        if owner == "account" and _has_plain_key(at):
            return way + PLAIN_KEY
        if hops == MOST_HOPS:
            continue
        for key in _foreign_keys(at):
            is_owner = key.related_model is OWNERS[owner]
            further = way + (key.attname if is_owner else f"{key.name}__")
            ends[further] = key.related_model
            heappush(ways, (empty + key.null, hops + 1, further))
    return ""


def tenants_crossed(every_model: Iterable[Model] | None = None) -> Contradictions:
    """Yield every row, or every row of these models, with a foreign key to what belongs to somebody else."""
    models_looked_at = apps.get_models(include_auto_created=True) if every_model is None else every_model
    for crossing in crossings_of(models_looked_at):
        rows = crossing.model._base_manager.filter(
            **{f"{crossing.here}__isnull": False, f"{crossing.there}__isnull": False}
        ).exclude(**{crossing.here: F(crossing.there)})
        found = rows.order_by("pk").values_list("pk", crossing.here, crossing.there)
        for pk, here, there in found.iterator():
            words = f"Belongs to {crossing.owner} {here}, and its {crossing.field} to {crossing.owner} {there}."
            yield f"{crossing.model._meta.label}:{pk}", words


def _foreign_keys(model: Model) -> list["models.ForeignKey[models.Model]"]:
    return [field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]


def _has_plain_key(model: Model) -> bool:
    names = {field.name for field in model._meta.concrete_fields}
    return PLAIN_KEY in names
