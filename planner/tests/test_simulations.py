"""Simulations from the question to the result: points, seeds, replications, cancelling, trying again, fair shares."""

from dataclasses import replace
from datetime import timedelta

import pytest

from accounts.models import Account, User
from accounts.tests.factories import make_account, make_member
from core.errors import RuleBroken
from jobs.models import Point, PointResult, Run, RunState
from jobs.points import point_claim, point_complete
from jobs.services import run_cancel, run_retry
from jobs.working import work_once
from planner.models import Simulation
from planner.simulations.asking import Question, Sweep
from planner.simulations.fields import BLOCK_IO, KV_STORE
from planner.simulations.history import comparable_with, simulation_of, simulation_summaries
from planner.simulations.pages import differences, heading, points_table, short_name
from planner.simulations.scenarios import default_scenario, with_value
from planner.simulations.starting import simulation_start
from planner.tests.factories import NOW, work_all
from simulation.parameters import load_parameter_set

pytestmark = pytest.mark.django_db

PARAMETERS = load_parameter_set()
DRIVES = Question(scenario=default_scenario(BLOCK_IO), name="Four drives")
QUICK_STORE = Question(
    scenario=default_scenario(KV_STORE) | {"duration_seconds": 30}, name="Five nodes", with_bands=False
)


def start(account: Account, user: User, question: Question) -> Simulation:
    return simulation_start(account=account, user=user, question=question, now=NOW)


def worked(account: Account, user: User, question: Question) -> Simulation:
    simulation = start(account, user, question)
    work_all()
    return simulation_of(account_id=account.pk, simulation_id=simulation.pk)


def swept(question: Question, field: str, *values: object, replications: int = 1) -> Question:
    scenario = with_value(question.scenario, field, values[0])
    return replace(question, scenario=scenario, sweep=Sweep(field, values), replications=replications)


def test_a_simulation_is_one_row_and_a_run_that_waits_for_a_worker(account, ana):
    simulation = start(account, ana, DRIVES)

    assert Simulation.objects.get() == simulation
    assert (simulation.run.kind, simulation.run.state) == ("simulation", RunState.WAITING)
    assert list(simulation.run.points.values_list("parameters", flat=True)) == [{"first": 0, "end": 1}, {}]
    assert (simulation.workload, simulation.parameter_set) == ("block_io", PARAMETERS.name)


def test_a_single_run_tells_figures_with_bands_and_the_bottleneck(account, ana):
    result = worked(account, ana, DRIVES).run.result

    (point,) = result["points"]
    iops = point["figures"]["iops"]
    assert (result["workload"], result["primary"], result["swept"]) == ("block_io", "iops", None)
    assert iops["low"] < iops["value"] < iops["high"]
    assert point["bottleneck"] == "drives"
    assert [station["name"] for station in point["stations"]] == ["drives", "controller"]
    assert all(0 < station["utilisation"] <= 1 for station in point["stations"])
    assert (point["value"], point["words"], point["problem"], point["windows"]) == (None, "", None, None)
    assert result["metrics"]["iops"] == {"label": "I/Os a second", "unit": "IOPS", "better": "higher"}
    assert set(point["figures"]) == set(result["metrics"])


def test_a_store_s_run_tells_percentiles_and_throughput_over_time(account, ana):
    result = worked(account, ana, QUICK_STORE).run.result

    (point,) = result["points"]
    latencies = point["latency_ms"]["get"]
    assert latencies["p50"] <= latencies["p90"] <= latencies["p95"] <= latencies["p99"] <= latencies["p99.9"]
    assert set(point["latency_ms"]) == {"get", "put"}
    assert point["windows"]["seconds"] == 10
    assert len(point["windows"]["throughput"]) == 2
    assert [station["name"] for station in point["stations"]] == ["processors", "disks", "network"]


def test_a_sweep_keeps_its_order_and_names_what_the_model_refuses(account, ana):
    simulation = worked(account, ana, swept(DRIVES, "array.drives", 8, 2, 3, 4))
    result = simulation.run.result

    assert [point["words"] for point in result["points"]] == ["8 drives", "2 drives", "3 drives", "4 drives"]
    assert [bool(point["problem"]) for point in result["points"]] == [False, False, True, False]
    assert result["points"][2]["problem"]["field"] == "array.drives"
    eight, two, _, four = (point["figures"].get("iops", {}).get("value") for point in result["points"])
    assert two < four < eight
    assert heading(result).startswith("At best ")
    assert heading(result).endswith("IOPS with 8 drives, limited by drives")
    columns, rows = points_table(result)
    assert [row[0] for row in rows] == ["8", "2", "3", "4"]
    assert rows[2][-1] == "not possible: raid10 needs an even number of drives, not 3"
    assert {len(row) for row in rows} == {len(columns)}


def test_a_sweep_is_shared_out_in_several_turns_with_the_same_figures_as_one_by_one(account, ana):
    together = worked(account, ana, swept(DRIVES, "queue_depth", *range(1, 81)))
    alone = [worked(account, ana, swept(DRIVES, "queue_depth", depth)) for depth in (1, 40, 80)]

    assert together.run.points.filter(is_final=False).count() > 2
    points = together.run.result["points"]
    assert [points[0], points[39], points[79]] == [each.run.result["points"][0] for each in alone]


def test_the_same_seed_gives_the_same_bits_and_another_one_others(account, ana):
    question = swept(QUICK_STORE, "clients", 2, 4)
    first, second, other = (
        worked(account, ana, replace(question, seed=seed)).run.result["points"] for seed in (7, 7, 8)
    )

    assert first == second
    assert first[0]["figures"]["throughput_ops"] != other[0]["figures"]["throughput_ops"]


def test_without_a_seed_the_same_question_gets_the_same_random_numbers(account, ana):
    first, second = (worked(account, ana, QUICK_STORE) for _ in range(2))

    assert first.run.seed == second.run.seed
    assert first.run.result == second.run.result


def test_replications_give_means_with_intervals(account, ana):
    result = worked(account, ana, swept(QUICK_STORE, "clients", 2, 8, replications=3)).run.result
    singles = PointResult.objects.order_by("index").values_list("result", flat=True)[:3]

    throughput = result["points"][0]["figures"]["throughput_ops"]
    values = [single["outcomes"][0]["figures"]["throughput_ops"]["value"] for single in singles]
    assert len(set(values)) == 3
    assert throughput["value"] == pytest.approx(sum(values) / 3)
    assert 0 < throughput["interval"] < throughput["value"]
    assert result["replications"] == 3


def test_a_cancelled_simulation_keeps_its_points_and_goes_on_when_tried_again(account, ana):
    simulation = start(account, ana, swept(QUICK_STORE, "clients", 1, 2, 3))
    assert work_once()

    run_cancel(run_id=simulation.run_id, account_id=account.pk, now=NOW)
    assert not work_once()
    run_retry(run_id=simulation.run_id, account_id=account.pk, now=NOW)
    work_all()

    run = Run.objects.get()
    assert (run.state, run.attempt) == (RunState.DONE, 2)
    assert dict(run.points.values_list("index", "token")) == {0: 1, 1: 1, 2: 1, 3: 1}


def test_a_finished_simulation_cannot_be_cancelled(account, ana):
    simulation = worked(account, ana, DRIVES)

    with pytest.raises(RuleBroken) as refusal:
        run_cancel(run_id=simulation.run_id, account_id=account.pk, now=NOW)

    assert refusal.value.code == "run_move_refused"
    assert Run.objects.get().state == RunState.DONE


def test_one_account_s_ten_thousand_points_do_not_starve_another_s_one(account, ana):
    many = swept(QUICK_STORE, "clients", *range(1, 1001), replications=10)
    flood = start(account, ana, many)
    for _ in range(3):
        assert turn() == flood.run_id
    bank = make_account(partner=account.partner, name="Bluewater Bank")

    single = start(bank, make_member(bank, email="ben@north.example"), QUICK_STORE)

    assert Point.objects.filter(run=flood.run_id).count() == 10_001
    assert [turn(), turn()] == [single.run_id, flood.run_id]
    assert single.run.points.get(index=0).state == "done"


def turn() -> int:
    """Do the next point as a worker would, with an empty answer; return whose run it was."""
    now = NOW + timedelta(seconds=Point.objects.filter(state="done").count())
    claim = point_claim(now=now, worker="test:1")
    assert claim is not None
    assert point_complete(claim=claim, result={"outcomes": []}, now=now)
    return claim.run_id


def test_the_history_names_only_the_account_s_own_latest_first(account, ana):
    first, second = start(account, ana, DRIVES), start(account, ana, QUICK_STORE)
    other = make_account(partner=account.partner, name="Bluewater Bank")
    start(other, make_member(other, email="ben@north.example"), DRIVES)

    lines = list(simulation_summaries(account_id=account.pk))

    assert [(line["pk"], line["name"]) for line in lines] == [(second.pk, "Five nodes"), (first.pk, "Four drives")]


def test_only_finished_simulations_of_the_same_workload_can_be_compared(account, ana):
    bare = worked(account, ana, DRIVES)
    other = worked(account, ana, replace(DRIVES, scenario=with_value(DRIVES.scenario, "array.drives", 8)))
    worked(account, ana, QUICK_STORE)
    start(account, ana, DRIVES)

    assert [each.pk for each in comparable_with(bare)] == [other.pk]
    assert differences(bare, other) == [("Number of drives", "4", "8")]


def test_a_short_name_leaves_the_workload_out(account, ana):
    named = start(account, ana, replace(DRIVES, name="Drives: 4 × sas 15k, number of drives 2, 4 … 64"))

    assert short_name(named) == "4 × sas 15k, number of driv…"
