"""Named shapes side by side: the known sums of the study of 2012, and what is wrong with a shape."""

import pytest

from core.errors import InputRefused
from planner.benchmarks import fleet_of_2012
from planner.compare import compare
from planner.demand import comparison_from_words
from planner.tests.factories import make_fleet, make_machine
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
FLEET_2012 = fleet_of_2012(PARAMETERS)
LARGE, QUAD = "8 m1.large + 40 m1.small", "4 cc1.4xlarge + 20 m1.medium"


def compared(*texts, fleet=FLEET_2012, **words):
    return compare(fleet=fleet, demand=comparison_from_words(words), texts=texts, parameters=PARAMETERS)


def problems(*texts):
    with pytest.raises(InputRefused) as refusal:
        compared(*texts)
    assert {violation.field for violation in refusal.value.violations} == {"compare"}
    return [(violation.code, violation.words) for violation in refusal.value.violations]


@pytest.mark.parametrize(
    ("shape", "monthly"),
    [
        ("1 cc1.4xlarge + 5 m1.medium", "1512.00"),
        ("1 cc1.4xlarge + 15 m1.small", "1800.00"),
        ("1 cc1.4xlarge + 60 t1.micro", "1800.00"),
        (LARGE, "4147.20"),
        (QUAD, "6048.00"),
    ],
)
def test_the_known_sums_of_720_hours_come_out(shape, monthly):
    (row,) = compared(shape)["shapes"]

    assert (row["shape"], row["monthly_cost"], row["total_monthly_cost"]) == (shape, monthly, monthly)


def test_both_ways_to_175_mb_s_are_predicted_within_ten_percent():
    rows = compared(LARGE, QUAD, throughput="175MB/s", balancers="2")["shapes"]

    assert [row["monthly_cost"] for row in rows] == ["4147.20", "6048.00"]
    assert [abs(row["mb_s"] - 175) <= 17.5 for row in rows] == [True, True]
    assert [row["meets_demand"] for row in rows] == [True, True]


def test_balancers_are_priced_apart_and_counted_in_the_total():
    (row,) = compared(LARGE, balancers="2")["shapes"]

    assert (row["balancers"], row["balancer"], row["machines"]) == (2, "cc2.8xlarge", 50)
    assert (row["balancer_monthly_cost"], row["total_monthly_cost"]) == ("3456.00", "7603.20")


@pytest.mark.parametrize(("it_cost", "cheapest"), [("80", QUAD), ("78", LARGE)])
def test_it_cost_decides_between_many_small_machines_and_few_large_ones(it_cost, cheapest):
    answer = compared(LARGE, QUAD, throughput="175MB/s", balancers="2", it_cost_per_node=it_cost)

    assert answer["cheapest"] == cheapest


def test_it_cost_in_thousandths_is_rounded_half_up_as_everywhere():
    (row,) = compared("1 m1.large + 5 m1.small", it_cost_per_node="0.0025")["shapes"]

    assert row["it_monthly_cost"] == "0.02"


def test_behind_one_balancer_nothing_passes_140_mb_s():
    shapes = [f"40 {proxy.key_name} + 1600 cc2.8xlarge" for proxy in FLEET_2012.nodes]

    rows = compared(*shapes, balancers="1")["shapes"]

    assert max(row["mb_s"] for row in rows) <= 140.0
    assert "balancers" in {row["limit"] for row in rows}


def test_a_shape_that_misses_the_throughput_says_by_how_much():
    (row,) = compared("1 cc1.4xlarge + 5 m1.medium", throughput="175MB/s")["shapes"]

    assert not row["meets_demand"]
    assert row["shortfall_mb_s"] == pytest.approx(175 - row["mb_s"])


def test_storage_nodes_that_do_not_divide_evenly_are_spread_over_the_proxies():
    even, uneven, more = compared("2 m1.large + 10 m1.small", "2 m1.large + 11 m1.small", "2 m1.large + 12 m1.small")[
        "shapes"
    ]

    assert uneven["mb_s"] == pytest.approx((even["mb_s"] + more["mb_s"]) / 2)
    assert uneven["capacity_gb"] == pytest.approx(11 * 160 / 3)


def test_hours_change_the_price_and_not_the_throughput():
    demand = comparison_from_words({"hours_per_month": "1"})

    assert demand.hours_per_month == 1
    assert compared(LARGE)["shapes"][0]["mb_s"] == compared(LARGE, hours_per_month="1")["shapes"][0]["mb_s"]


def test_everything_that_is_wrong_with_the_shapes_is_named_at_once():
    assert [code for code, _ in problems("8 large", "1 m9.huge + 5 m1.small", "6 m1.large + 5 m1.small", LARGE)] == [
        "shape_not_readable",
        "machine_type_unknown",
        "shape_impossible",
    ]


@pytest.mark.parametrize("text", ["", "m1.large + m1.small", "1 m1.large", "1 m1.large + five m1.small", "1.5 a + 5 b"])
def test_what_is_no_shape_is_answered_with_an_example(text):
    assert problems(text) == [
        ("shape_not_readable", f"“{text}” is not a shape. Write it like 8 m1.large + 40 m1.small.")
    ]


def test_unknown_machine_types_are_named_with_those_that_are_sold():
    fleet = make_fleet([make_machine("a"), make_machine("b")], balancers=[make_machine("cc2.8xlarge")])

    with pytest.raises(InputRefused) as refusal:
        compared("1 c + 5 d", fleet=fleet)

    assert refusal.value.words == "Not sold in here: “c” and “d”. Choose from: a, b."


@pytest.mark.parametrize("text", ["0 m1.large + 5 m1.small", "2 m1.large + 1 m1.small", "1 m1.large + 0 m1.small"])
def test_a_shape_without_a_proxy_or_a_node_for_each_is_impossible(text):
    assert [code for code, _ in problems(text)] == ["shape_impossible"]
