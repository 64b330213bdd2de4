"""Host names: what people type, and what the machines are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders.host_names import host_count_problems, host_name_problems, host_names_of, mended_names, tidy


@pytest.mark.parametrize(
    ("typed", "quantity", "names"),
    [
        ("", 3, ()),
        ("db1 db2", 2, ("db1", "db2")),
        ("DB1,\n db2 ;db3", 3, ("db1", "db2", "db3")),
        ("web-{n}", 3, ("web-1", "web-2", "web-3")),
        ("web-{nn}.example.org", 2, ("web-01.example.org", "web-02.example.org")),
        ("web-{7}", 2, ("web-7", "web-8")),
        ("web-{099}", 3, ("web-099", "web-100", "web-101")),
        ("single", 2, ("single",)),
    ],
)
def test_names_and_patterns_name_the_machines(typed, quantity, names):
    assert host_names_of(typed, quantity=quantity) == names


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("-web", "host_name_invalid"),
        ("web_1", "host_name_invalid"),
        ("web..example", "host_name_invalid"),
        ("web-{x}", "host_name_invalid"),
        ("a" * 64, "host_name_invalid"),
        ("web-{n} db", "host_pattern_not_alone"),
        ("a " * 800, "host_names_too_long"),
    ],
)
def test_what_is_no_host_name_is_refused_with_a_reason(typed, code):
    assert [(problem.code, problem.field) for problem in host_name_problems(typed, field="hosts")] == [(code, "hosts")]


@pytest.mark.parametrize("typed", ["", "web", "web-{n}", "a1.b-2.example.org", "x y z"])
def test_host_names_are_taken(typed):
    assert host_name_problems(typed, field="hosts") == []


def test_there_is_one_name_for_each_machine_or_none_at_all():
    assert host_count_problems("", quantity=3, field="hosts") == []
    assert host_count_problems("web-{n}", quantity=3, field="hosts") == []
    (problem,) = host_count_problems("web db", quantity=3, field="hosts")
    assert (problem.code, problem.words) == (
        "host_names_count",
        "3 machines, but 2 host names. Give each machine one, or none a name.",
    )


@given(quantity=st.integers(1, 300), width=st.integers(1, 4), start=st.integers(0, 10**6))
def test_a_pattern_gives_as_many_distinct_names_as_there_are_machines(quantity, width, start):
    for pattern in (f"m{{{'n' * width}}}", f"m{{{start}}}"):
        names = host_names_of(pattern, quantity=quantity)

        assert len(set(names)) == quantity
        assert all(host_name_problems(name, field="hosts") == [] for name in names)


@given(st.text(max_size=80))
def test_tidying_twice_changes_nothing(typed):
    assert tidy(tidy(typed)) == tidy(typed)


names = st.from_regex(r"[a-c][0-9]?(-[0-9]{1,2})?", fullmatch=True)


@given(
    typed=st.lists(names | st.just("web-{n}") | st.just("web-{07}"), max_size=5).map(" ".join),
    quantity=st.integers(1, 300),
    taken=st.sets(names | st.integers(1, 20).map(lambda number: f"web-{number:02}"), max_size=12),
)
def test_mended_names_are_one_for_each_machine_valid_and_nobody_elses(typed, quantity, taken):
    mended = mended_names(typed, quantity=quantity, taken=taken)

    found = host_names_of(mended, quantity=quantity)
    assert host_name_problems(mended, field="hosts") == []
    assert len(found) in (0, quantity)
    assert len(set(found)) == len(found)
    assert not taken.intersection(found)
    if "{" not in typed:
        assert len(found) == quantity


@pytest.mark.parametrize(
    ("typed", "quantity", "taken", "mended"),
    [
        ("web-1 web-2", 3, set(), "web-1 web-2 web-3"),
        ("web-1 web-2 web-3", 2, set(), "web-1 web-2"),
        ("db db", 2, {"db"}, "db-1 db-2"),
        ("web-{n}", 2, {"web-1", "web-7"}, "web-{8}"),
        ("web-{07}", 2, {"web-07"}, "web-{08}"),
        ("a", 400_000, set(), "a-{1}"),
    ],
)
def test_names_are_mended_as_near_to_what_was_typed_as_can_be(typed, quantity, taken, mended):
    assert mended_names(typed, quantity=quantity, taken=taken) == mended
