"""The map of an answer as plain numbers for an SVG: 1,000 units wide, cut to where somebody or something is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.locations.projection import MAP_HEIGHT, MAP_WIDTH, projected
from simulation.network_path import Spot

WIDTH = 1_000
LARGEST_DOT, SMALLEST_DOT = 30, 7
NARROWEST = MAP_WIDTH / 5
"""The least part of the world's width that is shown: nearer, the outlines are too coarse."""
FLATTEST, STEEPEST = 2.1, 1.5
"""Width over height of the map: a phone is narrow, and the world is flat."""
MARGIN = 0.12


@dataclass(frozen=True)
class Frame:
    """The part of the whole map that is shown, in units of the whole map."""

    left: float
    top: float
    width: float
    height: float

    @property
    def scale(self) -> float:
        return WIDTH / self.width

    @property
    def view_box(self) -> str:
        return f"0 0 {WIDTH} {self.height * self.scale:.0f}"

    @property
    def land(self) -> dict[str, float]:
        """Where the picture of the whole land lies in the frame's own units."""
        return {
            "x": round(-self.left * self.scale, 1),
            "y": round(-self.top * self.scale, 1),
            "width": round(MAP_WIDTH * self.scale, 1),
            "height": round(MAP_HEIGHT * self.scale, 1),
        }

    def at(self, spot: Spot) -> dict[str, float]:
        """Return where a spot lies in the frame's own units."""
        x, y = projected(latitude=spot.latitude, longitude=spot.longitude)
        return {"x": round((x - self.left) * self.scale, 1), "y": round((y - self.top) * self.scale, 1)}


def frame_around(spots: Sequence[Spot]) -> Frame:
    """Return the smallest frame that shows all spots with a margin and is neither too near, too flat nor too steep."""
    points = [projected(latitude=spot.latitude, longitude=spot.longitude) for spot in spots]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    width = max(NARROWEST, (right - left) * (1 + 2 * MARGIN))
    height = max(width / FLATTEST, (bottom - top) * (1 + 2 * MARGIN))
    width = min(MAP_WIDTH, max(width, height * STEEPEST))
    height = min(MAP_HEIGHT, max(width / FLATTEST, height))
    return Frame(
        left=_inside((left + right) / 2 - width / 2, MAP_WIDTH - width),
        top=_inside((top + bottom) / 2 - height / 2, MAP_HEIGHT - height),
        width=width,
        height=height,
    )


def dot_radius(users: int, most: int) -> float:
    """Return the radius of a circle whose area grows with the users, and that can still be seen."""
    return round(max(SMALLEST_DOT, LARGEST_DOT * math.sqrt(users / most)), 1)


def _inside(start: float, most: float) -> float:
    return min(max(start, 0.0), most)
