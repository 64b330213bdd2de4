"""Where the seller's network is: data centres, in which servers stand, and points of presence, where users enter it."""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from planner.locations.gazetteer import DATA, shipped_gazetteer
from simulation.network_path import Spot

DATA_CENTRE, POINT_OF_PRESENCE = "data_centre", "point_of_presence"
SOURCES = {
    "city": "its city, as the price list names it (coordinates: GeoNames)",
    "virginia": "taken to be in Ashburn; the price list says N. Virginia (coordinates: GeoNames)",
    "pops": "IBM Cloud documentation of SoftLayer's network, “SSL VPN POPs”, 2 May 2019 (coordinates: GeoNames)",
    "name": "the city in its name (coordinates: GeoNames)",
}
NUMBER_AT_THE_END = re.compile(r"[\s\d]+$")


@dataclass(frozen=True)
class Site:
    """A city in which a seller's network can be entered. `key_name` is that of the location for a data centre.

    Sites of one `network` are joined by its backbone; an empty one is joined with none.
    """

    key_name: str
    kind: str
    city: str
    spot: Spot
    network: str
    source: str
    basis: str

    @property
    def source_words(self) -> str:
        return SOURCES[self.source]


@lru_cache(maxsize=1)
def shipped_sites() -> Mapping[str, Site]:
    """Return all sites whose coordinates are shipped, by key name."""
    with (DATA / "sites.csv").open(encoding="utf-8", newline="") as lines:
        return {row["key_name"]: _site(row) for row in csv.DictReader(lines)}


def data_centre(key_name: str, name: str) -> Site | None:
    """Return where a location of the catalogue is: as shipped, else in the city that its name begins with.

    None where neither says it.
    """
    shipped = shipped_sites().get(key_name)
    if shipped:
        return shipped
    city = shipped_gazetteer().find(NUMBER_AT_THE_END.sub("", name)) if name.strip() else None
    if city is None:
        return None
    spot = Spot(city.latitude, city.longitude)
    return Site(key_name, DATA_CENTRE, city.words, spot, network="", source="name", basis="assumed")


def _site(row: Mapping[str, str]) -> Site:
    return Site(
        key_name=row["key_name"],
        kind=row["kind"],
        city=row["city"],
        spot=Spot(float(row["latitude"]), float(row["longitude"])),
        network=row["network"],
        source=row["source"],
        basis=row["basis"],
    )
