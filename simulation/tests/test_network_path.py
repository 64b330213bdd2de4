import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.network_path import (
    EARTH_RADIUS_METRES,
    PathModel,
    Spot,
    by_presence_ms,
    great_circle_metres,
    internet_ms,
    light_floor_ms,
    path_model,
)
from simulation.parameters import load_parameter_set
from simulation.predict import Prediction, predict

MODEL = path_model(load_parameter_set())
spots = st.builds(Spot, st.floats(-90, 90), st.floats(-180, 180))


def test_a_quarter_of_the_equator_is_a_quarter_of_the_circumference():
    metres = great_circle_metres(Spot(0, 0), Spot(0, 90))

    assert metres == pytest.approx(math.pi * EARTH_RADIUS_METRES / 2)


def test_the_date_line_is_no_detour():
    assert great_circle_metres(Spot(0, 179), Spot(0, -179)) == pytest.approx(
        great_circle_metres(Spot(0, 0), Spot(0, 2))
    )


def test_new_york_and_san_francisco_are_as_far_apart_as_the_published_light_path_says():
    """The seller's figure of 13.7 ms one way is light in vacuum over 4,126 km: straight, city to city."""
    metres = great_circle_metres(Spot(40.714, -74.006), Spot(37.775, -122.419))

    assert metres == pytest.approx(4_125_910, rel=0.002)
    assert light_floor_ms(metres) == pytest.approx(27.5, abs=0.1)


def test_the_floor_is_what_the_light_path_predicts():
    floor = predict({"workload": "light_path", "metres": 1_000_000}, "light_round_trip_ms", load_parameter_set())

    assert floor == Prediction(light_floor_ms(1_000_000))


def test_a_request_over_the_internet_takes_the_last_mile_and_the_stretched_way():
    model = PathModel(light_in_fibre=0.5, internet_stretch=2.0, backbone_stretch=1.0, last_mile_ms=7.0)

    assert internet_ms(299_792_458, model) == pytest.approx(7.0 + 8000.0)
    assert internet_ms(0, model) == 7.0


def test_the_backbone_is_faster_than_the_internet_over_the_same_way():
    alone = internet_ms(2_000_000, MODEL)
    with_presence = by_presence_ms(to_presence_metres=100_000, onward_metres=1_900_000, model=MODEL)

    assert with_presence < alone


@given(one=spots, other=spots)
def test_no_request_is_faster_than_light(one: Spot, other: Spot):
    metres = great_circle_metres(one, other)

    assert metres == pytest.approx(great_circle_metres(other, one))
    assert 0 <= metres <= math.pi * EARTH_RADIUS_METRES * (1 + 1e-12)
    assert light_floor_ms(metres) < internet_ms(metres, MODEL)


@given(one=spots, middle=spots, other=spots)
def test_no_way_round_is_shorter(one: Spot, middle: Spot, other: Spot):
    straight = great_circle_metres(one, other)

    assert straight <= great_circle_metres(one, middle) + great_circle_metres(middle, other) + 1e-3
