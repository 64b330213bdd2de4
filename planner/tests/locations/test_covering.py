"""The exact search against trying everything, on small random catalogues of sites."""

from collections.abc import Iterator
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.locations.covering import Aim, Chosen, Cover, best_cover, most_users

LIMIT = 40


@st.composite
def covers(draw: st.DrawFn) -> Cover:
    sites, places = draw(st.integers(1, 6)), draw(st.integers(1, 8))
    row = st.lists(st.integers(0, 80), min_size=places, max_size=places)
    return Cover.of(
        users=draw(st.lists(st.integers(1, 9), min_size=places, max_size=places)),
        delays=draw(st.lists(row, min_size=sites, max_size=sites)),
        costs=draw(st.lists(st.sampled_from((0, 3, 5, 5, 7)), min_size=sites, max_size=sites)),
        limit=LIMIT,
    )


def every_choice(cover: Cover) -> Iterator[Chosen]:
    sites = range(len(cover.costs))
    return chain.from_iterable(combinations(sites, count) for count in range(1, len(sites) + 1))


def rank(cover: Cover, chosen: Chosen, aim: Aim) -> tuple[int, ...]:
    aims = (len(chosen), cover.cost_of(chosen))
    return (*(aims if aim is Aim.FEWEST else aims[::-1]), -cover.users_of(chosen), cover.delay_of(chosen))


def agrees(cover: Cover, required: int, aim: Aim) -> None:
    found = best_cover(cover, required=required, aim=aim)

    meeting = [chosen for chosen in every_choice(cover) if cover.users_of(chosen) >= required]
    if not meeting:
        assert found is None
    else:
        assert found is not None
        assert rank(cover, found, aim) == min(rank(cover, chosen, aim) for chosen in meeting)


@given(cover=covers(), share=st.integers(1, 100), aim=st.sampled_from(Aim))
def test_the_best_sites_are_what_trying_everything_finds(cover: Cover, share: int, aim: Aim) -> None:
    agrees(cover, max(1, int(cover.users.sum()) * share // 100), aim)


@pytest.mark.parametrize("aim", Aim)
def test_fifty_random_catalogues_agree_with_trying_everything(aim: Aim) -> None:
    for seed in range(50):
        random = Random(seed)
        sites, places = random.randint(4, 8), random.randint(5, 12)
        cover = Cover.of(
            users=[random.randint(1, 1_000) for _ in range(places)],
            delays=[[random.randint(5, 90) for _ in range(places)] for _ in range(sites)],
            costs=[random.choice((31_900, 31_900, 40_000, random.randint(20_000, 60_000))) for _ in range(sites)],
            limit=LIMIT,
        )
        agrees(cover, int(cover.users.sum()) * random.choice((50, 80, 95, 100)) // 100, aim)


@given(cover=covers(), sites=st.integers(0, 6))
def test_the_most_users_are_what_trying_everything_finds(cover: Cover, sites: int) -> None:
    most = max((cover.users_of(chosen) for chosen in every_choice(cover) if len(chosen) <= sites), default=0)

    assert most_users(cover, sites=sites) == most


@given(cover=covers(), without=st.integers(0, 5))
def test_a_site_that_may_not_be_chosen_is_not(cover: Cover, without: int) -> None:
    found = best_cover(cover, required=1, aim=Aim.CHEAPEST, without=(without,))

    assert without not in (found or ())


def test_fewest_and_cheapest_may_differ() -> None:
    """One dear site reaches both places; two cheap ones do so for less."""
    cover = Cover.of(users=[10, 10], delays=[[10, 10], [10, 90], [90, 10]], costs=[100, 30, 40], limit=LIMIT)

    assert best_cover(cover, required=20, aim=Aim.FEWEST) == (0,)
    assert best_cover(cover, required=20, aim=Aim.CHEAPEST) == (1, 2)


def test_ties_go_to_more_users_then_to_the_shorter_way_then_to_what_stands_first() -> None:
    users = [10, 5, 1]
    delays = [[10, 90, 90], [10, 10, 90], [10, 10, 80], [10, 10, 80]]
    cover = Cover.of(users=users, delays=delays, costs=[50] * 4, limit=LIMIT)

    assert best_cover(cover, required=10, aim=Aim.FEWEST) == (2,)
