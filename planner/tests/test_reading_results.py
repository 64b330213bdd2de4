import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import InputRefused
from planner.measurements.reading.files import kind_of, read_file
from planner.measurements.reading.numbers import Cell, DecimalSign, number_of, sign_of
from planner.measurements.reading.readings import Reading

DATA = Path(__file__).parent / "data"
SAMPLES = {
    "fio-3.33.json": "fio",
    "fio-2.1.json": "fio",
    "ycsb.txt": "ycsb",
    "cosbench.csv": "cosbench",
    "basho-summary.csv": "basho_bench",
    "basho-get_latencies.csv": "basho_bench",
}


def sample(name: str) -> bytes:
    return (DATA / name).read_bytes()


def refusal_of(data: bytes | str, **options: Any) -> list[tuple[str, str]]:
    with pytest.raises(InputRefused) as refused:
        read_file(data if isinstance(data, bytes) else data.encode(), **options)
    assert {violation.field for violation in refused.value.violations} == {"file"}
    return [(violation.code, violation.words) for violation in refused.value.violations]


def values(readings: tuple[Reading, ...]) -> dict[tuple[str, str], float]:
    return {(reading.label, reading.metric): reading.value for reading in readings}


@pytest.mark.parametrize(("name", "kind"), SAMPLES.items())
def test_the_kind_of_a_file_is_recognised(name, kind):
    assert read_file(sample(name)).kind == kind
    assert kind_of(sample(name).decode()) == kind


def test_each_job_of_fio_is_read_with_its_load():
    read = read_file(sample("fio-3.33.json"))

    written = json.loads(sample("fio-3.33.json"))["jobs"]
    assert [(each.label, each.metric) for each in read.readings] == [
        (name, metric)
        for name in ("sequential-write", "random-read")
        for metric in ("iops", "throughput_mb_s", "mean_ms", "p99_ms")
    ]
    assert read.readings[0].value == written[0]["write"]["iops"]
    assert read.readings[1].value == written[0]["write"]["bw_bytes"] / 1e6
    assert read.readings[2].value == pytest.approx(written[0]["write"]["clat_ns"]["mean"] / 1e6)
    assert read.readings[7].value == written[1]["read"]["clat_ns"]["percentile"]["99.000000"] / 1e6
    assert read.readings[0].conditions == {
        "access": "sequential", "block_kib": 1024.0, "queue_depth": 32, "operation": "write"
    }  # fmt: skip
    assert read.readings[4].conditions == {
        "access": "random", "block_kib": 8.0, "queue_depth": 128, "operation": "read"
    }  # fmt: skip


def test_a_mixed_job_of_an_old_fio_counts_both_directions_and_reads_microseconds():
    read = read_file(sample("fio-2.1.json"))

    assert values(read.readings) == {
        ("mixed", "iops"): 1000.0,
        ("mixed", "throughput_mb_s"): 8.192,
        ("mixed", "mean_ms"): pytest.approx((750 * 64 + 250 * 16) / 1000),
    }
    assert read.readings[0].conditions == {
        "access": "random", "block_kib": 8.0, "queue_depth": 64, "operation": "mixed", "read_fraction": 0.75
    }  # fmt: skip


def test_jobs_that_ran_at_the_same_time_are_one_load():
    document = json.loads(sample("fio-2.1.json"))
    document["jobs"] = [document["jobs"][0], {**document["jobs"][0], "jobname": "other"}]

    read = read_file(json.dumps(document).encode())

    assert read.readings[0].label == "mixed + other"
    assert (read.readings[0].value, read.readings[0].conditions["queue_depth"]) == (2000.0, 128)


def test_a_waiting_engine_keeps_one_io_outstanding_for_each_clone():
    document = json.loads(sample("fio-2.1.json"))
    document["jobs"][0]["job options"] |= {"ioengine": "psync", "numjobs": "4"}

    assert read_file(json.dumps(document).encode()).readings[0].conditions["queue_depth"] == 4


def test_warnings_before_the_json_of_fio_are_passed_over_and_said():
    read = read_file(b"fio: this platform has no such option\n" + sample("fio-2.1.json"))

    assert len(read.readings) == 3
    assert read.notes == ("1 lines before the JSON were passed over.",)


def test_what_ycsb_prints_is_read_in_milliseconds():
    read = read_file(sample("ycsb.txt"))

    assert values(read.readings) == {
        ("whole run", "throughput_ops"): 3500.25,
        ("read", "mean_ms"): 0.4175,
        ("read", "p95_ms"): 1.2,
        ("read", "p99_ms"): 1.826,
        ("update", "mean_ms"): 0.83025,
        ("update", "p95_ms"): 2.4,
        ("update", "p99_ms"): 4.1,
    }
    assert read.readings[0].conditions == {"clients": 64}


def test_cosbench_is_read_in_mb_a_second():
    read = read_file(sample("cosbench.csv"))

    assert values(read.readings) == {
        ("s3-main read", "throughput_mb_s"): 175.25,
        ("s3-main read", "throughput_ops"): 175.25,
        ("s3-main read", "mean_ms"): 45.5,
        ("s3-main read", "p95_ms"): 80.0,
        ("s3-main read", "p99_ms"): 120.0,
        ("s3-main write", "throughput_mb_s"): 52.5,
        ("s3-main write", "throughput_ops"): 52.5,
        ("s3-main write", "mean_ms"): 120.75,
        ("s3-main write", "p95_ms"): 210.5,
        ("s3-main write", "p99_ms"): 400.0,
    }
    assert read.readings[0].conditions == {"operation": "read"}


def test_basho_bench_is_read_without_its_first_window():
    summary = read_file(sample("basho-summary.csv"))
    latencies = read_file(sample("basho-get_latencies.csv"))

    assert values(summary.readings) == {("whole run", "throughput_ops"): 4200.0}
    assert summary.notes == ("The first window, in which the run warms up, is left out.",)
    assert values(latencies.readings) == {
        ("mean of the windows", "mean_ms"): 1.5,
        ("mean of the windows", "p95_ms"): 2.5,
        ("mean of the windows", "p99_ms"): 4.5,
    }


def in_a_locale_with_commas(text: str, *, separator: str) -> str:
    """The same table as a spreadsheet with decimal commas saves it."""
    return text.replace(",", separator).replace(".", ",")


@pytest.mark.parametrize("name", ["cosbench.csv", "basho-summary.csv", "basho-get_latencies.csv"])
@pytest.mark.parametrize("separator", [";", "\t"])
def test_tables_with_decimal_commas_say_the_same(name, separator):
    text = in_a_locale_with_commas(sample(name).decode(), separator=separator)

    assert values(read_file(text.encode()).readings) == values(read_file(sample(name)).readings)


def test_what_ycsb_prints_with_decimal_commas_says_the_same():
    text = sample("ycsb.txt").decode().replace(".", ",")

    assert values(read_file(text.encode()).readings) == values(read_file(sample("ycsb.txt")).readings)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_byte_order_marks_and_other_line_ends_change_nothing(name, mark):
    data = mark + sample(name).replace(b"\n", b"\r\n")

    assert read_file(data).readings == read_file(sample(name)).readings


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_cut_off_anywhere_is_refused_or_says_no_other_value(name):
    whole, data = read_file(sample(name)), sample(name)
    lines_before = 0
    for end in range(len(data) * 2 // 3, len(data) - 1):
        try:
            read = read_file(data[:end], kind=whole.kind)
        except InputRefused as refused:
            lines_before += "Line" in refused.violations[0].words
            continue
        if data[end - 1 : end] != b"\n":
            assert read.readings == whole.readings[: len(read.readings)], end

    assert lines_before > 0


@pytest.mark.parametrize(
    ("name", "line"),
    [("fio-2.1.json", 20), ("ycsb.txt", 22), ("cosbench.csv", 4), ("basho-summary.csv", 4)],
)
def test_a_truncated_file_is_refused_with_the_line(name, line):
    lines = sample(name).decode().split("\n")
    cut = "\n".join([*lines[: line - 1], lines[line - 1][:7]])

    (code, words), *others = refusal_of(cut, kind=SAMPLES[name])

    assert code == "file_truncated"
    assert words.startswith(f"Line {line}: ")
    assert others == []


def test_a_truncated_fio_file_names_the_column_too():
    assert refusal_of('{\n  "fio version": "fio-3.33",\n  "jobs": [') == [
        ("file_truncated", "Line 3: Column 12: the JSON cannot be read on (Expecting value). Is the file whole?")
    ]


def test_a_job_that_failed_and_values_that_cannot_be_are_all_named_at_once():
    document = json.loads(sample("fio-2.1.json"))
    job = document["jobs"][0]
    document["jobs"] = [
        {**job, "jobname": "broken", "error": 5},
        {**job, "jobname": "backwards", "read": {**job["read"], "iops": -4}},
        {**job, "jobname": "too fast", "write": {**job["write"], "iops": 1e12}},
        {**job, "jobname": "trimming", "job options": {"rw": "trim"}},
    ]

    refusals = refusal_of(json.dumps(document))

    assert [code for code, _ in refusals] == [
        "job_failed", "number_not_positive", "number_absurd", "pattern_unknown"
    ]  # fmt: skip
    assert [name in words for name, (_, words) in zip(
        ("broken", "backwards", "too fast", "trimming"), refusals, strict=True
    )] == [True] * 4  # fmt: skip


@pytest.mark.parametrize("word", ["NaN", "Infinity"])
def test_json_words_that_are_no_numbers_are_refused(word):
    text = sample("fio-2.1.json").decode().replace("750.00", word)

    assert refusal_of(text) == [("number_unreadable", f"The file has {word}, which is not a number.")]


def test_an_operation_that_never_succeeded_is_refused_with_its_line():
    text = sample("cosbench.csv").decode().replace("175250000.0", "N/A")

    assert refusal_of(text) == [
        ("operation_failed", "Line 3: The reads of this stage never succeeded (bandwidth N/A).")
    ]


def test_a_plain_table_names_configurations_units_and_metrics():
    text = "configuration;value;unit\nsmall;1.234,5;MB/s\nlarge;2,5;GB/s\nm1.large;1;Gbit/s\nslow;12;ms\n"

    read = read_file(text.encode())

    assert [(each.label, each.metric, each.value) for each in read.readings] == [
        ("small", "throughput_mb_s", 1234.5),
        ("large", "throughput_mb_s", 2500.0),
        ("m1.large", "network_mb_s", 125.0),
        ("slow", "mean_ms", 12.0),
    ]


def test_a_plain_table_needs_no_names_above_and_no_unit():
    read = read_file(b"1 node,1250\n2 nodes,2600\n")

    assert values(read.readings) == {("1 node", "value"): 1250.0, ("2 nodes", "value"): 2600.0}


def test_every_wrong_line_of_a_plain_table_is_named():
    text = "configuration,value,unit\na,-1,MB/s\n,5,MB/s\nb,much,MB/s\nc,5,furlongs\nd,NaN,MB/s\n"

    assert [(code, words.split(":")[0]) for code, words in refusal_of(text)] == [
        ("number_not_positive", "Line 2"),
        ("configuration_missing", "Line 3"),
        ("number_unreadable", "Line 4"),
        ("unit_unknown", "Line 5"),
        ("number_unreadable", "Line 6"),
    ]


def test_a_number_that_reads_both_ways_is_refused_with_both_readings_until_somebody_says():
    text = "configuration;value\na;1.234\nb;5.678\n"

    assert refusal_of(text) == [
        (
            "number_ambiguous",
            "Line 2: “1.234” reads as 1.234 with a decimal point and as 1234 with a comma, and no other number of the "
            "file tells which. Choose the decimal sign.",
        )
    ]
    assert read_file(text.encode(), decimal_sign=DecimalSign.COMMA).readings[0].value == 1234.0
    assert read_file(text.encode(), decimal_sign=DecimalSign.POINT).readings[0].value == 1.234


def test_one_number_that_reads_one_way_only_decides_for_the_file():
    assert read_file(b"configuration;value\na;1.234\nb;5,6\n").readings[0].value == 1234.0
    assert read_file(b"configuration;value\na;1.234\nb;5.6\n").readings[0].value == 1.234


def test_two_decimal_signs_in_a_file_are_refused_with_both_lines():
    assert refusal_of("configuration;value\na;1.5\nb;2,5\n") == [
        (
            "decimal_sign_mixed",
            "Line 3: “2,5” has a decimal comma, “1.5” in line 2 a decimal point. Write all numbers of the file alike.",
        )
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file_empty"),
        (b" \r\n", "file_empty"),
        (b"\x89PNG\x00\x01", "file_not_text"),
        (b"x" * 5_000_001, "file_too_large"),
        (b"a,b,c\n1,2,3\n", "unit_unknown"),
        (b'"a,1\n', "file_truncated"),
        (b"{}", "not_this_kind"),
        (b'{"fio version": "fio-3", "jobs": []}', "nothing_measured"),
        (b"configuration,value\n", "nothing_measured"),
        (b"configuration\nx\n", "column_missing"),
    ],
)
def test_what_is_no_file_of_results_is_refused(data, code):
    assert code in [found for found, _ in refusal_of(data)]


def test_a_file_read_as_the_wrong_kind_is_refused():
    for kind in ("fio", "ycsb", "cosbench", "basho_bench"):
        assert [code for code, _ in refusal_of(b"configuration,value\na,1\n", kind=kind)] == ["not_this_kind"]
    assert [code for code, _ in refusal_of(b"a,1\n", kind="bonnie")] == ["kind_unknown"]


written = st.integers(min_value=0, max_value=10**9)


@given(whole=written, part=st.integers(0, 9999), separator=st.sampled_from(["", ",", " ", "'", "\u202f"]))
def test_a_number_written_with_a_decimal_point_reads_as_itself(whole, part, separator):
    text = f"{whole:,}".replace(",", separator) + f".{part:04d}"

    assert number_of(text, DecimalSign.POINT) == float(f"{whole}.{part:04d}")


@given(whole=written, part=st.integers(0, 9999), separator=st.sampled_from(["", ".", " ", "'"]))
def test_a_number_written_with_a_decimal_comma_reads_as_itself(whole, part, separator):
    text = f"{whole:,}".replace(",", separator) + f",{part:04d}"

    assert number_of(text, DecimalSign.COMMA) == float(f"{whole}.{part:04d}")


@given(st.text(alphabet="0123456789.,- eE+", max_size=12))
def test_a_text_reads_as_a_number_only_where_it_ends_in_a_digit(text):
    for sign in DecimalSign:
        assert number_of(text, sign) is None or text.strip()[-1].isdigit()


@given(st.lists(st.floats(0.001, 1e6), min_size=1, max_size=8), st.sampled_from(list(DecimalSign)))
def test_a_plain_table_round_trips_in_every_locale(numbers, sign):
    texts = [f"{number:,.4f}" for number in numbers]
    if sign is DecimalSign.COMMA:
        texts = [text.translate(str.maketrans(",.", ".,")) for text in texts]
    assume(all(float(text.translate(str.maketrans("", "", ",."))) for text in texts))
    text = "configuration;value\n" + "".join(f"c{index};{each}\n" for index, each in enumerate(texts))

    read = read_file(text.encode())

    assert [each.value for each in read.readings] == [round(number, 4) for number in numbers]


def test_a_file_of_separators_alone_is_refused():
    assert refusal_of(";") == refusal_of(",,\n\n,\n") == [("file_empty", "The file holds separators alone.")]


@given(st.binary(max_size=200) | st.text('\ufeff,;\t"\n\r .1aµ{}[]', max_size=30).map(str.encode))
def test_no_file_whatever_breaks_the_reading(data):
    try:
        read = read_file(data)
    except InputRefused:
        return
    assert read.readings


@given(st.lists(st.floats(0.1, 1e8), min_size=1, max_size=4))
def test_jobs_of_fio_round_trip(rates):
    jobs = [
        {
            "jobname": f"job{index}",
            "groupid": index,
            "error": 0,
            "job options": {"rw": "randwrite", "bs": "16k", "iodepth": "8", "ioengine": "io_uring"},
            "write": {"io_bytes": 1, "bw_bytes": 100, "iops": rate, "clat_ns": {"mean": 1e6}},
        }
        for index, rate in enumerate(rates)
    ]

    read = read_file(json.dumps({"fio version": "fio-3.40", "jobs": jobs}).encode())

    found = [each for each in read.readings if each.metric == "iops"]
    assert [(each.label, each.value) for each in found] == [(f"job{n}", rate) for n, rate in enumerate(rates)]
    assert {each.conditions["queue_depth"] for each in found} == {8}


def test_a_sign_that_was_chosen_is_not_doubted():
    assert sign_of([Cell(1, "1,234")], chosen=DecimalSign.COMMA) is DecimalSign.COMMA
