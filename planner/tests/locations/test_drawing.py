import re
from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from planner.locations.converting import OUTLINES, pieces_of, rings_of
from planner.locations.drawing import FLATTEST, WIDTH, dot_radius, frame_around
from planner.locations.projection import MAP_HEIGHT, MAP_WIDTH, projected
from simulation.network_path import Spot

spots = st.builds(Spot, st.floats(-85, 85), st.floats(-180, 180))


def test_the_middle_and_the_edges_of_the_world_lie_where_they_should() -> None:
    assert projected(latitude=0, longitude=0) == (MAP_WIDTH / 2, MAP_HEIGHT / 2)
    assert projected(latitude=0, longitude=180)[0] == MAP_WIDTH
    assert 0 <= projected(latitude=90, longitude=0)[1] < 1
    assert MAP_HEIGHT - 1 < projected(latitude=-90, longitude=0)[1] <= MAP_HEIGHT


@given(shown=st.lists(spots, min_size=1, max_size=6))
def test_everything_lies_inside_the_frame(shown: list[Spot]) -> None:
    frame = frame_around(shown)

    height = float(frame.view_box.split()[-1])
    assert frame.width <= MAP_WIDTH
    assert frame.height <= MAP_HEIGHT
    assert height >= WIDTH / FLATTEST - 1
    for spot in shown:
        at = frame.at(spot)
        assert -1 <= at["x"] <= WIDTH + 1
        assert -1 <= at["y"] <= height + 1


def test_the_area_of_a_dot_grows_with_the_users() -> None:
    assert isclose(dot_radius(100, 100) / dot_radius(25, 100), 2)
    assert dot_radius(1, 10**9) > 0


def test_outlines_are_read_from_arcs_that_are_walked_both_ways() -> None:
    topology = {
        "transform": {"scale": [1, 1], "translate": [-10, -10]},
        "arcs": [[[10, 10], [5, 0]], [[10, 10], [0, 5], [5, -5]]],
        "objects": {"land": {"geometries": [{"type": "Polygon", "arcs": [[0, -2]]}]}},
    }

    assert rings_of(topology) == [[(0, 0), (5, 0), (0, 5), (0, 0)]]


def test_land_across_the_date_line_is_cut_in_two() -> None:
    pieces = pieces_of([(170, 10), (-170, 10), (-170, 20), (170, 20)])

    assert len(pieces) == 2
    assert all(-180 <= longitude <= 180 for piece in pieces for longitude, _ in piece)
    assert {longitude for longitude, _ in pieces[0]} == {-180, -170}
    assert {longitude for longitude, _ in pieces[1]} == {170, 180}


def test_land_around_the_south_pole_reaches_it() -> None:
    pieces = pieces_of([(-180, -70), (-90, -70), (0, -70), (90, -70), (180, -70)])

    assert any((180, -90.0) in piece and (-180, -90.0) in piece for piece in pieces)


def test_the_shipped_outlines_lie_on_the_map() -> None:
    drawn = OUTLINES.read_text()
    points = re.findall(r"(-?[\d.]+) (-?[\d.]+)", drawn.split(' d="')[1])

    assert f'viewBox="0 0 {MAP_WIDTH} {MAP_HEIGHT}"' in drawn
    assert len(points) > 4_000
    assert all(0 <= float(x) <= MAP_WIDTH and 0 <= float(y) <= MAP_HEIGHT for x, y in points)
