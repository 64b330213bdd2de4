import pytest

from api.tests.factories import work_all
from planner.models import Simulation

pytestmark = pytest.mark.django_db

ARRAY = {"drive_class": "sas_15k", "drive_gb": 300, "drives": 4, "raid": "raid10"}
DRIVES = {
    "workload": "block_io", "array": ARRAY, "mount": "data", "block_kib": 8, "queue_depth": 128,
    "access": "random", "operation": "read",
}  # fmt: skip
STORE = {
    "workload": "kv_store", "engine": "riak-1.3.1", "nodes": 5, "clients": 8, "gets_per_put": 10, "keys": 1_000_000,
    "value_bytes": {"distribution": "exponential", "minimum": 4098, "mean_above_minimum": 50000}, "replicas": 3,
    "acks": 2, "duration_seconds": 30,
    "node": {"platform": "bare_metal", "cores": 12, "ram_gb": 36.0, "array": ARRAY, "network_gbps": 2},
}  # fmt: skip


def violations(answer):
    return {(violation["code"], violation["field"]) for violation in answer.json()["violations"]}


def started(program, **asked):
    answer = program.post("/api/v1/simulations", {"scenario": DRIVES} | asked)
    assert answer.status_code == 202, answer.content
    return answer.json()["href"]


def test_a_simulation_is_accepted_and_run_later(program):
    answer = program.post("/api/v1/simulations", {"scenario": DRIVES, "name": "Four drives"})

    simulation = Simulation.objects.get()
    assert (answer.status_code, answer["Location"]) == (202, f"/api/v1/simulations/{simulation.pk}")
    assert answer.json() == {
        "id": simulation.pk,
        "state": "waiting",
        "progress": {"done": 0, "total": 2, "words": ""},
        "href": f"/api/v1/simulations/{simulation.pk}",
    }
    assert simulation.name == "Four drives"


def test_a_simulation_has_no_result_until_it_is_done(program):
    href = started(program)

    waiting = program.get(href).json()
    work_all()
    done = program.get(href).json()

    assert (waiting["state"], waiting["result"], waiting["failure"]) == ("waiting", None, None)
    assert (done["state"], done["scenario"], done["sweep"]) == ("done", DRIVES, None)
    figure = done["result"]["points"][0]["figures"]["iops"]
    assert figure["low"] < figure["value"] < figure["high"]


def test_a_sweep_may_be_a_list_or_the_words_of_one(program):
    listed = started(program, sweep={"field": "array.drives", "values": [2, 4, 8]})
    worded = started(program, sweep={"field": "array.drives", "values": "2, 4, 8"})
    work_all()

    first, second = program.get(listed).json(), program.get(worded).json()
    assert [point["value"] for point in first["result"]["points"]] == [2, 4, 8]
    assert first["result"] == second["result"]


def test_a_store_s_percentiles_windows_and_intervals_are_as_described(program):
    href = started(program, scenario=STORE, replications=2, bands=False, seed=7)
    work_all()

    shown = program.get(href).json()
    point = shown["result"]["points"][0]
    assert (shown["seed"], shown["replications"]) == (7, 2)
    assert point["figures"]["throughput_ops"]["interval"] > 0
    assert point["latency_ms"]["get"]["p99"] > point["latency_ms"]["get"]["p50"]
    assert point["windows"]["throughput"]


def test_everything_wrong_with_a_simulation_is_named_at_once(program):
    scenario = {**DRIVES, "array": {**ARRAY, "drives": 3}, "queue_depth": 0, "block_kib": None, "colour": "red"}

    answer = program.post(
        "/api/v1/simulations",
        {
            "scenario": scenario,
            "sweep": {"field": "moon", "values": [1]},
            "replications": 99,
            "bands": "perhaps",
            "x": 1,
        },
    )

    assert answer.status_code == 422
    assert {field for _, field in violations(answer)} == {
        "array.drives", "queue_depth", "block_kib", "colour", "sweep.field", "replications", "bands", "x",
    }  # fmt: skip
    assert not Simulation.objects.exists()


@pytest.mark.parametrize(
    ("scenario", "field"),
    [
        ({}, "workload"),
        ({"workload": "mining"}, "workload"),
        ({"workload": ["block_io"]}, "workload"),
        ({**DRIVES, "array": []}, "array"),
        ({**DRIVES, "array": None}, "array"),
        ({**DRIVES, "queue_depth": 10**400}, "queue_depth"),
        ({**DRIVES, "block_kib": 10**400}, "block_kib"),
        ({**STORE, "keys": 10**400}, "keys"),
        ({**STORE, "clients": True}, "clients"),
        ({**STORE, "value_bytes": 5}, "value_bytes"),
        ({**DRIVES, "operation": "\udcff"}, "operation"),
        ({**DRIVES, "array": {"a": {"b": {"c": {"d": {}}}}}}, "scenario"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_impossible_scenario_names_its_field(program, scenario, field):
    answer = program.post("/api/v1/simulations", {"scenario": scenario})

    assert answer.status_code == 422
    assert field in {named for _, named in violations(answer)}
    assert not Simulation.objects.exists()


@pytest.mark.parametrize(
    "values", [[], [2.5], [True], ["two"], "two", {"from": 1}, [10**400], list(range(1001))], ids=lambda v: str(v)[:12]
)
def test_values_that_make_no_sweep_are_refused(program, values):
    answer = program.post(
        "/api/v1/simulations", {"scenario": DRIVES, "sweep": {"field": "array.drives", "values": values}}
    )

    assert answer.status_code == 422
    assert any(field.startswith("sweep") for _, field in violations(answer))
    assert not Simulation.objects.exists()


def test_a_repeated_call_with_its_key_starts_one_simulation(program):
    first = program.post("/api/v1/simulations", {"scenario": DRIVES}, idempotency_key="night-1")
    second = program.post("/api/v1/simulations", {"scenario": DRIVES}, idempotency_key="night-1")

    assert first.json() == second.json()
    assert Simulation.objects.count() == 1


def test_a_cancelled_simulation_stops_and_can_be_taken_up_again(program):
    href = started(program)

    assert program.post(f"{href}/cancel").json()["state"] == "cancelled"
    again = program.post(f"{href}/cancel")
    assert (again.status_code, again.json()["code"]) == (409, "run_move_refused")
    assert program.post(f"{href}/retry").json()["state"] == "waiting"
    work_all()
    assert program.get(href).json()["state"] == "done"


def test_simulations_are_listed_latest_first(program):
    first, second = started(program), started(program, name="Again")

    page = program.get("/api/v1/simulations").json()

    assert [line["href"] for line in page["results"]] == [second, first]
    assert (page["results"][0]["name"], page["results"][1]["name"]) == ("Again", "Drives: 4 × sas 15k")


def test_another_account_s_simulation_is_not_there(program, stranger):
    href = started(program)

    assert stranger.get(href).status_code == 404
    assert stranger.post(f"{href}/cancel").status_code == 404
    assert stranger.get("/api/v1/simulations").json()["count"] == 0
    assert Simulation.objects.get().run.state == "waiting"
