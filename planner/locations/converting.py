"""How the shipped outlines and the gazetteer were made from what others publish; see data/README.md.

`python -m planner.locations.converting land-110m.json cities15000.json countries.json us_states.json` writes them
anew from the files of the packages that data/README.md names; nothing else calls this.
"""

import csv
import gzip
import io
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from planner.locations.gazetteer import GEONAMES, plain_name
from planner.locations.projection import MAP_HEIGHT, MAP_WIDTH, projected

OUTLINES = Path(__file__).parents[2] / "static/maps/land.svg"
LEAST_POPULATION = 100_000
LEAST_POPULATION_OF_OTHER_NAMES = 300_000
SHORTEST_OTHER_NAME = 4
CODE_LENGTH = 3
"""Names of three capitals are kept: they are codes such as NYC and MUC."""
OTHER_COUNTRY_NAMES = {"US": ("USA", "United States of America", "America"), "GB": ("UK", "Great Britain", "England")}

Ring = list[tuple[float, float]]


def rings_of(topology: Any) -> list[Ring]:
    """Return the outlines of the land of a TopoJSON file as rings of (longitude, latitude) in degrees."""
    arcs = [_arc(arc, topology["transform"]) for arc in topology["arcs"]]
    polygons = [
        polygon
        for geometry in topology["objects"]["land"]["geometries"]
        for polygon in (geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]])
    ]
    return [_ring(ring, arcs) for polygon in polygons for ring in polygon]


def svg_of(rings: Iterable[Ring]) -> str:
    """Draw the rings as one path on the map of planner/locations/projection.py."""
    parts = []
    for ring in (piece for whole in rings for piece in pieces_of(whole)):
        points = [projected(latitude=latitude, longitude=longitude) for longitude, latitude in ring]
        parts.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z")
    view_box = f"0 0 {MAP_WIDTH} {MAP_HEIGHT}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}" width="{MAP_WIDTH}" height="{MAP_HEIGHT}">'
        f'<path fill="#dfe3e8" d="{"".join(parts)}"/></svg>\n'
    )


def pieces_of(ring: Ring) -> list[Ring]:
    """Cut a ring where it crosses the edge of the map; one around the south pole is closed along the lower edge."""
    walked = [ring[0]]
    for longitude, latitude in ring[1:]:
        turns = round((walked[-1][0] - longitude) / 360)
        walked.append((longitude + 360 * turns, latitude))
    if abs(walked[-1][0] - walked[0][0]) > 180:
        walked += [(walked[-1][0], -90.0), (walked[0][0], -90.0)]
    shifted = [[(longitude + turn, latitude) for longitude, latitude in walked] for turn in (-360, 0, 360)]
    pieces = [_cut(_cut(each, at=-180, side=1), at=180, side=-1) for each in shifted]
    return [piece for piece in pieces if piece]


def city_rows(cities: Iterable[Any]) -> list[list[str]]:
    """Return the larger cities, largest first, with the other names of the largest in Latin letters."""
    large = sorted(
        (city for city in cities if city["population"] >= LEAST_POPULATION),
        key=lambda city: (-city["population"], city["geonameid"]),
    )
    return [
        [
            city["name"],
            city["countrycode"],
            city["admin1code"] if city["countrycode"] == "US" else "",
            f"{city['latitude']:.3f}",
            f"{city['longitude']:.3f}",
            str(city["population"]),
            "|".join(_other_names(city)),
        ]
        for city in large
    ]


def country_rows(countries: Iterable[Any]) -> list[list[str]]:
    """Return the countries with the ways in which people write them."""
    return [
        [country["iso"], country["name"], "|".join((country["iso3"], *OTHER_COUNTRY_NAMES.get(country["iso"], ())))]
        for country in sorted(countries, key=lambda country: country["iso"])
    ]


def _arc(arc: Sequence[Sequence[int]], transform: Any) -> Ring:
    x = y = 0
    points = []
    for step_x, step_y in arc:
        x, y = x + step_x, y + step_y
        points.append(
            (
                x * transform["scale"][0] + transform["translate"][0],
                y * transform["scale"][1] + transform["translate"][1],
            )
        )
    return points


def _ring(numbers: Sequence[int], arcs: Sequence[Ring]) -> Ring:
    """Join arcs to a ring; a negative number is an arc walked backwards."""
    points: Ring = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        points.extend(arc if not points else arc[1:])
    return points


def _cut(ring: Ring, *, at: float, side: int) -> Ring:
    """Keep what lies east (1) or west (-1) of a meridian."""
    kept: Ring = []
    for before, here in zip([*ring[-1:], *ring[:-1]], ring, strict=True):
        was_in, is_in = side * (before[0] - at) >= 0, side * (here[0] - at) >= 0
        if was_in != is_in:
            share = (at - before[0]) / (here[0] - before[0])
            kept.append((at, before[1] + share * (here[1] - before[1])))
        if is_in:
            kept.append(here)
    return kept


def _other_names(city: Any) -> list[str]:
    if city["population"] < LEAST_POPULATION_OF_OTHER_NAMES:
        return []
    known = {plain_name(city["name"])}
    names = []
    for name in city["alternatenames"]:
        plain = plain_name(name)
        is_code = len(name) == CODE_LENGTH and name.isupper()
        if (is_code or len(plain) >= SHORTEST_OTHER_NAME) and plain not in known and plain.replace(" ", "").isascii():
            known.add(plain)
            names.append(plain)
    return names


def _csv_gz(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    path.write_bytes(gzip.compress(written.getvalue().encode(), mtime=0))


def main(land: str, cities: str, countries: str, states: str) -> None:
    """Write the outlines and the gazetteer from the files at these paths."""
    OUTLINES.write_text(svg_of(rings_of(json.loads(Path(land).read_text()))))
    columns = ("name", "country", "region", "latitude", "longitude", "population", "other_names")
    _csv_gz(GEONAMES / "cities.csv.gz", columns, city_rows(json.loads(Path(cities).read_text()).values()))
    _csv_gz(
        GEONAMES / "countries.csv.gz",
        ("iso", "name", "other_names"),
        country_rows(json.loads(Path(countries).read_text()).values()),
    )
    found = json.loads(Path(states).read_text()).values()
    _csv_gz(GEONAMES / "states.csv.gz", ("code", "name"), sorted([state["code"], state["name"]] for state in found))


if __name__ == "__main__":
    main(*sys.argv[1:])
