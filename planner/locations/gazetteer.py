"""The cities that people name, with their coordinates: GeoNames' cities of 100,000 and more."""

import csv
import difflib
import gzip
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
GEONAMES = DATA / "geonames"
MOST_NEAREST = 3
LEAST_LIKENESS = 0.6
WEIGHT_OF_OTHER_NAMES = 0.1
"""A city's own name goes before another name of a larger one, unless that one is ten times as large."""


@dataclass(frozen=True)
class City:
    """A city of the gazetteer; `region` is the state of one in the United States, such as TX, else empty."""

    name: str
    country: str
    region: str
    latitude: float
    longitude: float
    population: int

    @property
    def words(self) -> str:
        """The city as one may type it to mean no other."""
        return ", ".join(part for part in (self.name, self.region, self.country) if part)


@dataclass(frozen=True)
class Gazetteer:
    """Cities by their plain names, largest first; codes of countries and of American states by their plain names."""

    cities: Mapping[str, Sequence[City]]
    countries: Mapping[str, str]
    states: Mapping[str, str]

    def find(self, text: str) -> City | None:
        """Return the largest city of that name: "Paris", "Paris, France", "Paris, TX", "Portland, Oregon, US"."""
        name, *where = [part.strip() for part in text.split(",")]
        found = [city for city in self.cities.get(plain_name(name), ()) if self._lies_in(city, where)]
        return found[0] if found else None

    def nearest(self, text: str) -> list[City]:
        """Return the cities whose names are most like the text, best first; at most three."""
        name, *where = [part.strip() for part in text.split(",")]
        plain = plain_name(name)
        if where and plain in self.cities:
            return list(self.cities[plain][:MOST_NEAREST])
        likely = [known for known in self.cities if known[:1] == plain[:1] and abs(len(known) - len(plain)) <= 4]
        alike = difflib.get_close_matches(plain, likely, n=MOST_NEAREST * 2, cutoff=LEAST_LIKENESS)
        cities = dict.fromkeys(self.cities[known][0] for known in alike)
        return list(cities)[:MOST_NEAREST]

    def _lies_in(self, city: City, where: Sequence[str]) -> bool:
        names = [plain_name(part) for part in where if part]
        return all(city.region == self.states.get(name) or city.country == self.countries.get(name) for name in names)


def plain_name(name: str) -> str:
    """Return a name without accents, points and capitals: "São Paulo" and "sao paulo" are one."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[\W_]+", " ", letters).strip()


@lru_cache(maxsize=1)
def shipped_gazetteer() -> Gazetteer:
    """Return the gazetteer that is shipped, read once in each process and only when somebody names a place."""
    named: dict[str, list[tuple[float, City]]] = defaultdict(list)
    for row in _rows("cities.csv.gz"):
        city = City(
            name=row["name"],
            country=row["country"],
            region=row["region"],
            latitude=float(row["latitude"]),
            longitude=float(row["longitude"]),
            population=int(row["population"]),
        )
        named[plain_name(city.name)].append((city.population, city))
        for name in row["other_names"].split("|"):
            named[name].append((city.population * WEIGHT_OF_OTHER_NAMES, city))
    countries = {}
    for row in _rows("countries.csv.gz"):
        for name in (row["iso"], row["name"], *row["other_names"].split("|")):
            countries[plain_name(name)] = row["iso"]
    del named[""]
    cities = {name: _by_weight(weighted) for name, weighted in named.items()}
    states = {plain_name(name): row["code"] for row in _rows("states.csv.gz") for name in (row["code"], row["name"])}
    return Gazetteer(cities=cities, countries=countries, states=states)


def _by_weight(weighted: list[tuple[float, City]]) -> tuple[City, ...]:
    return tuple(city for _, city in sorted(weighted, key=lambda pair: -pair[0]))


def _rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(gzip.decompress((GEONAMES / name).read_bytes()).decode())))
