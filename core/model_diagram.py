"""The entity-relationship diagram, read off the models: boxes and edges by room, as plain values and as text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.apps import apps
from django.db import models

BEGIN, END = "<!-- drawn from the models: bin/manage model_diagram -->", "<!-- end of what is drawn -->"
LIBRARIES = "site-packages"
STROKES = {
    "one": "||--o{",
    "one or none": "|o--o{",
    "one each": "||--||",
    "many": "}o--o{",
}
"""How Mermaid draws each kind of edge, from what is referred to towards what refers, or from either side of many."""


@dataclass(frozen=True)
class Field:
    """One column of a model: its name, its kind and what it says about itself."""

    name: str
    kind: str
    help: str


@dataclass(frozen=True)
class Edge:
    """A reference from one model to another by a field: to one, to one or none, to one each, or to many."""

    source: str
    name: str
    target_room: str
    target: str
    kind: str


@dataclass(frozen=True)
class Box:
    """A model: its room, what in the real world a row of it is, its columns and where its references lead."""

    room: str
    name: str
    words: str
    fields: tuple[Field, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class Room:
    """The models of one room."""

    name: str
    boxes: tuple[Box, ...]

    @property
    def edges_inside(self) -> list[Edge]:
        return [edge for box in self.boxes for edge in box.edges if edge.target_room == self.name]


def rooms_of(every_model: Iterable[type[models.Model]]) -> list[Room]:
    """Return the models by room, both in the order given; references to models that are not given are left out."""
    listed = list(every_model)
    known = set(listed)
    names = dict.fromkeys(model._meta.app_label for model in listed)
    return [
        Room(name, tuple(_box(model, known) for model in listed if model._meta.app_label == name)) for name in names
    ]


def our_rooms() -> list[Room]:
    """Return the rooms of this product; models that libraries bring are no part of them."""
    ours = [config for config in apps.get_app_configs() if LIBRARIES not in config.path]
    return rooms_of(model for config in ours for model in config.get_models())


def markdown_of(rooms: Sequence[Room]) -> str:
    """Return the diagrams of all rooms as text that Mermaid draws, with a table of what a row is."""
    parts = [BEGIN, ""]
    for room in rooms:
        parts += [f"## {room.name}", ""]
        if room.edges_inside:
            parts += ["```mermaid", "erDiagram", *(f"    {_stroke(edge)}" for edge in room.edges_inside), "```", ""]
        parts += ["| model | a row is | refers to |", "|---|---|---|"]
        parts += [f"| `{box.name}` | {box.words} | {', '.join(_references(box)) or '–'} |" for box in room.boxes]
        parts.append("")
    return "\n".join([*parts, END])


def replaced_in(document: str, drawn: str) -> str:
    """Return the document with what is drawn in the place of what was drawn before, or at its end."""
    if BEGIN not in document:
        return f"{document.rstrip()}\n\n{drawn}\n"
    before, _, rest = document.partition(BEGIN)
    return before + drawn + rest.partition(END)[2]


def _box(model: type[models.Model], known: set[type[models.Model]]) -> Box:
    meta = model._meta
    return Box(
        room=meta.app_label,
        name=model.__name__,
        words=" ".join((model.__doc__ or "").partition("\n\n")[0].split()),
        fields=tuple(_fields(model)),
        edges=tuple(_edges(model, known)),
    )


def _fields(model: type[models.Model]) -> Iterator[Field]:
    for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
        kind = field.related_model.__name__ if field.related_model else field.get_internal_type().removesuffix("Field")
        optional = " or none" if field.null else ""
        yield Field(field.name, kind + optional, str(field.help_text))


def _edges(model: type[models.Model], known: set[type[models.Model]]) -> Iterator[Edge]:
    for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
        target = field.related_model
        if target in known:
            yield Edge(model.__name__, field.name, target._meta.app_label, target.__name__, _kind(field))


def _kind(field: "models.Field[object, object]") -> str:
    if field.many_to_many:
        return "many"
    if field.one_to_one and not field.null:
        return "one each"
    return "one or none" if field.null else "one"


def _stroke(edge: Edge) -> str:
    one, other = (edge.source, edge.target) if edge.kind == "many" else (edge.target, edge.source)
    return f"{one} {STROKES[edge.kind]} {other} : {edge.name}"


def _references(box: Box) -> Iterator[str]:
    for edge in box.edges:
        where = "" if edge.target_room == box.room else f"{edge.target_room}."
        yield f"{edge.name} → {where}{edge.target}"
