"""JSON that says it is of fio and holds anything: read or refused, and never what a page or a database cannot take."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputRefused
from planner.measurements.reading.files import read_file
from planner.tests.test_reading_results import refusal_of

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(["\ud800", "a\x00b", "9" * 400, "9" * 5000 + "k"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["iops", "mean"]), inner, max_size=2),
    max_leaves=4,
)
sides = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("io_bytes", "iops", "bw", "bw_bytes", "clat", "clat_ns"), anything)
)
jobs_of_any_kind = st.fixed_dictionaries(
    {},
    optional={
        "jobname": anything,
        "groupid": anything,
        "error": anything,
        "job options": anything | st.dictionaries(st.sampled_from(["rw", "bs", "iodepth", "numjobs"]), anything),
        "read": sides | anything,
        "write": sides | anything,
        "mixed": sides | anything,
    },
)


@given(st.lists(jobs_of_any_kind, max_size=3), anything)
def test_no_json_whatever_breaks_the_reading_of_fio(jobs, options):
    text = json.dumps({"fio version": "fio-3", "global options": options, "jobs": jobs}, allow_nan=False, default=str)

    try:
        told = [each.label for each in read_file(text.encode(), kind="fio").readings if each.value > 0]
    except InputRefused as refusal:
        told = [violation.words for violation in refusal.violations]
    assert told
    assert all(can_be_kept(words) for words in told)


def can_be_kept(text: str) -> bool:
    """Say whether a text can be put on a page and into PostgreSQL."""
    return "\x00" not in text and text.encode(errors="replace").decode() == text


def fio_job(**fields: Any) -> bytes:
    job = {"jobname": "a", "read": {"io_bytes": 1, "iops": 100.0, "bw_bytes": 819200}} | fields
    return json.dumps({"fio version": "fio-3.40", "jobs": [job]}).encode()


@pytest.mark.parametrize("digits", [13, 400, 5000])
def test_a_block_size_of_fio_that_nobody_can_have_asked_for_is_taken_from_what_moved(digits):
    read = read_file(fio_job(**{"job options": {"bs": "9" * digits}}))

    assert [(each.metric, each.value, each.conditions["block_kib"]) for each in read.readings] == [
        ("iops", 100.0, 8.0), ("throughput_mb_s", 0.8192, 8.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "label"),
    [("half \ud800", "half \ufffd"), ("a\x00b\n", "a\ufffdb\ufffd"), ("n" * 300, "n" * 120), ("Größe 5", "Größe 5")],
)
def test_a_job_of_fio_is_named_by_what_a_page_can_show(name, label):
    assert {each.label for each in read_file(fio_job(jobname=name)).readings} == {label}
    assert refusal_of(fio_job(jobname=name, error="\ud801")) == [
        ("job_failed", f"The job “{label}” ended with error \ufffd. Measure again.")
    ]


def test_a_number_of_fio_with_thousands_of_digits_is_refused():
    data = fio_job().replace(b"100.0", b"9" * 5000)

    assert refusal_of(data) == [
        ("number_absurd", "The file has a number of thousands of digits, which nobody measured.")
    ]
