"""What validation simulates, what it is held against, and what a cluster that falls short teaches: no database."""

from dataclasses import replace
from decimal import Decimal
from functools import partial

import pytest

from planner.phases.charts import profiling_chart
from planner.phases.networks import cluster_of
from planner.phases.panels import panels_of, validation_words, verdict_words
from planner.phases.profiling import corrections_of, profiles_joined
from planner.phases.stages import next_points
from planner.phases.validation import PARTS, correction_of, validate_part, validated
from planner.planning import corrected
from planner.shapes import groups_of
from planner.tests.factories import make_demand, make_fleet, make_machine
from simulation.kernels.clusters import ClusterRun, simulate_cluster
from simulation.kernels.replications import Interval
from simulation.kernels.scalability import ScalabilityFit, fit_scalability
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
FLEET = make_fleet(
    [
        make_machine("big", fee="900", compute_units=88.0, network_mb_s=800.0),
        make_machine("middle", fee="230"),
        make_machine("small", fee="60", compute_units=1.0, network_mb_s=60.0, local_storage_gb=160.0),
    ]
)
DEMAND = make_demand(throughput="100MB/s", capacity="2TB", balancer="big")
SPARES = {"spare_proxy": True, "spare_node": True, "spare_balancer": True}
ROW = {
    "shape": "5 middle + 25 small", "proxy": "middle", "storage": "small", "nodes_per_proxy": 5, "proxies": 5,
    "balancers": 2, "mb_s": 100.0, "limit": "storage processor",
}  # fmt: skip
PROFILE = {
    "proxy": "middle", "storage": "small", "nodes": 5, "group_mb_s": 22.0, "needed": 5, "counts": [1, 2, 4, 8],
    "mb_s": [[22.0, 22.1], [43.9, 44.1], [88.2, 87.9], [175.8, 176.3]], "law": "line", "rate": 22.0, "contention": 0.0,
    "coherence": 0.0, "peak_count": None, "aicc": {"line": -90.0}, "at": [1, 2, 4, 5, 8],
    "middle": [22.0, 44.0, 88.0, 110.0, 176.0], "low": [21.8, 43.6, 87.2, 109.0, 174.4],
    "high": [22.2, 44.4, 88.8, 111.0, 177.6],
}  # fmt: skip


def simulated_part(demand, *, row=ROW, simulate):
    point = {"phase": "validation", "round": 1, "row": row}
    return validate_part(point=point, fleet=FLEET, demand=demand, parameters=PARAMETERS, seed=7, simulate=simulate)


def by_events(network, seed):
    return simulate_cluster(network, seed=seed)


def a_part(*, row=ROW, number=1, mb_s=(80.0, 80.0), response_ms=400.0):
    values = list(mb_s)
    return {
        "phase": "validation", "round": number, "row": row, "mb_s": values, "response_ms": [response_ms] * len(values),
    }  # fmt: skip


def the_mean(values):
    return Interval(mean=sum(values) / len(values), half_width=0.5)


def outcome_of(demand=DEMAND, **part):
    return validated([a_part(**part)], demand, interval_of=the_mean)


@pytest.mark.parametrize(("spares", "working"), [({}, (5, 25, 2)), (SPARES, (4, 24, 1))])
def test_a_cluster_with_spares_is_simulated_with_one_machine_of_each_kind_out_of_work(spares, working):
    networks = []

    def simulate(network, seed):
        networks.append(network)
        return ClusterRun(mb_s=1.0, response_seconds=1.0)

    simulated_part(replace(DEMAND, **spares), simulate=simulate)

    assert {(network.proxies, network.storage_nodes, network.balancers) for network in networks} == {working}


def test_what_only_the_whole_cluster_passes_does_not_keep_a_promise_with_spares():
    asked = replace(DEMAND, throughput_mb_s=Decimal(110))

    whole, spared = (
        validated([simulated_part(demand, simulate=by_events)], demand, interval_of=the_mean)
        for demand in (asked, replace(asked, spare_proxy=True, spare_node=True))
    )

    assert (whole["verdict"], spared["verdict"]) == ("meets", "falls short")
    assert spared["mean_mb_s"] < asked.needed_mb_s < whole["mean_mb_s"]


def test_never_more_streams_work_at_once_than_the_promised_time_lets_through():
    def streams(milliseconds, *, group_mb_s=20.0):
        network = cluster_of(
            fleet=FLEET, demand=replace(DEMAND, latency_ms=Decimal(milliseconds)), proxy=FLEET.nodes[1],
            storage=FLEET.nodes[2], storage_nodes=10, proxies=2, balancers=1, group_mb_s=group_mb_s,
            parameters=PARAMETERS,
        )  # fmt: skip
        return network.streams

    assert [streams(480), streams(499), streams(500), streams(1)] == [9, 9, 10, 1]
    assert streams(500, group_mb_s=19.999999) == 10


def test_a_response_is_told_from_the_request_to_the_last_byte_with_the_streams_own_time():
    part = simulated_part(DEMAND, simulate=lambda network, seed: ClusterRun(mb_s=1.0, response_seconds=0.25))

    own_ms = 1000 / PARAMETERS.value("object_store.stream_mb_s")
    assert part["response_ms"] == [pytest.approx(250 + own_ms, abs=1e-3)] * 2


@pytest.mark.parametrize(("response_ms", "verdict"), [(500.0, "meets"), (500.1, "falls short")])
def test_a_mean_response_above_the_promise_falls_short_however_much_passes(response_ms, verdict):
    outcome = outcome_of(replace(DEMAND, latency_ms=Decimal(500)), mb_s=[99.0, 99.0], response_ms=response_ms)

    assert (outcome["verdict"], outcome["is_late"]) == (verdict, verdict == "falls short")


def test_the_words_say_that_requests_take_longer_than_promised():
    quick = replace(DEMAND, latency_ms=Decimal(500))
    late, both = outcome_of(quick, mb_s=[99.0], response_ms=612.3), outcome_of(quick, mb_s=[80.0], response_ms=612.3)

    assert verdict_words(late) == "takes 612 ms for 1 MB, longer than the 500 promised"
    assert verdict_words(both) == (
        "falls short of what is needed and takes 612 ms for 1 MB, longer than the 500 promised"
    )
    assert verdict_words(outcome_of(mb_s=[80.0])) == "falls short of what is needed"
    answer = {"best": {"shape": ROW["shape"]}, "phases": {"validation": [late]}}
    words = validation_words(answer)
    assert words is not None
    assert (words["verdict"], words["verdict_words"]) == ("falls short", verdict_words(late))
    (panel,) = panels_of(answer, quick)
    assert panel.heading.endswith(f"it {verdict_words(late)}")


def after_validation(demand, **part):
    results = [
        {"phase": "profiling", **PROFILE},
        {"phase": "optimisation", "round": 1, "best": [], "corrections": [], "considered": 1},
        *[a_part(**part)] * PARTS,
    ]
    return next_points(fleet=FLEET, demand=demand, results=results, interval_of=the_mean, fit=fit_scalability)


def test_a_response_that_is_too_long_lowers_the_prediction_so_that_fewer_streams_work_at_once():
    quick = replace(DEMAND, latency_ms=Decimal(500))

    again = after_validation(quick, row={**ROW, "nodes_per_proxy": 10}, mb_s=[98.0, 98.0], response_ms=510.0)

    assert again[0]["corrections"] == [{"proxy": "middle", "storage": "small", "nodes": 10, "factor": 0.98}]


def test_a_response_that_is_too_long_though_as_much_passes_as_predicted_stands():
    quick = replace(DEMAND, latency_ms=Decimal(10))

    assert correction_of(outcome_of(quick, mb_s=[100.0])) is None
    assert after_validation(quick, row={**ROW, "nodes_per_proxy": 10}, mb_s=[100.0, 100.0]) is None


def test_what_a_lost_spare_takes_away_is_corrected_with_its_group():
    groups = groups_of(fleet=FLEET, demand=replace(DEMAND, spare_proxy=True), parameters=PARAMETERS)
    proxy, storage = (groups.fleet.nodes[int(axis[0])].key_name for axis in (groups.proxy, groups.storage))
    correction = {"proxy": proxy, "storage": storage, "nodes": int(groups.nodes[0]), "factor": 0.5}

    lowered = corrected(groups, [correction])

    assert lowered.lost_mb_s[0] == pytest.approx(groups.lost_mb_s[0] / 2)
    assert lowered.lost_mb_s[1:].tolist() == groups.lost_mb_s[1:].tolist()


def test_only_what_the_upper_end_of_a_profiles_band_does_not_reach_is_corrected_before_the_first_round():
    scattered = {**PROFILE, "group_mb_s": 22.2}
    slower = {**PROFILE, "group_mb_s": 24.0}

    assert corrections_of([scattered]) == []
    assert corrections_of([slower]) == [
        {"proxy": "middle", "storage": "small", "nodes": 5, "factor": pytest.approx(111.0 / 120.0)}
    ]


def test_more_groups_than_were_profiled_are_corrected_by_as_many_as_were():
    (correction,) = corrections_of([{**PROFILE, "group_mb_s": 24.0, "needed": 1000}])

    assert correction["factor"] == pytest.approx(177.6 / (8 * 24.0))


def test_the_first_round_of_the_optimisation_knows_what_the_profile_found():
    slower = {"phase": "profiling", **PROFILE, "group_mb_s": 24.0}

    points = next_points(fleet=FLEET, demand=DEMAND, results=[slower], interval_of=the_mean, fit=fit_scalability)

    assert {point["round"] for point in points} == {1}
    assert all(point["corrections"] == corrections_of([slower]) for point in points)
    assert len(points[0]["corrections"]) == 1


def test_a_validated_point_joins_its_profile_and_the_law_is_fitted_again():
    (joined,) = profiles_joined([PROFILE], [outcome_of()], DEMAND, fit=fit_scalability)

    assert joined["validated"] == [{"round": 1, "count": 5, "mb_s": [80.0, 80.0]}]
    assert (joined["counts"], joined["mb_s"]) == (PROFILE["counts"], PROFILE["mb_s"])
    assert joined["middle"][joined["at"].index(5)] < PROFILE["middle"][PROFILE["at"].index(5)]
    again = profiles_joined([PROFILE], [outcome_of()], DEMAND, fit=fit_scalability)
    assert again == [joined]


@pytest.mark.parametrize(
    ("row", "demand"),
    [
        ({**ROW, "limit": "balancers"}, DEMAND),
        ({**ROW, "nodes_per_proxy": 10}, DEMAND),
        ({**ROW, "storage": "middle"}, DEMAND),
        (ROW, replace(DEMAND, spare_node=True)),
        (ROW, replace(DEMAND, spare_proxy=True)),
    ],
)
def test_what_is_no_whole_number_of_the_profiles_groups_does_not_join_it(row, demand):
    assert profiles_joined([PROFILE], [outcome_of(row=row)], demand, fit=fit_scalability) == [PROFILE]


def fitted_as(middle):
    """Return a fit that always gives this figure."""

    def fit(counts, mb_s, *, at, seed):
        same = tuple(middle for _ in at)
        return ScalabilityFit("line", 20.0, 0.0, 0.0, {"line": 1.0}, same, same, same)

    return fit


@pytest.mark.parametrize(("law_mb_s", "factor"), [(78.0, 0.78), (95.0, 0.8)])
def test_the_next_round_believes_the_refitted_law_or_the_point_whichever_is_lower(law_mb_s, factor):
    profiles = profiles_joined([PROFILE], [outcome_of()], DEMAND, fit=fitted_as(law_mb_s))

    assert correction_of(outcome_of(), profiles) == {
        "proxy": "middle",
        "storage": "small",
        "nodes": 5,
        "factor": pytest.approx(factor),
    }


def test_a_pair_that_was_not_profiled_and_balancers_keep_the_plain_factor():
    other, behind = outcome_of(row={**ROW, "proxy": "big"}), outcome_of(row={**ROW, "limit": "balancers"})
    join = partial(profiles_joined, [PROFILE], demand=DEMAND, fit=fitted_as(1.0))

    assert correction_of(other, join([other]))["factor"] == pytest.approx(0.8)
    assert correction_of(behind, join([behind])) == {"balancers": True, "factor": pytest.approx(0.8)}


def found_with(profile):
    return {"best": None, "balancer": {"mb_s": 400.0}, "phases": {"profiling": [profile]}}


def test_the_chart_and_its_table_show_the_validated_point():
    profiles = profiles_joined([PROFILE], [outcome_of(mb_s=[80.0, 81.0])], DEMAND, fit=fit_scalability)

    chart = profiling_chart(found_with(profiles[0]), DEMAND)

    (marks,) = [trace for trace in chart.figure["data"] if trace.get("name") == "validated"]
    assert (marks["x"], marks["y"]) == ([5, 5], [80.0, 81.0])
    assert chart.rows[-1] == ["middle with 5 × small, validated", "5", "80.0 to 81.0"]


def test_pairs_of_long_names_are_numbered_in_the_chart_and_named_beside_it_and_in_its_table():
    long = "XEON_E3_1270+10gbps+4×600gb-sas15k+raid10"
    found = found_with(profiles_joined([PROFILE], [], DEMAND, fit=fit_scalability)[0])
    (short,) = found["phases"]["profiling"]
    found["phases"]["profiling"] = [{**short, "storage": long}, short]

    chart = profiling_chart(found, DEMAND)

    labels = chart.figure["layout"]["annotations"][:2]
    assert [label["text"] for label in labels] == ["pair 1", "pair 2"]
    assert labels[0]["y"] < labels[1]["y"] < chart.figure["layout"]["yaxis"]["range"][1]
    assert chart.summary.endswith(f" Here pair 1 is middle with 5 × {long}; pair 2 is middle with 5 × small.")
    assert list(dict.fromkeys(row[0] for row in chart.rows)) == [f"middle with 5 × {long}", "middle with 5 × small"]


@pytest.mark.parametrize(
    ("needed", "words"),
    [(5, "past what the demand asks"), (750, "up to 8 groups, though the demand asks for as many as 750")],
)
def test_the_profile_says_how_far_it_goes(needed, words):
    (panel,) = panels_of(found_with({**PROFILE, "needed": needed}), DEMAND)

    assert f"1, 2, 4, 8 … times over, {words}, and a straight line" in panel.words


@pytest.mark.parametrize(("peak", "words"), [(None, "line"), (23.4, "line, the most with 23 groups")])
def test_the_profile_names_the_peak_of_its_law(peak, words):
    (panel,) = panels_of(found_with({**PROFILE, "peak_count": peak}), DEMAND)

    assert panel.rows[0][2] == words


@pytest.mark.parametrize(
    ("not_shown", "words"),
    [
        (0, ""),
        (1, " 1 further pair, of dearer MB/s, is not listed."),
        (3, " 3 further pairs, of dearer MB/s, are not listed."),
    ],
)
def test_the_sampling_says_how_many_pairs_it_does_not_list(not_shown, words):
    samples = {
        "pairs": 9, "unfit": [], "dominated": 1, "kept": [], "beaten": [], "not_shown": not_shown,
        "saturated_below_gain": 0.05,
    }  # fmt: skip

    (panel,) = panels_of({"phases": {"sampling": samples, "profiling": []}}, DEMAND)

    assert panel.words.endswith(f"gains less than 5%.{words}")
