import pytest

from simulation.figures import shipped_figures
from simulation.parameters import load_parameter_set
from simulation.predict import Judgement, NoModel, Prediction, judge, predict
from simulation.scenarios import ScenarioError

PARAMETERS = load_parameter_set()
FIGURES = [entry for entry in shipped_figures() if entry["scenario"]["workload"] == "object_store"]
CLUSTER = {
    "workload": "object_store",
    "operation": "write",
    "replicas": 3,
    "proxy": "m1.large",
    "proxies": 8,
    "storage": "m1.small",
    "storage_per_proxy": 5,
    "load_balancer": {"type": "cc2.8xlarge", "count": 2},
}


def status(entry: dict) -> str:
    return judge(entry, predict(entry["scenario"], entry["metric"], PARAMETERS, entry.get("baseline"))).status


def test_at_least_nine_of_the_eleven_published_figures_hold():
    misses = [entry["id"] for entry in FIGURES if status(entry) != "ok"]

    assert len(FIGURES) == 11
    assert len(misses) <= 2, misses


@pytest.mark.parametrize("figure", ["swift.175.large", "swift.175.quad", "swift.lb1.cap"])
def test_the_published_megabytes_per_second_hold_within_ten_percent(figure):
    entry = next(entry for entry in FIGURES if entry["id"] == figure)

    assert status(entry) == "ok"


def test_behind_one_balancer_nothing_passes_140():
    scenario = {**CLUSTER, "proxy": "cc1.4xlarge", "storage": "m1.medium", "proxies": 50}
    scenario["load_balancer"] = {"type": "cc2.8xlarge", "count": 1}

    assert predict(scenario, "throughput_mb_s", PARAMETERS).value <= 140.0


def test_the_cheapest_pair_is_one_of_the_pairs_compared():
    scenario = {**CLUSTER, "proxy": ["m1.large", "cc1.4xlarge"], "storage": ["m1.small", "m1.medium"]}

    assert predict(scenario, "cheapest_proxy_and_storage", PARAMETERS).value == "m1.large:m1.small"


def test_the_cheapest_pair_of_one_proxy_agrees_with_the_cheapest_storage():
    scenario = {**CLUSTER, "proxy": "cc1.4xlarge", "storage": ["t1.micro", "m1.small", "m1.medium"]}

    storage, _ = predict(scenario, "cheapest_storage_and_nodes", PARAMETERS).value.split(":")

    assert predict(scenario, "cheapest_proxy_and_storage", PARAMETERS).value == f"cc1.4xlarge:{storage}"


def test_a_ratio_compares_the_scenario_with_its_baseline():
    reading = {**CLUSTER, "operation": "read", "load_balancer": None}
    writing = {**CLUSTER, "load_balancer": None}

    ratio = predict(reading, "throughput_ratio", PARAMETERS, writing).value

    read, written = (predict(side, "throughput_mb_s", PARAMETERS).value for side in (reading, writing))
    assert ratio == read / written


@pytest.mark.parametrize("field", ["operation", "replicas", "proxy", "proxies", "storage", "storage_per_proxy"])
def test_a_missing_field_is_named(field):
    scenario = {name: value for name, value in CLUSTER.items() if name != field}

    with pytest.raises(ScenarioError) as refusal:
        predict(scenario, "throughput_mb_s", PARAMETERS)

    assert refusal.value.field == field
    assert str(refusal.value) == f"{field}: is missing"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("operation", "delete"),
        ("replicas", 0),
        ("proxies", "eight"),
        ("proxies", True),
        ("storage", "m9.giant"),
        ("proxy", []),
        ("proxy", ["m1.large", "m1.xlarge"]),
    ],
)
def test_an_impossible_field_is_named(field, value):
    with pytest.raises(ScenarioError) as refusal:
        predict({**CLUSTER, field: value}, "throughput_mb_s", PARAMETERS)

    assert refusal.value.field == field


def test_a_balancer_without_a_count_is_refused_by_the_name_of_the_field():
    with pytest.raises(ScenarioError) as refusal:
        predict({**CLUSTER, "load_balancer": {"type": "cc2.8xlarge"}}, "throughput_mb_s", PARAMETERS)

    assert refusal.value.field == "load_balancer.count"


def test_fewer_than_five_storage_nodes_are_refused():
    with pytest.raises(ScenarioError, match="at least 5 storage nodes"):
        predict({**CLUSTER, "proxies": 1, "storage_per_proxy": 4}, "throughput_mb_s", PARAMETERS)


def test_a_ratio_without_a_baseline_is_refused():
    with pytest.raises(ScenarioError, match="baseline"):
        predict(CLUSTER, "throughput_ratio", PARAMETERS)


def test_a_metric_without_a_model_is_said_to_have_none():
    assert predict(CLUSTER, "latency_ms", PARAMETERS) == NoModel("no model of latency_ms for the workload object_store")


def test_a_workload_without_a_model_is_said_to_have_none():
    assert predict({"workload": "teapot"}, "throughput_mb_s", PARAMETERS) == NoModel("no model of the workload teapot")


@pytest.mark.parametrize(
    ("workload", "metric", "published", "predicted", "judgement"),
    [
        ("object_store", "throughput_mb_s", 100, 109.0, Judgement(error=109.0 / 100 - 1, status="ok")),
        ("object_store", "throughput_mb_s", 100, 111.0, Judgement(error=111.0 / 100 - 1, status="miss")),
        ("object_store", "saturation_storage_nodes", 20, 20, Judgement(error=0.0, status="ok")),
        ("object_store", "saturation_storage_nodes", 20, 15, Judgement(error=-0.25, status="miss")),
        ("object_store", "cheapest_storage_and_nodes", "a:5", "a:5", Judgement(error=None, status="ok")),
        ("object_store", "cheapest_storage_and_nodes", "a:5", "b:5", Judgement(error=None, status="miss")),
        ("kv_store", "throughput_ops", [1750, 2000], 1900.0, Judgement(error=0.0, status="ok")),
        ("kv_store", "throughput_ops", [1750, 2000], 2500.0, Judgement(error=0.25, status="miss")),
        ("kv_store", "get_p99_ms", 10, 14.9, Judgement(error=14.9 / 10 - 1, status="ok")),
        ("kv_store", "get_p99_ms", 10, 6.6, Judgement(error=6.6 / 10 - 1, status="miss")),
        ("kv_store", "get_mean_ms", 4, 5.0, Judgement(error=0.25, status="ok")),
        ("block_io", "iops", 1000, 800.0, Judgement(error=800.0 / 1000 - 1, status="ok")),
        ("build", "minutes", 10, 10.6, Judgement(error=10.6 / 10 - 1, status="miss")),
        ("document_store", "throughput_ratio", {"at_least": 1.001}, 1.2, Judgement(error=None, status="ok")),
        ("document_store", "throughput_ratio", {"at_most": 0.5}, 0.6, Judgement(error=None, status="miss")),
    ],
)
def test_a_prediction_is_judged_by_the_tolerance_of_its_metric(workload, metric, published, predicted, judgement):
    entry = {"scenario": {"workload": workload}, "metric": metric, "published": published}

    assert judge(entry, Prediction(predicted)) == judgement


def test_no_model_is_never_a_pass():
    entry = {"scenario": {"workload": "teapot"}, "metric": "cups", "published": 1}

    assert judge(entry, NoModel("no model of the workload teapot")).status == "no_model"
