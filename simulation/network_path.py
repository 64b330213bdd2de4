"""How long a request travels: from a user over the internet to a data centre, or to a point of presence and on from
there over the seller's own backbone. All times are there and back.
"""

import math
from dataclasses import dataclass

from simulation.parameters import ParameterSet
from simulation.small_workloads import METRES_PER_SECOND

EARTH_RADIUS_METRES = 6_371_008.8
"""The mean radius (IUGG): distances on the sphere are at most about 0.5 % off those on the ellipsoid."""


@dataclass(frozen=True)
class Spot:
    """A place on the Earth, in degrees: north and east are positive."""

    latitude: float
    longitude: float


@dataclass(frozen=True)
class PathModel:
    """What a path takes beyond light in vacuum along the great circle."""

    light_in_fibre: float
    internet_stretch: float
    backbone_stretch: float
    last_mile_ms: float

    @property
    def internet_ms_per_metre(self) -> float:
        """There and back over the internet, for each metre of the great circle."""
        return 2e3 * self.internet_stretch / (self.light_in_fibre * METRES_PER_SECOND)

    @property
    def backbone_ms_per_metre(self) -> float:
        """There and back over the seller's backbone, for each metre of the great circle."""
        return 2e3 * self.backbone_stretch / (self.light_in_fibre * METRES_PER_SECOND)


def path_model(parameters: ParameterSet) -> PathModel:
    """Return the model that the parameter set describes."""
    return PathModel(
        light_in_fibre=parameters.value("network_path.light_in_fibre"),
        internet_stretch=parameters.value("network_path.internet_stretch"),
        backbone_stretch=parameters.value("network_path.backbone_stretch"),
        last_mile_ms=parameters.value("network_path.last_mile_ms"),
    )


def great_circle_metres(one: Spot, other: Spot) -> float:
    """Return the shortest way along the surface of a round Earth."""
    south, north = math.radians(one.latitude), math.radians(other.latitude)
    half_up = math.sin((north - south) / 2)
    half_along = math.sin(math.radians(other.longitude - one.longitude) / 2)
    share = half_up * half_up + math.cos(south) * math.cos(north) * half_along * half_along
    return 2 * EARTH_RADIUS_METRES * math.asin(min(1.0, math.sqrt(share)))


def light_floor_ms(metres: float) -> float:
    """Return how long light takes there and back in vacuum: no network is faster."""
    return 2e3 * metres / METRES_PER_SECOND


def internet_ms(metres: float, model: PathModel) -> float:
    """Return the time of a user's request over the internet, with the last mile."""
    return model.last_mile_ms + metres * model.internet_ms_per_metre


def by_presence_ms(*, to_presence_metres: float, onward_metres: float, model: PathModel) -> float:
    """Return the time of a request that enters the seller's network at a point of presence and goes on from there."""
    return internet_ms(to_presence_metres, model) + onward_metres * model.backbone_ms_per_metre
