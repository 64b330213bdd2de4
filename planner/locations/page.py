"""What an answer's page shows beside what every kind of advice shows: the map, and how each place fares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.money import Money
from planner.figure_words import value_words
from planner.locations.choosing import listed
from planner.locations.curve import curve_panel
from planner.locations.demand import TO_NETWORK, LocationsDemand
from planner.locations.drawing import Frame, dot_radius, frame_around
from planner.locations.entries import entries_needed
from planner.locations.ground import Ground, ground_of
from planner.locations.places import Place
from planner.locations.reach import Way
from planner.locations.sites import Site, data_centre
from simulation.network_path import Spot, great_circle_metres, light_floor_ms

Json = dict[str, Any]
LABELS_TURN = 800
"""East of this, in units of the map, a name stands on the left of its mark."""


@dataclass(frozen=True)
class Fare:
    """How one place fares: its number, its nearest data centre, and the way for which the limit holds.

    `floor_ms` is light in vacuum on that way, `server_ms` the time to a server.
    """

    number: int
    place: Place
    site: int
    way: Way
    server_ms: float
    floor_ms: float
    is_inside: bool

    @property
    def spot(self) -> Spot:
        return Spot(self.place.latitude, self.place.longitude)


def answer_part(demand: LocationsDemand, row: Mapping[str, Any], currency: str) -> Json:
    """Return the map and its tables for a configuration of the answer."""
    roles = [role for role in row["roles"] if data_centre(role["location"], role["location_name"])]
    sites = [site for role in roles if (site := data_centre(role["location"], role["location_name"]))]
    ground = ground_of(demand, sites, [0] * len(sites))
    fares = [_fare(ground, number) for number in range(len(demand.places))]
    needed = [ground.reach.entries[entry] for entry in entries_needed(ground, range(len(sites)))]
    by_users = sorted(fares, key=lambda fare: -fare.place.users)
    used = [fare.way.entry for fare in fares if fare.way.entry]
    return {
        "map": _map(fares, ground, needed, [role["location_name"] for role in roles]),
        "summary": _summary(fares, demand),
        "limit": value_words(demand.site_limit_ms),
        "is_to_network": demand.to == TO_NETWORK,
        "centres": [_centre_row(fares, ground, site, role, currency) for site, role in enumerate(roles)],
        "entries": [_entry_row(entry, needed, used) for entry in dict.fromkeys((*needed, *used))],
        "needed": listed([_short(entry.city) for entry in needed]),
        "panel": curve_panel(row["extra"]["curve"], sites=len(sites), demand=demand),
        "places": [_place_row(fare, roles, demand.site_limit_ms) for fare in by_users],
        "outside": [fare.place.name for fare in fares if not fare.is_inside],
        "sources": list(dict.fromkeys(site.source_words for site in (*sites, *needed))),
    }


def _fare(ground: Ground, number: int) -> Fare:
    chosen = range(len(ground.sites))
    site = ground.nearest(chosen, number)
    return Fare(
        number=number,
        place=ground.reach.places[number],
        site=site,
        way=ground.limited[number][site],
        server_ms=ground.ways[number][site].ms,
        floor_ms=_floor_ms(ground, number, site),
        is_inside=ground.is_inside(chosen, number),
    )


def _floor_ms(ground: Ground, number: int, site: int) -> float:
    """Return how long light takes to where the time is measured: the server, or the edge of its network."""
    entry = ground.limited[number][site].entry
    if ground.demand.to != TO_NETWORK or entry is None:
        return ground.reach.floor_ms(number, site)
    place = ground.reach.places[number]
    return light_floor_ms(great_circle_metres(Spot(place.latitude, place.longitude), entry.spot))


def _map(fares: Sequence[Fare], ground: Ground, needed: Sequence[Site], names: Sequence[str]) -> Json:
    frame = frame_around([fare.spot for fare in fares] + [site.spot for site in (*ground.sites, *needed)])
    most = max(fare.place.users for fare in fares)
    dots = [
        {
            **frame.at(fare.spot),
            "r": dot_radius(fare.place.users, most),
            "is_inside": fare.is_inside,
            "title": f"{fare.place.name}: {fare.place.users:,} users, {value_words(fare.way.ms)} ms",
        }
        for fare in sorted(fares, key=lambda fare: -fare.place.users)
    ]
    return {
        "view_box": frame.view_box,
        "land": frame.land,
        "ways": [_line(fare, frame, ground) for fare in fares],
        "dots": dots,
        "centres": [
            {
                **frame.at(site.spot),
                "number": number,
                "name": name,
                "is_at_the_edge": frame.at(site.spot)["x"] > LABELS_TURN,
            }
            for number, (site, name) in enumerate(zip(ground.sites, names, strict=True), start=1)
        ],
        "entries": [
            {**frame.at(site.spot), "name": _short(site.city), "is_at_the_edge": frame.at(site.spot)["x"] > LABELS_TURN}
            for site in needed
        ],
    }


def _line(fare: Fare, frame: Frame, ground: Ground) -> Json:
    """Draw the way from a place by its entry to its data centre."""
    stops = [fare.spot, *([fare.way.entry.spot] if fare.way.entry else []), ground.sites[fare.site].spot]
    points = [frame.at(stop) for stop in stops]
    return {"points": " ".join(f"{point['x']},{point['y']}" for point in points), "is_inside": fare.is_inside}


def _summary(fares: Sequence[Fare], demand: LocationsDemand) -> str:
    inside = sum(fare.place.users for fare in fares if fare.is_inside)
    words = (
        f"{inside:,} of {demand.users:,} users are inside {value_words(demand.site_limit_ms)} ms, "
        f"{value_words(demand.share_of(inside))} %."
    )
    outside = [fare for fare in fares if not fare.is_inside]
    if not outside:
        return words
    largest = max(outside, key=lambda fare: fare.place.users)
    too_far = sum(fare.floor_ms > demand.site_limit_ms for fare in outside)
    count = f"{len(outside):,} places, the largest " if len(outside) > 1 else ""
    words += f" Outside: {count}{largest.place.name} at {value_words(largest.way.ms)} ms."
    return words + (f" Even light in vacuum takes too long for {too_far:,} of them." if too_far else "")


def _centre_row(fares: Sequence[Fare], ground: Ground, site: int, role: Mapping[str, Any], currency: str) -> Json:
    """Say what a data centre serves and what would be lost without it."""
    own = [fare for fare in fares if fare.site == site]
    users = sum(fare.place.users for fare in own)
    total = sum(fare.place.users * fare.way.ms for fare in own)
    others = [other for other in range(len(ground.sites)) if other != site]
    lost = sum(fare.place.users for fare in fares if fare.is_inside and not ground.is_inside(others, fare.number))
    return {
        "number": site + 1,
        "name": role["location_name"],
        "city": ground.sites[site].city,
        "users": f"{users:,}",
        "mean": f"{total / users:,.1f}" if users else "",
        "lost": f"{ground.demand.share_of(lost):.1f} %",
        "cost": Money(Decimal(role["monthly_cost"]), currency),
    }


def _entry_row(entry: Site, needed: Sequence[Site], used: Sequence[Site]) -> Json:
    return {
        "city": entry.city,
        "kind": "data centre" if entry.kind == "data_centre" else "point of presence",
        "places": used.count(entry),
        "is_needed": entry in needed,
    }


def _place_row(fare: Fare, roles: Sequence[Mapping[str, Any]], limit_ms: float) -> Json:
    return {
        "line": fare.place.line,
        "name": fare.place.name,
        "users": f"{fare.place.users:,}",
        "centre": roles[fare.site]["location_name"],
        "entry": _short(fare.way.entry.city) if fare.way.entry else "",
        "ms": f"{fare.way.ms:,.1f}",
        "server_ms": f"{fare.server_ms:,.1f}",
        "floor": f"{fare.floor_ms:,.1f}",
        "is_inside": fare.is_inside,
        "is_beyond_light": fare.floor_ms > limit_ms,
    }


def _short(city: str) -> str:
    return city.split(",")[0]
