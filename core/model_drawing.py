"""Drawing a room of the model as SVG: its models in a column, the references between them as arcs beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.model_diagram import Box, Edge, Room

BOX_WIDTH = 262
LEFT = 6
HEAD, ROW, GAP = 26, 18, 14
LANE = 11
LANES_BEGIN = LEFT + BOX_WIDTH + 12
DASHES = {"many": "2 3", "one or none": "6 3"}


@dataclass(frozen=True)
class Arc:
    """A reference from a row of one box to the head of another, and the lane in which it runs beside the boxes."""

    edge: Edge
    begins: int
    ends: int
    lane: int


def drawing_of(room: Room) -> SafeString:
    """Return the room as an SVG picture that says in words what it shows."""
    tops = _tops(room.boxes)
    arcs = _arcs(room.boxes, tops)
    height = max((tops[box.name] + _height(box) for box in room.boxes), default=0) + GAP
    width = LANES_BEGIN + LANE * (1 + max((arc.lane for arc in arcs), default=0)) + LEFT
    return format_html(
        '<svg class="model-drawing" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">{}{}</svg>',
        f"{room.name}: {len(room.boxes)} models and {len(arcs)} references between them",
        width,
        height,
        width,
        height,
        format_html_join("", "{}", ((_arc(arc),) for arc in arcs)),
        format_html_join("", "{}", ((_box(box, tops[box.name]),) for box in room.boxes)),
    )


def _tops(boxes: Sequence[Box]) -> dict[str, int]:
    tops, at = {}, GAP
    for box in boxes:
        tops[box.name] = at
        at += _height(box) + GAP
    return tops


def _height(box: Box) -> int:
    return HEAD + ROW * len(box.edges) + (6 if box.edges else 0)


def _arcs(boxes: Sequence[Box], tops: dict[str, int]) -> list[Arc]:
    """Give each reference within the room a lane; short ones run close to the boxes, and no two share a stretch."""
    spans = []
    for box in boxes:
        for row, edge in enumerate(box.edges):
            if edge.target_room == box.room:
                begins = tops[box.name] + HEAD + ROW * row + ROW // 2
                spans.append((abs(begins - tops[edge.target]), begins, tops[edge.target] + HEAD // 2, edge))
    taken: list[list[tuple[int, int]]] = []
    arcs = []
    for _, begins, ends, edge in sorted(spans, key=lambda span: span[:3]):
        low, high = sorted((begins, ends))
        lane = next(
            (number for number, lane in enumerate(taken) if all(high < one or low > other for one, other in lane)),
            len(taken),
        )
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        arcs.append(Arc(edge, begins, ends, lane))
    return arcs


def _arc(arc: Arc) -> SafeString:
    right, x = LEFT + BOX_WIDTH, LANES_BEGIN + LANE * arc.lane
    path = f"M{right} {arc.begins}H{x}V{arc.ends}H{right + 6}"
    head = f"{right},{arc.ends} {right + 7},{arc.ends - 4} {right + 7},{arc.ends + 4}"
    title = f"{arc.edge.source}.{arc.edge.name} refers to {arc.edge.kind} {arc.edge.target}"
    return format_html(
        '<g class="model-arc"><title>{}</title><path d="{}" stroke-dasharray="{}"/><polygon points="{}"/></g>',
        title,
        path,
        DASHES.get(arc.edge.kind, "none"),
        head,
    )


def _box(box: Box, top: int) -> SafeString:
    rows = (
        (
            "model-row" if edge.target_room == box.room else "model-row model-away",
            LEFT + 10,
            top + HEAD + ROW * row + 13,
            f"{edge.name} → {'' if edge.target_room == box.room else edge.target_room + '.'}{edge.target}",
        )
        for row, edge in enumerate(box.edges)
    )
    return format_html(
        '<g class="model-box"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="4"/>'
        '<text class="model-name" x="{}" y="{}">{}</text>{}</g>',
        box.words,
        LEFT,
        top,
        BOX_WIDTH,
        _height(box),
        LEFT + 10,
        top + 18,
        box.name,
        format_html_join("", '<text class="{}" x="{}" y="{}">{}</text>', rows),
    )
