"""Tables of processor scores: one suite, one version, one processor a line, or refused with all that is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.score_tables import ScoreTable, TableRefused, processor_in, read_table, shipped_table, table_text

GOOD = "suite,version,cpu,score\nCPU Mark,2014,Intel Xeon E3-1245 @ 3.30GHz,8058\nCPU Mark,2014,E5649,7192\n"


def problems_of(text: str) -> list[str]:
    with pytest.raises(TableRefused) as refused:
        read_table(text, source="a test")
    return list(refused.value.args)


def test_a_table_is_read_with_each_processor_by_its_name() -> None:
    table = read_table(GOOD, source="a test")

    assert table == ScoreTable("CPU Mark", "2014", {"E3-1245": 8058.0, "E5649": 7192.0}, "a test")


def test_columns_may_stand_in_any_order_with_semicolons_and_thousands() -> None:
    table = read_table("score;cpu;version;suite\r\n7,192;E5649;2014;CPU Mark\r\n", source="a test")

    assert table.scores == {"E5649": 7192.0}


def test_a_remark_before_the_header_is_the_source() -> None:
    assert read_table(f"# Our laboratory, 2026\n{GOOD}", source="a test").source == "Our laboratory, 2026"


def test_mixed_suites_and_versions_are_refused_with_each_line() -> None:
    text = f"{GOOD}CPU Mark,2017,L5640,6451\nOther Mark,2014,X5670,7928\n"

    assert problems_of(text) == [
        "Line 4: the version is “2017”, above it is “2014”. A table holds one suite and version; import the other one "
        "by itself.",
        "Line 5: the suite is “Other Mark”, above it is “CPU Mark”. A table holds one suite and version; import the "
        "other one by itself.",
    ]


def test_everything_that_is_wrong_is_told_at_once() -> None:
    text = (
        "suite,version,cpu,score\n"
        "CPU Mark,,E5649,7192\n"
        "CPU Mark,2014,,1\n"
        "CPU Mark,2014,[Dual CPU] Intel Xeon E5-2620,12000\n"
        "CPU Mark,2014,L5640,0\n"
        "CPU Mark,2014,E5649 @ 2.53GHz,7000\n"
        "CPU Mark,2014,X5670\n"
    )

    problems = problems_of(text)

    assert [problem.partition(":")[0] for problem in problems] == [f"Line {line}" for line in (2, 3, 4, 5, 6, 7)]
    assert "the version is missing" in problems[0]
    assert "the cpu is missing" in problems[1]
    assert "several processors" in problems[2]
    assert "“0” is no number above zero" in problems[3]
    assert "E5649 has a score in line 2 already" in problems[4]
    assert "3 cells, and 4 are needed" in problems[5]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There is nothing in it."),
        ("# only a remark\n", "There is nothing below the remark."),
        ("suite,version,cpu,score\n", "There is no score below the header."),
        ("suite,cpu,score\nA,B,1\n", "Line 1: the columns must be suite, version, cpu, score."),
        ('suite,version,cpu,score\nA,1,"B,2\n', "cannot be read"),
    ],
)
def test_what_is_no_table_is_refused(text: str, words: str) -> None:
    assert words in problems_of(text)[0]


def test_many_mistakes_are_counted() -> None:
    problems = problems_of("suite,version,cpu,score\n" + "".join(f"S,1,CPU {n},none\n" for n in range(50)))

    assert len(problems) == 21
    assert problems[-1] == "And 30 more."


NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=20)


@given(
    suite=NAMES, version=NAMES, source=NAMES, scores=st.lists(st.floats(0.01, 1e6), min_size=1, max_size=5)
)  # fmt: skip
def test_a_table_that_is_written_reads_back_the_same(
    suite: str, version: str, source: str, scores: list[float]
) -> None:
    rounded = {f"Chip {number}": float(f"{score:.6g}") for number, score in enumerate(scores)}
    table = ScoreTable(suite, version, rounded, source.lstrip("#") or "x")

    assert read_table(table_text(table), source="") == table


def test_the_tables_that_come_along_hold_one_version_each() -> None:
    assert shipped_table("2014").scores == {"E3-1270": 8366.0, "E3-1245": 8058.0, "E5649": 7192.0}
    assert shipped_table("2017").scores["L5640"] == 6451.0
    with pytest.raises(KeyError):
        shipped_table("2013")


@pytest.mark.parametrize(
    ("description", "processor"),
    [
        ("Single Intel Xeon E3-1270 (4 Cores, 3.40 GHz)", "E3-1270"),
        ("Single Intel Xeon E3-1270 v3 (4 Cores, 3.50 GHz)", None),
        ("Dual Xeon E5-2690", None),
        ("One EPYC 7302P, 16 cores", "EPYC 7302P"),
        ("One EPYC 7302, 16 cores", None),
    ],
)
def test_a_description_names_a_processor_with_its_version(description: str, processor: str | None) -> None:
    table = ScoreTable("S", "1", {"E3-1270": 1.0, "EPYC 7302P": 2.0}, "a test")

    assert processor_in(description, table) == processor
