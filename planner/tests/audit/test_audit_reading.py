"""Reading time series of I/O: iostat, Cacti, esxtop and plain tables; what is wrong is told with its line."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.audit.reading.files import read_series
from planner.audit.reading.tables import column_of
from planner.audit.series import ALL, DeviceUnclear, series_of, series_text
from planner.tests.audit.factories import START, cacti, esxtop, iostat, read, table

COLUMNS = "time,read IOPS,write IOPS,MB/s,latency ms"
MOVED = (100 * 8 + 50 * 16) * 1024 / 1e6


def refusal(text: str, device: str = "") -> tuple[str, ...]:
    with pytest.raises(ValueError, match=r".") as caught:
        read(text, device)
    return tuple(str(told) for told in caught.value.args)


@pytest.mark.parametrize("style", ["new", "old"])
def test_iostat_is_read_without_its_first_report(style: str) -> None:
    series = read(iostat(31, style=style))

    assert (series.count, series.step_seconds, series.device, series.program) == (30, 300, "sda", "iostat")
    assert series.start == START.replace(minute=5)
    assert set(series.iops) == {150.0}
    assert set(series.reads) == {100.0}
    assert series.mb_s == pytest.approx(np.full(30, MOVED))
    assert series.io_kib == pytest.approx(np.full(30, 1600 / 150))
    assert series.latency_ms == pytest.approx(np.full(30, 5.0))
    assert "first report" in series.notes[0]


@pytest.mark.parametrize(
    "clock", ["%m/%d/%Y %I:%M:%S %p", "%d.%m.%Y %H:%M:%S", "%Y-%m-%dT%H:%M:%S+0100", "%d/%m/%y %H:%M:%S"]
)
def test_times_of_any_locale_read_the_same(clock: str) -> None:
    series = read(iostat(24 * 12 * 2, clock=clock))

    assert (series.start, series.count) == (START.replace(minute=5), 24 * 12 * 2 - 1)


def test_iostat_with_decimal_commas_reads_the_same() -> None:
    head, _, rest = iostat(31).partition("\n\n")
    text = head + "\n\n" + rest.replace(".", ",")

    assert read(text.replace("5,10,0", "5.10.0")).mb_s == pytest.approx(np.full(30, MOVED))


def test_iostat_in_json_reads_as_its_text() -> None:
    disk = {
        "disk_device": "sda",
        "r/s": 100.0,
        "w/s": 50.0,
        "rkB/s": 800.0,
        "wkB/s": 800.0,
        "r_await": 4.0,
        "w_await": 7.0,
    }
    reports = [{"timestamp": f"2026-03-02T{at // 12:02}:{at % 12 * 5:02}:00+0000", "disk": [disk]} for at in range(31)]
    text = json.dumps({"sysstat": {"hosts": [{"nodename": "db1", "statistics": reports}]}}, indent=1)

    series = read(text)

    assert series.iops.tolist() == read(iostat(31)).iops.tolist()
    assert series.latency_ms.tolist() == [5.0] * 30
    assert refusal(text[:2000]) == (
        f"Line {text[:2000].count(chr(10)) + 1}: the JSON ends or breaks here. Send the whole file.",
    )


@pytest.mark.parametrize(
    "text", ['{"sysstat": ' + 200_000 * "[", '{"sysstat": ' + 5_000 * "9" + "}"], ids=["nested", "long number"]
)
def test_json_that_no_iostat_writes_is_refused(text: str) -> None:
    assert refusal(text) == (
        "The JSON is nested deeper, or its numbers are longer, than iostat's. Write the file with: iostat -x -t 300 "
        "-o JSON",
    )


@pytest.mark.parametrize("name", ["sd\x00a", "sd\ud800"])
def test_a_device_whose_name_cannot_be_shown_is_refused(name: str) -> None:
    report = {"timestamp": "2026-01-02T00:00:00", "disk": [{"disk_device": name, "r/s": 1, "w/s": 1}]}
    text = json.dumps({"sysstat": {"hosts": [{"statistics": [report, report]}]}})

    assert refusal(text) == (
        "Report 2: its time or a device has characters that cannot be shown. Write the file with: iostat -x -t 300 "
        "-o JSON",
    )


def test_a_truncated_iostat_is_refused_with_its_line() -> None:
    whole = iostat(31).rstrip("\n")
    line = whole.count("\n") + 1

    assert refusal(whole.rsplit(" ", 3)[0]) == (
        f"Line {line}: 9 of 12 columns: the file is cut off here. Send the whole file.",
    )


def test_an_iostat_that_ends_between_two_devices_is_refused_with_its_line() -> None:
    whole = iostat(31, devices=("sda", "sdb")).rstrip("\n").rsplit("\n", 1)[0]

    assert refusal(whole, "sda") == (
        f"Line {whole.count(chr(10)) + 1}: the last report has 1 of 2 devices: the file is cut off here. "
        "Send the whole file.",
    )


def test_of_several_devices_one_is_chosen_or_all_are_added_up() -> None:
    text = iostat(31, devices=("sda", "sdb"))

    assert read(text, "sdb").iops[0] == 150
    assert read(text, ALL).iops[0] == 300
    assert read(text, ALL).latency_ms[0] == pytest.approx(5)
    with pytest.raises(DeviceUnclear, match="2 devices: sda, sdb"):
        read(text)
    with pytest.raises(DeviceUnclear, match="no device “sdc”"):
        read(text, "sdc")


def test_esxtop_is_read_by_its_counters() -> None:
    series = read(esxtop(40))

    assert (series.count, series.step_seconds, series.device, series.program) == (40, 60, "vmhba0", "esxtop")
    assert (series.iops[0], series.reads[0], series.latency_ms[0]) == (120, 90, 6.25)
    assert series.mb_s[0] == pytest.approx(2 * 1024**2 / 1e6)


def test_a_truncated_esxtop_file_is_refused_with_its_line() -> None:
    assert refusal(esxtop(40).rstrip("\n").rsplit(",", 2)[0]) == (
        "Line 41: 6 of 8 columns: the file is cut off here. Send it whole.",
    )


def test_an_export_of_cacti_is_read_and_its_empty_rows_are_gaps() -> None:
    series = read(cacti(40).replace('"120","80","983040"', '"NaN","NaN","NaN"', 3))

    assert (series.count, series.step_seconds, series.program) == (40, 300, "Cacti")
    assert (series.iops[3], series.reads[3], series.mb_s[3]) == (200, 120, 0.98304)
    assert series.notes == ("3 of 40 intervals were not measured.",)


def test_an_export_of_cacti_with_fewer_rows_than_it_says_is_refused_with_the_line() -> None:
    assert refusal(cacti(40, told=60)) == ("Line 50: 40 of 60 rows: the file is cut off here. Send the whole file.",)


@pytest.mark.parametrize(
    ("heading", "role", "factor"),
    [
        ("rkB/s", "read_bytes", 1000), ("wMiB/s", "written_bytes", 1024**2), ("MB/s", "bytes", 1e6),
        ("Bytes read per second", "read_bytes", 1), ("Throughput (KiB/s)", "bytes", 1024), ("r/s", "reads", 1),
        ("Writes/sec", "writes", 1), ("IOPS", "iops", 1), ("read latency (µs)", "read_ms", 1e-3),
        ("await", "ms", 1), ("Latency [s]", "ms", 1e3), ("MB read/s", "read_bytes", 1e6), ("w_await", "write_ms", 1),
    ],
)  # fmt: skip
def test_headings_say_what_a_column_holds_and_in_which_unit(heading: str, role: str, factor: float) -> None:
    column = column_of(heading)

    assert column is not None
    assert (column.role, column.factor) == (role, factor)


@pytest.mark.parametrize("heading", ["%util", "temperature", "Mbit/s", "queue"])
def test_a_heading_that_says_nothing_known_is_not_read(heading: str) -> None:
    assert column_of(heading) is None


def test_columns_without_a_unit_or_without_ios_are_refused() -> None:
    told = refusal(table(["1,2"] * 30, header="time,queue,throughput"))

    assert [words.partition(".")[0] for words in told] == [
        "Line 1: no column says how many I/Os a second there were",
        "Line 1: no column says how many bytes a second were moved, with a unit",
    ]


def test_everything_wrong_is_told_at_once_with_its_line() -> None:
    rows = ["10,5,1,4"] * 30
    rows[3], rows[7], rows[9] = "ten,5,1,4", "-10,5,1,4", "10,5"
    text = table(rows, header=COLUMNS)

    assert refusal(text) == ("Line 11: 3 of 5 columns.",)
    assert refusal(text.replace("10,5\n", "10,5,1,4\n").replace("2026-03-02 00:00:00", "yesterday")) == (
        "Line 2: “yesterday” is no time. Write it like 2026-11-21 02:05:00.",
        "Line 5: “ten” is no number.",
        "Line 9: “-10” cannot be. Write a number from 0 on.",
    )


def test_time_that_goes_back_is_refused_with_its_line() -> None:
    lines = table(["10,5,1,4"] * 30, header=COLUMNS).split("\n")
    lines[20], lines[21] = lines[21], lines[20]

    assert refusal("\n".join(lines)) == (
        "Line 22: time goes back (2026-03-02 01:35:00). Send the rows in order, one each.",
    )
    assert "stands there twice" in refusal("\n".join([*lines[:20], lines[19], *lines[22:]]))[0]


def test_the_hour_that_comes_twice_in_autumn_is_its_mean() -> None:
    first = table(["10,0,1,4"] * 36, header=COLUMNS).split("\n")
    again = table(["30,0,1,4"] * 24, header=COLUMNS, start=START.replace(hour=2)).split("\n")[1:]

    series = read("\n".join(first + again))

    assert series.count == 48
    assert (series.iops[23], series.iops[24], series.iops[35], series.iops[36]) == (10, 20, 20, 30)
    assert "the clocks went back an hour" in series.notes[0]


def test_gaps_are_kept_open_and_told() -> None:
    lines = table(["10,5,1,4"] * 40, header=COLUMNS).split("\n")

    series = read("\n".join(lines[:10] + lines[14:]))

    assert series.count == 40
    assert np.flatnonzero(~series.is_measured).tolist() == [9, 10, 11, 12]
    assert series.notes == ("4 of 40 intervals were not measured.",)


def test_too_short_too_long_too_empty_and_idle_series_are_refused() -> None:
    assert refusal(table(["1,1,1,1"] * 23, header=COLUMNS))[0].startswith("The file has 23 intervals.")
    far = table(["1,1,1,1"] * 30, header=COLUMNS) + "\n2027-03-02 00:00:00,1,1,1,1"
    assert "105,121 intervals of 300 s" in refusal(far)[0]
    gap = table(["1,1,1,1"] * 30, header=COLUMNS) + "\n2026-03-03 00:00:00,1,1,1,1"
    assert "intervals hold no figures" in refusal(gap)[0]
    assert refusal(table(["0,0,0,0"] * 30, header=COLUMNS))[0].startswith("The series holds no I/O")


def test_a_number_that_reads_two_ways_and_mixed_decimal_signs_are_refused() -> None:
    quoted = table(['"1,5";"2.5"'] * 30, header="time;IOPS;MB/s").replace(',"', ';"')

    assert "decimal comma" in refusal(quoted)[0]


@given(
    st.lists(st.tuples(st.floats(0, 1e5), st.floats(0, 1e5), st.floats(0, 1e4)), min_size=24, max_size=60),
    st.sampled_from([".", ","]),
)
@settings(max_examples=40, deadline=None)
def test_any_figures_are_read_as_they_were_written(rows: list[tuple[float, float, float]], sign: str) -> None:
    values = [";".join(f"{number:.2f}".replace(".", sign) for number in row) for row in rows]
    text = table(values, header="time;r/s;w/s;MB/s").replace(":00,", ":00;")
    written = [[round(number, 2) for number in row] for row in rows]
    if not sum(row[0] + row[1] for row in written) or not sum(row[2] for row in written):
        return

    series = read(text)

    assert series.iops == pytest.approx(np.array([reads + writes for reads, writes, _ in written]))
    assert series.mb_s == pytest.approx(np.array([moved for *_, moved in written]))


def test_what_is_kept_reads_back_as_the_same_series() -> None:
    series = read(cacti(40).replace('"120","80","983040"', '"NaN","NaN","NaN"', 1))
    twice = read(iostat(40, devices=("sda", "sdb")), ALL)

    for each in (series, twice):
        again = series_of(read_series(series_text(each, digest="0" * 64)), "")
        assert (again.program, again.step_seconds, again.start, again.notes) == (
            each.program, each.step_seconds, each.start, each.notes,
        )  # fmt: skip
        assert again.iops == pytest.approx(each.iops, nan_ok=True)
        assert again.mb_s == pytest.approx(each.mb_s, nan_ok=True, rel=1e-5)
