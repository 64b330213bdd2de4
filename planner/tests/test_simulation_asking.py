"""Questions of simulations as people type them: units, sweeps, and every problem at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputRefused
from planner.simulations.asking import Question, question_from_words
from planner.simulations.fields import BLOCK_IO, KV_STORE, WORKLOADS, Field
from planner.simulations.quantities import BLOCK, CAPACITY, DURATION, NETWORK, PERCENT, number_words, read_number
from planner.simulations.scenarios import default_scenario, scenario_violations, value_at
from planner.simulations.sweeps import MOST_VALUES, chunks_of, members_for, read_values, values_words
from simulation.figures import shipped_figures
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
COUNT = Field("clients", "Clients", "whole")


def words_of(workload: str, **changes: str) -> dict[str, str]:
    """Return the form of a workload as it begins, with changes; "__" stands for the dot of a path."""
    scenario = default_scenario(WORKLOADS[workload])
    typed = {"workload": workload}
    for field in WORKLOADS[workload].fields:
        value = value_at(scenario, field.path)
        typed[field.path] = "" if value is None else field.words(value)
    return typed | {name.replace("__", "."): text for name, text in changes.items()}


def ask(workload: str, **changes: str) -> Question:
    return question_from_words(words_of(workload, **changes))


def refused(workload: str, **changes: str) -> set[tuple[str, str]]:
    with pytest.raises(InputRefused) as refusal:
        ask(workload, **changes)
    return {(violation.code, violation.field) for violation in refusal.value.violations}


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_form_of_every_workload_begins_with_a_question_that_can_be_asked(workload: str):
    question = ask(workload)

    assert question.scenario == default_scenario(WORKLOADS[workload])
    assert (question.tasks, question.sweep, question.seed) == (1, None, None)


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("8 KiB", BLOCK, 8),
        ("1MiB", BLOCK, 1024),
        ("512 B", BLOCK, 0.5),
        ("4", BLOCK, 4),
        ("0.3 TB", CAPACITY, 300),
        ("1,000 GB", CAPACITY, 1000),
        ("2 h", DURATION, 7200),
        ("90 min", DURATION, 5400),
        ("10 Gb/s", NETWORK, 10),
        ("100 MB/s", NETWORK, 0.8),
        ("70 %", PERCENT, 0.7),
    ],
)
def test_quantities_are_read_as_people_type_them(text, measure, value):
    assert read_number(text, measure) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "eight", "8 parsecs", "-1 GB", "1e400", "nan", "GB"])
def test_what_is_no_quantity_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="Write it like 300 GB"):
        read_number(text, CAPACITY)


@pytest.mark.parametrize(
    ("text", "way_out"),
    [("2,5 TB", "Write 2.5: "), ("0,085", "Write 0.085: "), ("1 5 GB", "Write it like 1,000.5: ")],
)
def test_a_decimal_comma_is_refused_and_not_skipped(text, way_out):
    with pytest.raises(ValueError, match=way_out):
        read_number(text, CAPACITY)


@given(st.integers(min_value=1, max_value=10**9))
def test_a_quantity_in_words_reads_back_as_itself(value):
    assert read_number(number_words(value, CAPACITY), CAPACITY) == value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1, 2, 4…128", [1, 2, 4, 8, 16, 32, 64, 128]),
        ("1, 2, 4, ..., 64", [1, 2, 4, 8, 16, 32, 64]),
        ("2, 4…10", [2, 4, 6, 8, 10]),
        ("1, 2…5", [1, 2, 3, 4, 5]),
        ("5…8", [5, 6, 7, 8]),
        ("1-64 step 21", [1, 22, 43, 64]),
        ("10 to 30 step 10", [10, 20, 30]),
        ("1,000, 2,000", [1000, 2000]),
        ("3,1,2", [3, 1, 2]),
        ("7", [7]),
        ("1, 2, 4…100", [1, 2, 4, 8, 16, 32, 64]),
    ],
)
def test_the_values_of_a_sweep_are_read_as_people_type_them(text, values):
    found = read_values(text, COUNT)

    assert found == values
    assert all(isinstance(value, int) for value in found)


def test_a_sweep_reads_units_and_choices_too():
    memory = Field("ram_gb", "Memory", "number", measure=CAPACITY)
    level = Field("raid", "RAID level", "choice", choices={"raid0": "RAID 0", "raid10": "RAID 10", "none": "No RAID"})

    assert read_values("8 GB, 0.016 TB, 32", memory) == [8, 16, 32]
    assert read_values("raid0, RAID 10, No RAID", level) == ["raid0", "raid10", "none"]


@pytest.mark.parametrize(
    "text",
    ["", " , ", "1, 2, 4, 9…100", "1…5…9", "8-1 step 1", "1-9 step 0", "1.5, 2", "one, two", "1-2000 step 1"],
)
def test_values_that_make_no_sweep_are_refused(text):
    with pytest.raises(ValueError, match=r"Write|whole number|must grow"):
        read_values(text, COUNT)


def test_the_most_values_are_taken():
    assert len(read_values(f"1-{MOST_VALUES} step 1", COUNT)) == MOST_VALUES


def test_many_values_are_told_in_a_few_words():
    assert values_words([1, 2, 4, 8, 16], COUNT) == "1, 2 … 16 (5 values)"


def test_everything_wrong_with_a_question_is_named_at_once():
    assert refused(
        "kv_store",
        nodes="five",
        clients="0",
        replicas="9",
        node__array__raid="raid7",
        node__ram_gb="",
        replications="99",
        seed="abc",
        name="x" * 121,
    ) == {
        ("not_readable", "nodes"),
        ("out_of_range", "clients"),
        ("out_of_range", "replicas"),
        ("not_readable", "node.array.raid"),
        ("missing", "node.ram_gb"),
        ("out_of_range", "replications"),
        ("not_readable", "seed"),
        ("too_long", "name"),
    }


def test_an_unknown_workload_is_refused():
    with pytest.raises(InputRefused) as refusal:
        question_from_words({"workload": "mining"})

    assert [violation.field for violation in refusal.value.violations] == ["workload"]


def test_a_mixed_operation_needs_its_share_of_reading():
    assert refused("block_io", operation="mixed") == {("missing", "read_fraction")}
    assert ask("block_io", operation="mixed", read_fraction="70").scenario["read_fraction"] == pytest.approx(0.7)


def test_a_level_that_cannot_have_so_many_drives_is_refused_beside_the_drives():
    assert refused("block_io", array__drives="3") == {("out_of_range", "array.drives")}


def test_a_store_too_fast_to_be_run_event_by_event_is_refused_before_a_worker_tries():
    assert refused("kv_store", nodes="1000", replicas="1", acks="1", clients="65536", node__network_gbps="100") == {
        ("out_of_range", "clients")
    }


def test_a_sweep_goes_over_one_field():
    question = ask("kv_store", sweep_field="clients", sweep_values="1, 2, 4…128", replications="5")

    assert question.sweep is not None
    assert question.sweep.values == (1, 2, 4, 8, 16, 32, 64, 128)
    assert (question.tasks, question.scenario["clients"], question.hardest["clients"]) == (40, 1, 128)
    assert question.name == "Key-value store: bare metal, 4 × sas 15k, clients 1, 2 … 128 (8 values)"


def test_a_sweep_may_hold_values_that_the_model_refuses_but_not_only_those():
    question = ask("block_io", sweep_field="array.drives", sweep_values="3, 4, 5, 6")

    assert question.tasks == 4
    assert refused("block_io", sweep_field="array.drives", sweep_values="3, 5") == {("out_of_range", "sweep_values")}


def test_a_sweep_does_not_hide_what_else_is_wrong():
    assert refused("block_io", sweep_field="array.drives", sweep_values="2, 4", queue_depth="0", block_kib="") == {
        ("out_of_range", "queue_depth"),
        ("missing", "block_kib"),
    }
    assert refused("block_io", sweep_field="colour", sweep_values="1") == {("field_unknown", "sweep_field")}
    assert refused("block_io", sweep_field="queue_depth", sweep_values="") == {("not_readable", "sweep_values")}


def test_every_published_scenario_can_be_asked_but_those_that_compare_machine_types():
    asked = [entry["scenario"] for entry in shipped_figures() if entry["scenario"]["workload"] in WORKLOADS]
    refusals = [
        {violation.field for violation in scenario_violations(scenario, PARAMETERS)}
        for scenario in asked
        if scenario["workload"] not in ("object_store", "raid")
    ]

    assert len(refusals) > 30
    assert [fields for fields in refusals if fields] == []


def test_a_field_of_no_model_is_named():
    scenario = default_scenario(BLOCK_IO) | {"colour": "red", "array": {**default_scenario(BLOCK_IO)["array"], "n": 1}}

    assert {(each.code, each.field) for each in scenario_violations(scenario, PARAMETERS)} == {
        ("field_unknown", "colour"),
        ("field_unknown", "array.n"),
    }


def test_chunks_share_all_tasks_out_once_and_stay_short():
    chunks = chunks_of(tasks=100, scenario=default_scenario(BLOCK_IO), members=16)

    assert [number for chunk in chunks for number in range(chunk.first, chunk.end)] == list(range(100))
    assert len(chunks) > 1


def test_a_store_s_runs_are_a_turn_each():
    assert len(chunks_of(tasks=200, scenario=default_scenario(KV_STORE), members=0)) == 200


def test_a_deep_queue_is_predicted_under_fewer_members():
    deep = default_scenario(BLOCK_IO) | {"queue_depth": 16384}

    assert members_for(default_scenario(BLOCK_IO)) == 16
    assert members_for(deep) == 1
