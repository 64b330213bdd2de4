"""Who is inside the limit, by which way: the model on the ground, with the shipped sites."""

from dataclasses import replace

import pytest

from catalog.models import Location
from planner.locations.bundles import Bundle
from planner.locations.covering import Aim
from planner.locations.demand import BY_CDN, TO_NETWORK, TO_SERVERS, LocationsDemand
from planner.locations.entries import entries_needed
from planner.locations.gazetteer import shipped_gazetteer
from planner.locations.ground import Ground, ground_of
from planner.locations.places import places_of
from planner.locations.sites import POINT_OF_PRESENCE, data_centre, shipped_sites
from simulation.network_path import PathModel

MODEL = PathModel(light_in_fibre=2 / 3, internet_stretch=2.0, backbone_stretch=1.5, last_mile_ms=10.0)


def make_demand(places: str, *, limit_ms: float = 40.0, to: str = TO_SERVERS, share: float = 95.0) -> LocationsDemand:
    return LocationsDemand(
        places=places_of(places, shipped_gazetteer()),
        share=share,
        limit_ms=limit_ms,
        to=to,
        aim=Aim.FEWEST,
        bundle=Bundle("server", "a server"),
        servers=1,
        model=MODEL,
        static_gb=None,
        static_by="sites",
        cdn_price=None,
        rest_limit_ms=100.0,
    )


def make_ground(places: str, *keys: str, to: str = TO_SERVERS) -> Ground:
    sites = [shipped_sites()[key] for key in keys]
    return ground_of(make_demand(places, to=to), sites, [100] * len(sites))


def cities(ground: Ground, entries: tuple[int, ...]) -> list[str]:
    return [ground.reach.entries[entry].city for entry in entries]


def test_a_place_beside_its_data_centre_takes_the_last_mile_alone() -> None:
    ground = make_ground("Dallas, 10", "dal05")

    assert ground.ways[0][0].ms == pytest.approx(10.0)
    assert ground.ways[0][0].entry is None


def test_the_backbone_brings_a_place_inside_the_limit_that_the_internet_would_not() -> None:
    """Miami to Dallas is 1,785 km: 45.7 ms over the internet, 36.8 ms by the point of presence in Miami."""
    ground = make_ground("Miami, 10", "dal05")

    assert ground.reach.direct_ms(0, 0) == pytest.approx(45.7, abs=0.1)
    assert ground.ways[0][0].ms == pytest.approx(36.8, abs=0.1)
    assert ground.is_inside([0], 0)
    assert cities(ground, entries_needed(ground, [0])) == ["Miami, FL, US"]


def test_entries_that_bring_nobody_inside_are_not_needed() -> None:
    ground = make_ground("Houston, 10\nTokyo, 10", "dal05")

    assert entries_needed(ground, [0]) == ()


def test_a_data_centre_of_another_network_has_no_entries_here() -> None:
    ground = make_ground("Miami, 10", "us-east-1")

    assert [ground.reach.entries[entry].key_name for entry in ground.reach.entries_of(0)] == ["us-east-1"]
    assert ground.ways[0][0].ms == pytest.approx(ground.reach.direct_ms(0, 0))


def test_to_the_edge_of_the_network_the_nearest_entry_counts() -> None:
    ground = make_ground("Tokyo, 10\nDallas, 10", "dal05", to=TO_NETWORK)

    assert ground.limited[0][0].ms == pytest.approx(10.0)
    assert ground.ways[0][0].ms > 100
    assert ground.reachable == 20
    assert cities(ground, entries_needed(ground, [0])) == ["Tokyo, JP"]


def test_the_least_limit_is_that_of_the_last_user_who_is_needed() -> None:
    ground = make_ground("Dallas, 90\nHouston, 5\nTokyo, 5", "dal05")

    assert ground.least_limit_ms == pytest.approx(ground.ways[1][0].ms)
    assert [place.name for place in ground.beyond] == ["Tokyo, JP"]


def test_no_way_is_faster_than_light() -> None:
    places = "New York, 1\nLagos, 1\nSydney, 1\nReykjavik, 1\nHonolulu, 1\nMumbai, 1"
    keys = [key for key, site in shipped_sites().items() if site.kind != POINT_OF_PRESENCE]
    ground = make_ground(places, *keys)

    assert all(
        ground.ways[place][site].ms > ground.reach.floor_ms(place, site)
        for place in range(6)
        for site in range(len(keys))
    )


def test_each_place_goes_to_its_nearest_site_and_all_users_are_counted_once() -> None:
    ground = make_ground("Paris, 7\nLondon, 5\nNew York, 3", "lon02", "wdc01")

    assert ground.users_by_site((0, 1)) == {0: 12, 1: 3}


def test_shares_are_counted_exactly() -> None:
    demand = make_demand("Paris, 333\nTokyo, 667")

    assert demand.required(33.3) == 333
    assert demand.required(33.4) == 334
    assert demand.required(100) == 1_000
    assert demand.share_of(333) == 33.3


def test_with_a_cdn_only_the_rest_must_be_near() -> None:
    demand = replace(make_demand("Paris, 1"), static_gb=5.0, static_by=BY_CDN)

    assert demand.site_limit_ms == 100.0
    assert demand.site_gb == 0.0
    assert replace(demand, static_by="sites").site_limit_ms == 40.0
    assert replace(demand, static_by="sites").site_gb == 5.0


@pytest.mark.django_db
def test_it_is_known_where_every_shipped_data_centre_is(ec2: None) -> None:
    unknown = [place.key_name for place in Location.objects.all() if place.key_name not in shipped_sites()]

    assert unknown == []
    assert all(site.basis in ("published", "assumed") and site.source_words for site in shipped_sites().values())


def test_a_data_centre_that_comes_later_stands_in_the_city_of_its_name() -> None:
    later = data_centre("dal99", "Dallas 99")

    assert later is not None
    assert (later.city, later.basis, later.network) == ("Dallas, TX, US", "assumed", "")
    assert data_centre("zzz01", "Nowhere at all 1") is None
    assert data_centre("zzz01", " ") is None
