"""What an independent simulator tells."""

from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True)
class IndependentOutcome:
    """Requests answered after the warm-up: how many in each second, and how long each took."""

    throughput: float
    latency_seconds: list[float]

    @property
    def mean_latency_seconds(self) -> float:
        return fmean(self.latency_seconds)
