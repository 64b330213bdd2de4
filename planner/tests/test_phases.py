"""The phases of a plan one by one, without a database: plain JSON in and out."""

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest

from planner.fleet import Fleet
from planner.phases.networks import cluster_of
from planner.phases.panels import panels_of, validation_words
from planner.phases.profiling import counts_past, profiling_points
from planner.phases.sampling import sample_part, samples_joined
from planner.phases.stages import answer_of, first_points, next_points
from planner.phases.validation import MORE_PARTS, MOST_ROUNDS, PARTS, correction_of, validated, verdict_of
from planner.planning import corrected, plan_now
from planner.shapes import groups_of
from planner.tasks import PHASES
from planner.tests.factories import make_demand, make_fleet, make_groups, make_machine
from simulation.kernels.clusters import simulate_cluster
from simulation.kernels.replications import Interval, interval_of
from simulation.kernels.scalability import fit_scalability
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
DEMAND = make_demand(throughput="175MB/s", capacity="2TB", balancer="big")


@pytest.fixture(scope="module")
def fleet() -> Fleet:
    return make_fleet(
        [
            make_machine("big", fee="900", compute_units=88.0, network_mb_s=800.0),
            make_machine("middle", fee="230"),
            make_machine("small", fee="60", compute_units=1.0, network_mb_s=60.0, local_storage_gb=160.0),
            make_machine("diskless", fee="40", local_storage_gb=0.0),
        ]
    )


def sampled(fleet: Fleet, demand=DEMAND):
    every = range(len(fleet.nodes))
    parts = [
        sample_part(groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS, proxies=[proxy]), proxies=1)
        for proxy in every
    ]
    return samples_joined(parts)


def a_mean(value: float, half_width: float = 0.1):
    return lambda values: Interval(mean=value, half_width=half_width)


def validation_result(row, *, number: int = 1):
    return {"phase": "validation", "round": number, "row": row, "mb_s": [1.0, 2.0], "response_ms": [5.0, 7.0]}


def optimisation_result(fleet, *, number: int = 1, corrections=()):
    answer = plan_now(fleet=fleet, demand=DEMAND, parameters=PARAMETERS)
    best = [answer["best"]] if answer["best"] else []
    return {"phase": "optimisation", "round": number, "best": best, "corrections": list(corrections), "considered": 1}


def test_every_pair_is_sampled_and_what_becomes_of_each_is_told(fleet):
    samples = sampled(fleet)

    assert samples["pairs"] == 16
    assert samples["unfit"] == [{"storage": "diskless", "reason": "no local storage", "pairs": 4}]
    assert len(samples["kept"]) + samples["dominated"] + samples["not_shown"] == 12


def test_a_pair_is_kept_only_where_nothing_has_both_cheaper_mb_s_and_cheaper_gb(fleet):
    samples = sampled(fleet)

    rates = [(row["best_cents"] / row["best_mb_s"], row["best_cents"] / row["best_mgb"]) for row in samples["kept"]]
    assert rates == sorted(rates)
    assert all(dearer[1] < cheaper[1] for cheaper, dearer in pairwise(rates))
    for row in samples["beaten"]:
        rate, per_gb = row["best_cents"] / row["best_mb_s"], row["best_cents"] / row["best_mgb"]
        assert any(other[0] <= rate and other[1] <= per_gb for other in rates)


def test_the_best_n_has_the_least_money_for_each_mb_s_of_its_curve(fleet):
    for row in sampled(fleet)["kept"]:
        curve = [cents / mb_s for cents, mb_s in zip(row["cents"], row["mb_s"], strict=True)]

        assert row["nodes"][int(np.argmin(curve))] == row["best_nodes"]


def test_a_pair_is_saturated_where_the_next_step_gains_less_than_five_per_cent(fleet):
    for row in sampled(fleet)["kept"]:
        gains = [after / before - 1 for before, after in zip(row["mb_s"], row["mb_s"][1:], strict=False)]
        small = [nodes for nodes, gain in zip(row["nodes"], gains, strict=False) if gain < 0.05]

        assert row["saturated_at"] == (small[0] if small else None)


def test_a_fleet_without_disks_is_sampled_and_keeps_nothing():
    samples = sampled(make_fleet([make_machine("big", local_storage_gb=0.0)]))

    assert (samples["pairs"], samples["kept"], samples["dominated"]) == (1, [], 0)


@pytest.mark.parametrize(
    ("needed", "counts"), [(1, [1, 2, 4]), (5, [1, 2, 4, 8]), (8, [1, 2, 4, 8]), (10**6, [1, 2, 4, 8, 16, 32, 64])]
)
def test_counts_double_until_they_reach_what_is_needed(needed, counts):
    assert counts_past(needed) == counts


def test_the_pairs_of_the_cheapest_mb_s_are_profiled_at_their_best_n(fleet):
    samples = sampled(fleet)

    points = profiling_points(samples, DEMAND)

    assert [point["nodes"] for point in points] == [row["best_nodes"] for row in samples["kept"][: len(points)]]
    assert all(point["counts"][-1] * point["group_mb_s"] >= DEMAND.needed_mb_s for point in points)


def a_profile(*, high, needed=4):
    return {
        "phase": "profiling", "proxy": "middle", "storage": "small", "nodes": 5, "group_mb_s": 20.0,
        "needed": needed, "counts": [1, 2, 4], "at": [1, 4], "high": high,
    }  # fmt: skip


def test_phases_follow_one_another(fleet):
    samples = [{"phase": "sampling", **sample_part(
        groups_of(fleet=fleet, demand=DEMAND, parameters=PARAMETERS), proxies=4
    )}]  # fmt: skip
    question = {"fleet": fleet, "demand": DEMAND, "interval_of": interval_of, "fit": fit_scalability}

    profiling = next_points(results=samples, **question)
    optimisation = next_points(results=[*samples, a_profile(high=[1e9, 1e9])], **question)
    validation = next_points(results=[*samples, optimisation_result(fleet)], **question)

    assert {point["phase"] for point in first_points(fleet)} == {"sampling"}
    assert {point["phase"] for point in profiling} == {"profiling"}
    assert {(point["phase"], point["round"]) for point in optimisation} == {("optimisation", 1)}
    assert {(point["phase"], point["round"]) for point in validation} == {("validation", 1)}
    assert len(validation) == PARTS


def test_where_nothing_meets_the_demand_nothing_is_simulated(fleet):
    impossible = {"phase": "optimisation", "round": 1, "best": [], "corrections": []}

    assert next_points(fleet=fleet, demand=DEMAND, results=[impossible], interval_of=interval_of, fit=None) is None


@pytest.mark.parametrize(
    ("mean", "low", "verdict"), [(176, 175, "meets"), (175.5, 174.9, "on the line"), (174.9, 174, "falls short")]
)
def test_the_verdict_is_that_of_the_interval(mean, low, verdict):
    assert verdict_of(mean=mean, low=low, needed=175) == verdict


def after_validation(fleet, *, mean: float, number: int = 1, parts: int = PARTS, corrections=()):
    found = optimisation_result(fleet, number=number, corrections=corrections)
    results = [found, *[validation_result(found["best"][0], number=number)] * parts]
    means = a_mean(mean, half_width=0.5)
    return next_points(fleet=fleet, demand=DEMAND, results=results, interval_of=means, fit=fit_scalability)


def test_what_meets_the_demand_ends_the_plan(fleet):
    assert after_validation(fleet, mean=DEMAND.needed_mb_s + 1) is None


def test_what_is_on_the_line_is_simulated_some_more_once(fleet):
    more = after_validation(fleet, mean=DEMAND.needed_mb_s + 0.1)

    assert [(point["phase"], point["round"]) for point in more] == [("validation", 1)] * MORE_PARTS
    assert after_validation(fleet, mean=DEMAND.needed_mb_s + 0.1, parts=PARTS + MORE_PARTS) is None


def test_what_falls_short_is_optimised_again_with_what_was_learnt(fleet):
    earlier = {"balancers": True, "factor": 0.99}

    again = after_validation(fleet, mean=DEMAND.needed_mb_s - 5, corrections=[earlier])

    best = plan_now(fleet=fleet, demand=DEMAND, parameters=PARAMETERS)["best"]
    assert {(point["phase"], point["round"]) for point in again} == {("optimisation", 2)}
    assert again[0]["corrections"] == [
        earlier,
        {
            "proxy": best["proxy"],
            "storage": best["storage"],
            "nodes": best["nodes_per_proxy"],
            "factor": pytest.approx((DEMAND.needed_mb_s - 5) / best["mb_s"], abs=1e-5),
        },
    ]


def test_after_five_rounds_the_plan_ends_and_says_that_it_falls_short(fleet):
    assert after_validation(fleet, mean=1.0, number=MOST_ROUNDS) is None
    assert after_validation(fleet, mean=1.0, number=MOST_ROUNDS - 1) is not None


def test_a_shape_held_back_by_its_balancers_corrects_the_balancers():
    row = {"limit": "balancers", "mb_s": 200.0, "proxy": "p", "storage": "s", "nodes_per_proxy": 5}

    assert correction_of({"row": row, "mean_mb_s": 150.0}) == {"balancers": True, "factor": 0.75}


def test_without_a_throughput_the_simulation_is_held_against_the_prediction(fleet):
    demand = make_demand(budget="9000", capacity="2TB", balancer="big")
    row = {**optimisation_result(fleet)["best"][0], "mb_s": 200.0}

    outcome = validated([validation_result(row)], demand, interval_of=a_mean(195.0))

    assert (outcome["needed_mb_s"], outcome["verdict"]) == (190.0, "meets")


def run_all(fleet, demand):
    """Do what the workers do, stage after stage."""
    results, points = [], first_points(fleet)
    question = {"fleet": fleet, "demand": demand, "interval_of": interval_of, "fit": fit_scalability}
    while points:
        results += [executed(fleet, demand, point) for point in points]
        points = next_points(results=results, **question)
    return answer_of(results=results, parameters=PARAMETERS, **question)


def executed(fleet, demand, point):
    context = Context({"fleet": fleet.as_json(), "demand": demand.as_json(), "parameter_set": PARAMETERS.name})
    return PHASES[point["phase"]](context, point)


class Context:
    """What a point's function asks of its run."""

    seed = 7

    def __init__(self, parameters):
        self.parameters = parameters

    def say(self, words: str) -> None:
        pass

    def stop_if_cancelled(self) -> None:
        pass


def test_the_whole_answer_is_that_of_the_optimisation_with_its_phases(fleet):
    answer = run_all(fleet, DEMAND)

    taught = answer["phases"]["optimisation"][-1]["corrections"]
    alone = plan_now(fleet=fleet, demand=DEMAND, parameters=PARAMETERS)
    taught_alone = plan_now(fleet=fleet, demand=DEMAND, parameters=PARAMETERS, corrections=taught)
    assert answer["best"] == taught_alone["best"]
    assert answer["best"]["shape"] == alone["best"]["shape"]
    assert [row["shape"] for row in answer["runners_up"]] == [row["shape"] for row in taught_alone["runners_up"]]
    assert answer["phases"]["validation"][-1]["shape"] == answer["best"]["shape"]
    assert answer["phases"]["validation"][-1]["mean_mb_s"] == pytest.approx(answer["best"]["mb_s"], rel=0.03)


def test_every_phase_has_its_panel_with_a_finding(fleet):
    answer = run_all(fleet, DEMAND)

    panels = panels_of(answer, DEMAND)

    assert [(panel.key, panel.stage) for panel in panels] == [
        ("sampling", 0), ("profiling", 1), ("optimisation", 2), ("validation", 3),
    ]  # fmt: skip
    for panel in panels:
        assert all(len(row) == len(panel.columns) for row in panel.rows)
        if panel.chart:
            assert all(len(row) == len(panel.chart.columns) for row in panel.chart.rows if panel.key != "validation")
    words = validation_words(answer)
    assert words is not None
    assert words["verdict"] in ("meets", "on the line")
    assert panels_of({"best": None}, DEMAND) == []


def test_a_group_that_passes_less_than_predicted_is_corrected_in_every_later_round(fleet):
    best = plan_now(fleet=fleet, demand=DEMAND, parameters=PARAMETERS)["best"]
    correction = {key: best[key] for key in ("proxy", "storage")} | {"nodes": best["nodes_per_proxy"], "factor": 0.5}
    point = {"phase": "optimisation", "round": 2, "proxies": [0, 1, 2, 3], "corrections": [correction]}

    found = executed(fleet, DEMAND, point)

    same = [row for row in found["best"] if row["rank"][:3] == best["rank"][:3]]
    assert all(row["proxies"] >= 2 * best["proxies"] - 1 for row in same)
    assert (found["round"], found["corrections"]) == (2, [correction])


def test_corrected_balancers_pass_less():
    groups = make_groups(make_demand(throughput="100MB/s", capacity="1TB"))

    assert corrected(groups, [{"balancers": True, "factor": 0.5}]).balancer_mb_s == groups.balancer_mb_s / 2


def test_a_promise_of_latency_is_simulated_with_fewer_streams(fleet):
    shape = {"proxy": fleet.nodes[1], "storage": fleet.nodes[2], "storage_nodes": 10, "proxies": 2, "balancers": 1}
    plain = cluster_of(fleet=fleet, demand=DEMAND, group_mb_s=20.0, parameters=PARAMETERS, **shape)
    quick = cluster_of(
        fleet=fleet,
        demand=replace(DEMAND, latency_ms=Decimal(500)),
        group_mb_s=20.0,
        parameters=PARAMETERS,
        **shape,
    )

    assert quick.streams == 10 < plain.streams
    assert simulate_cluster(quick, seed=1).response_seconds < simulate_cluster(plain, seed=1).response_seconds
