"""Reading where users are: a place and their number on each line, as people type them or as a CSV file holds them.

A line is a name and a number ("Paris, 12,000"; "Portland, Oregon; 3.5k"), or a latitude, a longitude and a number
("48.85, 2.35, 12000"; "48.85 N 2.35 E 12000"), or all of them with a name of one's own first. Columns are parted by
tabs, semicolons or commas.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planner.locations.gazetteer import Gazetteer

MOST_PLACES = 1_000
MOST_USERS = 1_000_000_000
LONGEST_NAME = 80
SCALES = {"": 1, "k": 1_000, "thousand": 1_000, "m": 1_000_000, "mio": 1_000_000, "million": 1_000_000}
NUMBER = re.compile(r"(?P<number>\d[\d.,' \u00a0\u202f_]*?)\s*(?P<scale>k|m|mio|thousand|million)?\.?", re.I)
GROUPED = re.compile(r"\d{1,3}(?:[.,' \u00a0\u202f_]\d{3})+")
HEAD = re.compile(r"\s*\d{1,3}")
TAIL = re.compile(r"\d{3}(?:,\d{3})*(?:\s*[A-Za-z]+)*\s*")
"""The first and the later digits of a number whose thousands are parted by commas: 12 and 000."""
NAME_AND_USERS = re.compile(
    r"(?P<name>\D*[^\W\d]\D*?)[\s:,]+(?P<users>(?:\d{1,3}(?:[.,' \u00a0\u202f_]\d{3})+|\d+(?:[.,]\d+)?)"
    r"(?:\s*(?:k|m|mio|thousand|million))?(?:\s*(?:users?|people|visitors))?)",
    re.I,
)
TWO_COORDINATES = re.compile(
    r"(?P<latitude>[+-]?\d{1,2}(?:\.\d+)?)\s*°?\s*(?P<north>[NS])?\s+(?P<longitude>[+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*(?P<east>[EW])?",
    re.I,
)
COORDINATE = re.compile(r"(?P<number>[+-]?\d{1,3}(?:[.,]\d+)?)\s*°?\s*(?P<side>[NSEW])?", re.I)
PLACE_HEADINGS = ("place", "city", "name", "location", "town", "latitude", "lat", "longitude", "lon", "lng", "long")
USERS_HEADINGS = ("users", "user", "of", "population", "number", "count", "visitors")
HEADINGS = frozenset((*PLACE_HEADINGS, *USERS_HEADINGS))


@dataclass(frozen=True)
class Place:
    """Where so many users are, in degrees. `line` is where somebody wrote it, from 1."""

    name: str
    latitude: float
    longitude: float
    users: int
    line: int


class PlacesRefused(ValueError):
    """Lines that cannot be read; `args` are their problems in words, each with its line."""


def places_of(text: str, gazetteer: Gazetteer) -> tuple[Place, ...]:
    """Read all lines. Raises PlacesRefused with every line that is wrong, why, and what is nearest."""
    places: list[Place] = []
    problems: list[str] = []
    for number, line in _lines(text):
        try:
            places.append(_place(line, number, gazetteer))
        except ValueError as problem:
            problems.append(f"Line {number}: {problem}")
    if not places and not problems:
        problems.append("Write a place and its number of users on each line, like: Paris, 12000")
    if len(places) + len(problems) > MOST_PLACES:
        problems = [f"Write at most {MOST_PLACES:,} places, not {len(places) + len(problems):,}. Join neighbours."]
    if problems:
        raise PlacesRefused(*problems)
    return tuple(places)


def number_of_users(text: str) -> int:
    """Return a number of users: "12,000", "12 000", "3.5k", "1.2 million". Raises ValueError in words."""
    match = NUMBER.fullmatch(re.sub(r"\s*(users?|people|visitors)$", "", text.strip(), flags=re.I))
    if not match:
        raise ValueError(f"“{text.strip()}” is no number of users. Write it like 12000 or 3.5k.")
    digits, scale = match["number"].strip(), SCALES[(match["scale"] or "").lower()]
    if GROUPED.fullmatch(digits) and (scale == 1 or "." not in digits):
        value = float(re.sub(r"\D", "", digits)) * scale
    else:
        plain = re.sub(r"[' \u00a0\u202f_]", "", digits).replace(",", ".")
        if plain.count(".") > 1:
            raise ValueError(f"“{text.strip()}” is no number of users. Write it like 12000 or 3.5k.")
        value = float(plain) * scale
    users = round(value)
    if abs(users - value) > 1e-6 * max(1.0, value) or not 1 <= users <= MOST_USERS:
        raise ValueError(f"“{text.strip()}” is no number of users. Write a whole one from 1 to {MOST_USERS:,}.")
    return users


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Give the lines that say something, with their numbers; headings and comments say nothing."""
    is_first = True
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.strip().lstrip("\ufeff")
        if not words or words.startswith("#"):
            continue
        if not (is_first and _is_heading(words)):
            yield number, words
        is_first = False


def _is_heading(line: str) -> bool:
    words = [word for word in re.split(r"[\W_]+", line.lower()) if word]
    return bool(words) and HEADINGS.issuperset(words)


def _place(line: str, number: int, gazetteer: Gazetteer) -> Place:
    if len(line) > 4 * LONGEST_NAME:
        raise ValueError(f"It is longer than {4 * LONGEST_NAME} characters.")
    name, coordinates, users = _parts(_cells(line))
    if coordinates:
        latitude, longitude = coordinates
        label = name or f"{abs(latitude):g}° {'NS'[latitude < 0]}, {abs(longitude):g}° {'EW'[longitude < 0]}"
        return Place(label[:LONGEST_NAME], latitude, longitude, number_of_users(users), number)
    city = gazetteer.find(name)
    if city is None:
        nearest = "; ".join(each.words for each in gazetteer.nearest(name))
        way_out = f"Nearest: {nearest}." if nearest else "Write a city near it."
        raise ValueError(f"“{name[:LONGEST_NAME]}” is no place known here. {way_out} Or write latitude and longitude.")
    return Place(city.words, city.latitude, city.longitude, number_of_users(users), number)


def _cells(line: str) -> list[str]:
    """Part a line into columns; a number whose thousands are parted by commas is one of them."""
    mark = "\t" if "\t" in line else ";" if ";" in line else ","
    if mark == "," and (both := NAME_AND_USERS.fullmatch(line)):
        return [both["name"].strip(' "'), both["users"]]
    raw = next(csv.reader([line], delimiter=mark, skipinitialspace=False))
    if mark == "," and not (len(raw) == 3 and all(COORDINATE.fullmatch(cell.strip()) for cell in raw)):
        while len(raw) > 2 and TAIL.fullmatch(raw[-1]) and HEAD.fullmatch(raw[-2]):
            raw[-2:] = [f"{raw[-2]},{raw[-1]}"]
    return [cell.strip() for cell in raw if cell.strip()]


def _parts(cells: Sequence[str]) -> tuple[str, tuple[float, float] | None, str]:
    """Return the name, the coordinates and the users of a line, as far as they are written there."""
    if len(cells) == 1 and len(words := cells[0].split()) > 2:
        cells = [" ".join(words[:-1]), words[-1]]
    if len(cells) == 2 and (both := TWO_COORDINATES.fullmatch(cells[0])):
        cells = [
            both["latitude"] + (both["north"] or ""),
            both["longitude"] + (both["east"] or ""),
            cells[1],
        ]
    if len(cells) < 2:
        raise ValueError(f"“{', '.join(cells)[:LONGEST_NAME]}” says no number of users. Write it like: Paris, 12000")
    *before, users = cells
    if len(before) >= 2 and all(COORDINATE.fullmatch(cell) for cell in before[-2:]):
        coordinates = _coordinate(before[-2], most=90, sides="NS"), _coordinate(before[-1], most=180, sides="EW")
        return ", ".join(before[:-2]), coordinates, users
    return ", ".join(before), None, users


def _coordinate(text: str, *, most: int, sides: str) -> float:
    """Read degrees; south and west are negative."""
    match = COORDINATE.fullmatch(text)
    kind = "latitude" if sides == "NS" else "longitude"
    if not match or (match["side"] and match["side"].upper() not in sides):
        raise ValueError(f"“{text}” is no {kind}. Write degrees like 48.85 or 48.85 {sides[0]}.")
    degrees = float(match["number"].replace(",", "."))
    if match["side"] and match["side"].upper() == sides[1]:
        degrees = -abs(degrees)
    if not -most <= degrees <= most:
        raise ValueError(f"A {kind} is from -{most} to {most} degrees, not {text}.")
    return degrees
