"""How long each place takes to each data centre, straight over the internet or by an entry of the seller's network."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planner.locations.places import Place
from planner.locations.sites import Site
from simulation.network_path import (
    PathModel,
    Spot,
    by_presence_ms,
    great_circle_metres,
    internet_ms,
    light_floor_ms,
)


@dataclass(frozen=True)
class Way:
    """One way of a place's requests, there and back. Without an entry it goes over the internet all the way."""

    entry: Site | None
    ms: float


@dataclass(frozen=True)
class Reach:
    """Every distance that is needed: from places to sites, and between sites. Rows are places, columns sites.

    `entries` are points of presence and data centres alike; one serves the data centres of its own network.
    """

    places: tuple[Place, ...]
    centres: tuple[Site, ...]
    entries: tuple[Site, ...]
    model: PathModel
    to_centre: tuple[tuple[float, ...], ...]
    to_entry: tuple[tuple[float, ...], ...]
    onward: tuple[tuple[float, ...], ...]
    """Metres from each entry to each data centre."""

    def direct_ms(self, place: int, centre: int) -> float:
        """Return the time over the internet all the way."""
        return internet_ms(self.to_centre[place][centre], self.model)

    def by_entry_ms(self, place: int, entry: int, centre: int) -> float:
        """Return the time of a request that enters at a point of presence or another data centre."""
        return by_presence_ms(
            to_presence_metres=self.to_entry[place][entry],
            onward_metres=self.onward[entry][centre],
            model=self.model,
        )

    def entry_ms(self, place: int, entry: int) -> float:
        """Return the time to the edge of the seller's network alone."""
        return internet_ms(self.to_entry[place][entry], self.model)

    def floor_ms(self, place: int, centre: int) -> float:
        """Return how long light would take in vacuum."""
        return light_floor_ms(self.to_centre[place][centre])

    def entries_of(self, centre: int) -> list[int]:
        """Return the entries of the network that a data centre stands on."""
        network = self.centres[centre].network
        return [number for number, entry in enumerate(self.entries) if network and entry.network == network]

    def way(self, place: int, centre: int, entries: Iterable[int]) -> Way:
        """Return the fastest way to a data centre where only these entries may be used; ties go straight."""
        best = Way(None, self.direct_ms(place, centre))
        for entry in entries:
            ms = self.by_entry_ms(place, entry, centre)
            if ms < best.ms:
                best = Way(self.entries[entry], ms)
        return best

    def edge(self, place: int, centre: int, entries: Iterable[int]) -> Way:
        """Return the way to the nearest of the entries, or to the data centre itself where that is as near."""
        best = Way(None, self.direct_ms(place, centre))
        for entry in entries:
            ms = self.entry_ms(place, entry)
            if ms < best.ms:
                best = Way(self.entries[entry], ms)
        return best


def reach_of(*, places: Sequence[Place], centres: Sequence[Site], sites: Iterable[Site], model: PathModel) -> Reach:
    """Measure all distances; of the sites of one network and city the first stands for the entry there."""
    cities: dict[tuple[str, Spot], Site] = {}
    for site in (*sites, *centres):
        cities.setdefault((site.network, site.spot), site)
    entries = tuple(cities.values())
    spots = [Spot(place.latitude, place.longitude) for place in places]
    return Reach(
        places=tuple(places),
        centres=tuple(centres),
        entries=entries,
        model=model,
        to_centre=_table(spots, [site.spot for site in centres]),
        to_entry=_table(spots, [site.spot for site in entries]),
        onward=_table([site.spot for site in entries], [site.spot for site in centres]),
    )


def _table(rows: Sequence[Spot], columns: Sequence[Spot]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(great_circle_metres(row, column) for column in columns) for row in rows)
