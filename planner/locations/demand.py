"""What somebody asks of locations, as it was read: who must be served how fast, and what stands in each data centre."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from planner.locations.bundles import Bundle
from planner.locations.covering import Aim
from planner.locations.places import Place
from simulation.network_path import PathModel

TO_SERVERS, TO_NETWORK = "servers", "network"
FROM_SITES, BY_CDN = "sites", "cdn"


@dataclass(frozen=True)
class LocationsDemand:
    """Users who must be inside a limit, there and back. `share` is in per cent of all users, `limit_ms` in ms.

    `to` says whether the limit holds to a server or to the edge of the seller's network. `static_gb` a month may go by
    a CDN at `cdn_price` for each GB: then only the rest of the traffic needs the data centres, inside `rest_limit_ms`.
    """

    places: tuple[Place, ...]
    share: float
    limit_ms: float
    to: str
    aim: Aim
    bundle: Bundle
    servers: int
    model: PathModel
    static_gb: float | None
    static_by: str
    cdn_price: Decimal | None
    rest_limit_ms: float

    @property
    def users(self) -> int:
        return sum(place.users for place in self.places)

    @property
    def goes_by_cdn(self) -> bool:
        return self.static_gb is not None and self.static_by == BY_CDN

    @property
    def site_limit_ms(self) -> float:
        """The limit that the data centres must keep."""
        return max(self.limit_ms, self.rest_limit_ms) if self.goes_by_cdn else self.limit_ms

    @property
    def site_gb(self) -> float:
        """The GB of static traffic a month that leave the data centres."""
        return 0.0 if self.static_gb is None or self.goes_by_cdn else self.static_gb

    def required(self, share: float) -> int:
        """Return how many users are at least this share of all, in per cent."""
        exact = Fraction(str(share)) * self.users / 100
        return -(-exact.numerator // exact.denominator)

    def share_of(self, users: int) -> float:
        """Return so many users as a share of all, in per cent."""
        return 100 * users / self.users
