"""The fewest or the cheapest sites that reach enough users: an exact search.

Users, costs (in cents) and delays (in microseconds) are whole numbers, so that every comparison is exact. Ties of the
first aim go to the second: cheapest to the fewest sites, fewest to the cheapest; then to more users reached; then to
the least delay of all users together, each measured to the nearest chosen site; then to what stands first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Chosen = tuple[int, ...]


class Aim(StrEnum):
    """What is to be least; the other one settles ties."""

    FEWEST = "fewest"
    CHEAPEST = "cheapest"


@dataclass(frozen=True)
class Cover:
    """Which site reaches whom: a row for each site, a column for each place with its users."""

    users: Integers
    delays: Integers
    costs: Integers
    limit: int
    """The longest delay that still counts as reached."""

    @classmethod
    def of(cls, *, users: Sequence[int], delays: Sequence[Sequence[int]], costs: Sequence[int], limit: int) -> "Cover":
        table = np.array(delays, dtype=np.int64).reshape(len(costs), len(users))
        return cls(np.array(users, dtype=np.int64), table, np.array(costs, dtype=np.int64), limit)

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Whether a site reaches a place within the limit."""
        found: NDArray[np.bool_] = self.delays <= self.limit
        return found

    def users_of(self, chosen: Sequence[int]) -> int:
        """Return how many users the sites reach together."""
        return int(self.users[self.reached[list(chosen)].any(axis=0)].sum()) if len(chosen) else 0

    def delay_of(self, chosen: Sequence[int]) -> int:
        """Return the delay of all users together, each to the nearest of the sites."""
        return int(self.delays[list(chosen)].min(axis=0) @ self.users)

    def cost_of(self, chosen: Sequence[int]) -> int:
        return int(self.costs[list(chosen)].sum())


def best_cover(cover: Cover, *, required: int, aim: Aim, without: Sequence[int] = ()) -> Chosen | None:
    """Return the best sites that reach at least so many users, in their order; None where all of them do not.

    `without` are sites that may not be chosen.
    """
    search = _Search(cover, _undominated(cover, without), aim=aim, required=max(1, required))
    search.go_on((), search.sites, search.nobody)
    return search.best


def most_users(cover: Cover, *, sites: int) -> int:
    """Return how many users so many sites can reach at most."""
    search = _Widest(cover, _undominated(cover, ()))
    search.go_on(sites, search.sites, np.zeros(len(cover.users), dtype=bool))
    return search.most


def _undominated(cover: Cover, without: Sequence[int]) -> list[int]:
    """Leave out every site beside which another one costs no more and is no slower for anybody."""
    kept: list[int] = []
    order = sorted(
        (site for site in range(len(cover.costs)) if site not in without),
        key=lambda site: (int(cover.costs[site]), int(cover.delays[site] @ cover.users), site),
    )
    for site in order:
        if not any((cover.delays[other] <= cover.delays[site]).all() for other in kept):
            kept.append(site)
    return sorted(kept)


class _Search:
    """Branch and bound: take the site that adds most users, or do without it, and stop where no rest can be better."""

    def __init__(self, cover: Cover, sites: Sequence[int], *, aim: Aim, required: int) -> None:
        self.cover, self.aim, self.required = cover, aim, required
        self.sites = np.array(sites, dtype=np.int64)
        self.reached = cover.reached
        self.nobody = np.zeros(len(cover.users), dtype=bool)
        self.slowest = cover.delays.max(axis=0, initial=0)
        self.best: Chosen | None = None
        self.best_rank: tuple[int, int, int, int, Chosen] | None = None

    def go_on(self, chosen: Chosen, rest: Integers, served: NDArray[np.bool_]) -> None:
        missing = self.required - int(self.cover.users[served].sum())
        if missing <= 0:
            self._settle(chosen)
            return
        gains = (self.reached[rest] & ~served) @ self.cover.users
        rest, gains = rest[gains > 0], gains[gains > 0]
        if not self._may_win(chosen, rest, gains, missing):
            return
        best = int(np.argmax(gains))
        site = int(rest[best])
        others = np.delete(rest, best)
        self.go_on((*chosen, site), others, served | self.reached[site])
        self.go_on(chosen, others, served)

    def _settle(self, chosen: Chosen) -> None:
        rank = self._rank(tuple(sorted(chosen)))
        if self.best_rank is None or rank < self.best_rank:
            self.best, self.best_rank = rank[-1], rank

    def _rank(self, chosen: Chosen) -> tuple[int, int, int, int, Chosen]:
        aims = self._aims(len(chosen), self.cover.cost_of(chosen))
        return (*aims, -self.cover.users_of(chosen), self.cover.delay_of(chosen), chosen)

    def _aims(self, count: int, cost: int) -> tuple[int, int]:
        return (count, cost) if self.aim is Aim.FEWEST else (cost, count)

    def _may_win(self, chosen: Chosen, rest: Integers, gains: Integers, missing: int) -> bool:
        """Tell whether some of the rest could reach the missing users and be better than the best so far."""
        if int(gains.sum()) < missing:
            return False
        if self.best_rank is None:
            return True
        most_first = np.sort(gains)[::-1].cumsum()
        more = int(np.searchsorted(most_first, missing)) + 1
        costs = self.cover.costs[rest]
        least_cost = max(_least_cost(costs, gains, missing), int(np.sort(costs)[:more].sum()))
        aims = self._aims(len(chosen) + more, self.cover.cost_of(chosen) + least_cost)
        if aims != self.best_rank[:2]:
            return aims < self.best_rank[:2]
        # With the same aims it would have exactly so many more sites.
        most = self.required - missing + int(most_first[more - 1])
        if -most != self.best_rank[2]:
            return -most < self.best_rank[2]
        return self._least_delay(chosen, rest, more) <= self.best_rank[3]

    def _least_delay(self, chosen: Chosen, rest: Integers, more: int) -> int:
        """Return a delay that no choice of so many more sites can get below."""
        now = self.cover.delays[list(chosen)].min(axis=0) if chosen else self.slowest
        savings = np.maximum(now - self.cover.delays[rest], 0) @ self.cover.users
        return int(now @ self.cover.users) - int(np.sort(savings)[::-1][:more].sum())


def _least_cost(costs: Integers, gains: Integers, missing: int) -> int:
    """Return what the missing users cost at least, if parts of sites could be bought, in whole cents."""
    order = np.argsort(costs / gains, kind="stable")
    spent, left = 0, missing
    for site in order:
        gain, cost = int(gains[site]), int(costs[site])
        if gain >= left:
            return spent + cost * left // gain
        spent, left = spent + cost, left - gain
    return spent


class _Widest:
    """Branch and bound for the most users that a number of sites can reach."""

    def __init__(self, cover: Cover, sites: Sequence[int]) -> None:
        self.cover = cover
        self.sites = np.array(sites, dtype=np.int64)
        self.reached = cover.reached
        self.most = 0

    def go_on(self, left: int, rest: Integers, served: NDArray[np.bool_]) -> None:
        now = int(self.cover.users[served].sum())
        self.most = max(self.most, now)
        gains = (self.reached[rest] & ~served) @ self.cover.users
        rest, gains = rest[gains > 0], gains[gains > 0]
        if not left or now + int(np.sort(gains)[::-1][:left].sum()) <= self.most:
            return
        best = int(np.argmax(gains))
        site, others = int(rest[best]), np.delete(rest, best)
        self.go_on(left - 1, others, served | self.reached[site])
        self.go_on(left, others, served)
