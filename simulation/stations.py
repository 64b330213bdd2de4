"""How busy the stations of a model are, and which of them holds the others back."""

from collections.abc import Mapping
from dataclasses import dataclass

BUSY_FROM = 0.5
"""A station that works for a smaller share of the time does not hold anybody back."""


@dataclass(frozen=True)
class StationUse:
    """The busy share (0 to 1) of each station in the order a request passes them, and what holds the rest back."""

    utilisation: Mapping[str, float]
    bottleneck: str


def busiest_station(utilisation: Mapping[str, float], *, otherwise: str) -> str:
    """The name of the busiest station, or `otherwise` where none is busy: then whoever asks is what limits."""
    busiest = max(utilisation, key=lambda name: utilisation[name])
    return busiest if utilisation[busiest] >= BUSY_FROM else otherwise


def use_at_rate(rate: float, *, demands: Mapping[str, float], servers: Mapping[str, int], otherwise: str) -> StationUse:
    """The use of stations at a throughput, by the utilisation law: rate × seconds of a job ÷ servers."""
    shares = {name: min(1.0, rate * demand / servers[name]) for name, demand in demands.items()}
    return StationUse(utilisation=shares, bottleneck=busiest_station(shares, otherwise=otherwise))
