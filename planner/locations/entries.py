"""The fewest entries of the seller's network without which users would fall outside the limit."""

from collections.abc import Sequence

from planner.locations.covering import Aim, Cover, best_cover
from planner.locations.demand import TO_NETWORK
from planner.locations.ground import Ground, microseconds


def entries_needed(ground: Ground, chosen: Sequence[int]) -> tuple[int, ...]:
    """Return the fewest entries that keep everybody inside the limit who is inside it by all of them.

    Those who are inside it without any are not counted. Of equal ones, those that make the mean round trip shortest.
    """
    reach = ground.reach
    entries = sorted({entry for site in chosen for entry in reach.entries_of(site)})
    saved = [
        place
        for place in range(len(reach.places))
        if ground.is_inside(chosen, place)
        and min(microseconds(reach.direct_ms(place, site)) for site in chosen) > ground.limit
    ]
    if not saved:
        return ()
    cover = Cover.of(
        users=[reach.places[place].users for place in saved],
        delays=[[_delay(ground, chosen, place, entry) for place in saved] for entry in entries],
        costs=[0] * len(entries),
        limit=ground.limit,
    )
    found = best_cover(cover, required=int(cover.users.sum()), aim=Aim.FEWEST)
    return tuple(entries[number] for number in found or ())


def _delay(ground: Ground, chosen: Sequence[int], place: int, entry: int) -> int:
    """Return the time by this entry to the best of the chosen data centres on its network, in microseconds."""
    reach = ground.reach
    if ground.demand.to == TO_NETWORK:
        return microseconds(reach.entry_ms(place, entry))
    network = reach.entries[entry].network
    return min(
        microseconds(reach.by_entry_ms(place, entry, site)) for site in chosen if ground.sites[site].network == network
    )
