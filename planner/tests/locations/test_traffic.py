"""The ways to order a data centre with bandwidth, and sets of data centres weighed with it, in markets by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from planner.advice.answering import advice_answer
from planner.advice.market import Market, Role, Shop
from planner.advice.network_plans import BANDWIDTH
from planner.configurations import UPLINK
from planner.locations.bundles import SERVER
from planner.locations.traffic import MOST_SETS, offer_for, offers_of, set_sizes
from planner.tests.advice.factories import Ware, ask, make_shop
from simulation.parameters import load_parameter_set

SMALL = Ware("500 GB Bandwidth", "0", {"outbound_gb": "500"})
LARGE = Ware("5000 GB Bandwidth", "100", {"outbound_gb": "5000"})
DEAR = Ware("1000 GB Bandwidth", "200", {"outbound_gb": "1000"})
UNLIMITED = Ware("Unlimited Bandwidth", "900")
UNTOLD = Ware("Some bandwidth", "1")


def role_of(bandwidths: Sequence[Ware], uplink: Mapping[str, str]) -> Role:
    wares = {SERVER: [Ware("A server", "50")], UPLINK: [Ware("Public uplink", "0", uplink)], BANDWIDTH: bandwidths}
    shop = make_shop(wares, required=tuple(wares))
    return Role(name="Paris", quantity=2, shop=shop, choices=shop.choices({}), drawn_as="")


def offers(*bandwidths: Ware, **uplink: str) -> list[tuple[float, int]]:
    return [(each.gb, each.cents) for each in offers_of([role_of(bandwidths, uplink)], currency="USD")]


def test_each_offer_costs_more_than_the_one_before_and_sends_more() -> None:
    assert offers(SMALL, DEAR, LARGE, UNLIMITED) == [(500.0, 10_000), (5_000.0, 30_000), (inf, 190_000)]


def test_bandwidth_whose_allowance_is_not_told_is_not_counted_on() -> None:
    assert offers(SMALL, UNTOLD) == [(500.0, 10_000)]
    assert offers(UNTOLD, LARGE) == [(0.0, 10_200), (5_000.0, 30_000)]


def test_no_machine_sends_more_than_its_uplink_passes_in_a_month() -> None:
    assert offers(SMALL, UNLIMITED, uplink_mbps="100") == [(500.0, 10_000), (32_400.0, 190_000)]


def test_the_cheapest_offer_that_holds_enough_is_taken() -> None:
    found = offers_of([role_of([SMALL, LARGE], {})], currency="USD")

    taken = [offer_for(found, gb) for gb in (0, 500, 500.1, 5_000.1)]

    assert [each and each.gb for each in taken] == [500.0, 500.0, 5_000.0, None]


@pytest.mark.parametrize(("sites", "sizes"), [(1, 1), (4, 4), (14, 14), (37, 3), (48, 3), (60, 2), (MOST_SETS + 1, 0)])
def test_as_many_sets_are_weighed_as_are_few_enough(sites: int, sizes: int) -> None:
    assert list(set_sizes(sites)) == list(range(1, sizes + 1))


def answer(*shops: Shop, **words: str) -> dict[str, Any]:
    market = Market(
        "USD", shops, catalog_version="1-test", places={each.location_key: each.location_name for each in shops}
    )
    return advice_answer(asked=ask("locations", **words), market=market, parameters=load_parameter_set())


def shop_in(location_key: str, name: str, *, server: str, bandwidth: str, package: str = "server") -> Shop:
    large = replace(LARGE, fee=bandwidth)
    wares = {SERVER: [Ware("A server", server)], BANDWIDTH: [SMALL, large]}
    shop = make_shop(wares, required=(BANDWIDTH,), key=package)
    return replace(shop, location_key=location_key, location_name=name)


def shown(found: dict[str, Any]) -> list[tuple[str, int]]:
    return [(row["title"], row["cents"]) for row in (found["best"], *found["runners_up"])]


def test_the_cheapest_is_the_cheapest_with_its_bandwidth_and_the_other_is_shown_beside_it() -> None:
    paris = shop_in("par01", "Paris 1", server="50", bandwidth="100")
    frankfurt = shop_in("fra02", "Frankfurt 2", server="60", bandwidth="30")
    words = {"places": "Paris, 10", "aim": "cheapest", "servers": "2"}

    plain, loaded = (answer(paris, frankfurt, **words, static_gb=gb) for gb in ("1 TB", "8 TB"))

    assert shown(plain) == [("Paris 1", 10_000), ("Frankfurt 2", 12_000)]
    assert shown(loaded) == [("Frankfurt 2", 18_000), ("Paris 1", 30_000)]


def test_a_dearer_server_is_taken_where_its_bandwidth_costs_less() -> None:
    dear = shop_in("par01", "Paris 1", server="50", bandwidth="100", package="bare")
    cheap = shop_in("par01", "Paris 1", server="60", bandwidth="30", package="other")

    (role,) = answer(dear, cheap, places="Paris, 10", servers="1", static_gb="4 TB")["best"]["roles"]

    assert (role["package"], role["monthly_cost"]) == ("other", "90.00")


def test_two_data_centres_that_need_less_bandwidth_each_beat_one_that_is_cheaper_alone() -> None:
    """One of them alone needs the large bandwidth; side by side they do with the small one."""
    names = {"ams01": "Amsterdam 1", "dal05": "Dallas 5"}
    shops = [shop_in(key, name, server="50", bandwidth="100") for key, name in names.items()]
    words = {"places": "Amsterdam, 5\nDallas, 5", "limit": "500 ms", "aim": "cheapest", "servers": "1"}

    few, many = (answer(*shops, **words, static_gb=gb) for gb in ("500 GB", "1 TB"))

    assert shown(few)[0] == ("Amsterdam 1", 5_000)
    assert shown(many)[0] == ("Amsterdam 1 and Dallas 5", 10_000)
