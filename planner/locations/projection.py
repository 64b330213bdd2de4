"""The map's projection: Natural Earth, by the polynomial of Šavrič, Patterson and Jenny (2011).

A flat map of the whole world whose shapes stay recognisable near the poles; lengths are only roughly right.
"""

import math

MAP_WIDTH, MAP_HEIGHT = 2000, 1040
HALF_WIDTH = 0.8707 * math.pi
"""How far the equator reaches east of the middle, in units of the projection."""
SCALE = MAP_WIDTH / (2 * HALF_WIDTH)


def projected(*, latitude: float, longitude: float) -> tuple[float, float]:
    """Return where a place lies on the map, from its upper left corner, in units of the map."""
    phi, lam = math.radians(latitude), math.radians(longitude)
    square = phi * phi
    tenth = square**5
    x = lam * (0.8707 - 0.131979 * square - 0.013791 * square**2 + tenth * (0.003971 - 0.001529 * square))
    y = phi * (1.007226 + 0.015085 * square - 0.044475 * square**3 + 0.028874 * square**4 - 0.005916 * square**5)
    return MAP_WIDTH / 2 + SCALE * x, MAP_HEIGHT / 2 - SCALE * y
