"""`manage.py plan` and `manage.py bench`, as people and programs call them."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from planner.benchmarks import DEMAND, SHAPES, fleet_of_2012
from planner.front import columns_of, every_shape
from planner.goals import best_of_groups
from planner.management import planner_bench
from planner.shapes import groups_of
from simulation.parameters import load_parameter_set

LARGE, QUAD = "8 m1.large + 40 m1.small", "4 cc1.4xlarge + 20 m1.medium"
ROW_KEYS = {
    "shape", "proxy", "storage", "nodes_per_proxy", "proxies", "storage_nodes", "balancers", "machines", "mb_s",
    "shortfall_mb_s", "capacity_gb", "monthly_cost", "balancer_monthly_cost", "it_monthly_cost", "total_monthly_cost",
    "limit", "is_assumed", "bound_by", "once_cost", "cost", "cost_basis",
}  # fmt: skip
ANSWER_KEYS = {
    "demand", "currency", "location", "catalog_version", "parameter_set", "balancer", "best", "runners_up", "problem",
    "front", "front_size", "cloud", "left_out", "considered", "groups", "slider", "mixed",
}  # fmt: skip


BENCHED = (
    f"per {SHAPES:,}",
    "for each of the three goals",
    "Pareto front",
    "a slider",
    "a slider",
    "an eighth of a plan",
)


def run(*args, **options):
    out = StringIO()
    call_command("plan", *args, stdout=out, **options)
    return out.getvalue()


def answer(*args):
    return json.loads(run(*args, "--json"))


@pytest.mark.parametrize(
    ("args", "goal"),
    [
        (("--capacity", "2TB", "--throughput", "175MB/s", "--minimise", "cost"), "minimise_cost"),
        (("--maximise", "throughput", "--budget", "9000", "--capacity", "2TB"), "maximise_throughput"),
        (("--maximise", "capacity", "--budget", "9000", "--throughput", "100MB/s"), "maximise_capacity"),
    ],
)
def test_each_goal_is_answered_in_json_with_money_as_text(ec2, args, goal):
    found = answer(*args)

    assert set(found) == ANSWER_KEYS
    assert (found["demand"]["goal"], found["problem"], found["currency"]) == (goal, None, "USD")
    assert len(found["runners_up"]) == 10
    for row in [found["best"], *found["runners_up"], *found["front"]]:
        assert set(row) >= ROW_KEYS
        for name in ("monthly_cost", "balancer_monthly_cost", "it_monthly_cost", "total_monthly_cost"):
            assert isinstance(row[name], str)
            assert row[name][-3] == "."
    assert all(row["reason"] for row in found["runners_up"])


def test_the_cheapest_answer_meets_the_demand_and_says_its_shortfall(ec2):
    best = answer("--capacity", "2TB", "--throughput", "175MB/s", "--minimise", "cost")["best"]

    assert best["mb_s"] >= 0.95 * 175
    assert best["shortfall_mb_s"] == pytest.approx(max(0, 175 - best["mb_s"]))
    assert best["capacity_gb"] >= 2000


def test_meets_and_read_share_change_the_question(ec2):
    args = ("--capacity", "2TB", "--throughput", "175MB/s")

    strict = answer(*args, "--meets", "100")["best"]
    reading = answer(*args, "--read-share", "100")["best"]
    writing = answer(*args)["best"]

    assert strict["mb_s"] >= 175
    assert strict["cents"] >= writing["cents"]
    assert reading["cents"] < writing["cents"]


def test_one_shape_is_priced_without_optimising(ec2):
    (row,) = answer("--compare", "1 cc1.4xlarge + 5 m1.medium")["shapes"]

    assert (row["monthly_cost"], row["balancers"], row["total_monthly_cost"]) == ("1512.00", 0, "1512.00")


def test_two_ways_to_175_mb_s_are_compared(ec2):
    args = ("--throughput", "175MB/s", "--balancers", "2", "--compare", LARGE, QUAD)

    found = answer(*args)

    assert [row["monthly_cost"] for row in found["shapes"]] == ["4147.20", "6048.00"]
    assert all(abs(row["mb_s"] - 175) <= 17.5 for row in found["shapes"])
    assert answer(*args, "--it-cost-per-node", "80")["cheapest"] == QUAD
    assert answer(*args, "--it-cost-per-node", "78")["cheapest"] == LARGE


def test_an_impossible_demand_says_which_limit_binds_and_by_how_much(ec2):
    args = ("--maximise", "throughput", "--budget", "900", "--capacity", "2TB")

    found = answer(*args)

    assert found["best"] is None
    assert (found["problem"]["limit"], found["problem"]["short_by"]) == ("budget", "842.40 USD")
    assert run(*args).strip() == found["problem"]["words"]


def test_an_answer_for_people_has_a_line_for_each_shape_and_its_reason(ec2):
    lines = run("--capacity", "2TB", "--throughput", "175MB/s").splitlines()

    found = answer("--capacity", "2TB", "--throughput", "175MB/s")
    assert lines[0].startswith(f"{found['best']['total_monthly_cost']} a month: {found['best']['shape']}")
    assert [line.strip() for line in lines if line.startswith(" ")] == [row["reason"] for row in found["runners_up"]]
    assert lines[-1].endswith("groups were looked at.")


def test_a_comparison_for_people_ends_with_the_cheapest(ec2):
    lines = run("--balancers", "1", "--compare", LARGE, QUAD).splitlines()

    assert ", 1 balancer: " in lines[0]
    assert lines[-1] == f"Cheapest: {LARGE}"


def test_every_wrong_option_is_named_at_once_by_its_own_name(ec2):
    with pytest.raises(CommandError) as refusal:
        run("--capacity", "2", "--read-share", "200", "--meets", "0", "--hours", "900", "--it-cost-per-node", "x")

    assert refusal.value.returncode == 1
    assert [line.split(": ")[0] for line in str(refusal.value).splitlines()] == [
        "--throughput",
        "--capacity",
        "--read-share",
        "--meets",
        "--it-cost-per-node",
        "--hours",
    ]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--compare", "8 large"), "--compare: “8 large” is not a shape."),
        (("--compare", LARGE, "--location", "mars"), "--location: No machine types are sold in “mars”."),
        (("--compare", LARGE, "--balancer", "abacus"), "--balancer: “abacus” is not sold as a balancer in us-east-1."),
    ],
)
def test_what_the_catalogue_does_not_know_is_refused_with_what_it_does(ec2, args, words):
    with pytest.raises(CommandError) as refusal:
        run(*args)

    assert str(refusal.value).startswith(words)


def test_an_empty_catalogue_says_how_to_fill_it(db):
    with pytest.raises(CommandError, match="Load it with catalog_load"):
        run("--compare", LARGE)


def test_the_benchmark_prints_rows_with_value_reference_and_ratio(monkeypatch):
    monkeypatch.setattr(planner_bench, "CEILING_CENTS", 10_000_000)
    monkeypatch.setattr(planner_bench, "fleet_of_2020s", fleet_of_2012)
    out = StringIO()

    call_command("bench", "planner", "--json", stdout=out)

    rows = json.loads(out.getvalue())
    assert {tuple(row) for row in rows} == {("name", "value", "unit", "reference", "ratio")}
    assert [row["unit"] for row in rows] == ["CPU s", *["CPU ms"] * 5]
    assert [row["ratio"] for row in rows] == pytest.approx([row["reference"] / row["value"] for row in rows])
    assert [words in row["name"] for words, row in zip(BENCHED, rows, strict=True)] == [True] * 6


def test_what_is_measured_finds_the_same_best_as_looking_at_every_shape():
    parameters = load_parameter_set()
    groups = groups_of(fleet=fleet_of_2012(parameters), demand=DEMAND, parameters=parameters)
    shapes = every_shape(groups, ceiling_cents=10_000_000)

    cheapest, fastest, _ = planner_bench.best_shapes(columns_of(groups, shapes))

    found = [best_of_groups(replace(groups, demand=demand)) for demand in planner_bench.THREE_GOALS]
    assert found[0].cents[0] == shapes.cents[cheapest]
    assert found[1].mb_s[0] == shapes.mb_s[fastest]


def test_an_unknown_benchmark_is_refused_with_the_known_ones():
    with pytest.raises(CommandError, match=r"choose from '?planner"):
        call_command("bench", "everything")
