"""Demands: what people type, what we calculate with, and back."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputRefused
from planner.demand import NEEDED, Demand, Goal, comparison_from_words, demand_from_words
from planner.forms import LIMITS
from planner.pages import demand_query

GOOD = {"throughput": "175 MB/s", "capacity": "2 TB"}


def refused(words, read=demand_from_words):
    with pytest.raises(InputRefused) as refusal:
        read(words)
    return [(violation.field, violation.code) for violation in refusal.value.violations]


def shares(*, low):
    return st.decimals(Decimal(low), Decimal(1), places=4)


amounts = st.decimals(Decimal("0.001"), Decimal(10**9), places=3)


@st.composite
def demands(draw):
    goal = draw(st.sampled_from(Goal))
    limits = {
        "throughput_mb_s": draw(amounts),
        "capacity_gb": draw(amounts),
        "budget": draw(amounts),
    }
    names = {"throughput": "throughput_mb_s", "capacity": "capacity_gb", "budget": "budget"}
    return Demand(
        goal=goal,
        **{names[name]: limits[names[name]] for name in NEEDED[goal]},
        read_share=draw(shares(low=0)),
        meets_share=draw(shares(low="0.01")),
        it_cost_per_node=draw(st.decimals(Decimal(0), Decimal(1000), places=3)),
        hours_per_month=draw(st.decimals(Decimal(1), Decimal(744), places=2)),
        balancer=draw(st.sampled_from(["cc2.8xlarge", "m1.large"])),
        balancers=draw(st.none() | st.integers(0, 1000)),
    )


@pytest.mark.parametrize(
    ("typed", "gigabytes"),
    [
        ("2 TB", "2000"),
        ("2tb", "2000"),
        (" 2 Tb ", "2000"),
        ("0.06 PB", "60000"),
        ("1.8 TiB", "1979.1209299968"),
        ("60,000 GB", "60000"),
        (".5TB", "500"),
        ("100 MB", "0.1"),
    ],
)
def test_capacities_are_read_as_people_type_them(typed, gigabytes):
    assert demand_from_words(GOOD | {"capacity": typed}).capacity_gb == Decimal(gigabytes)


@pytest.mark.parametrize(
    ("typed", "megabytes"),
    [("175MB/s", "175"), ("1.2 GB/s", "1200"), ("1.2gb/s", "1200"), ("100 MiB/s", "104.8576"), ("1 KB/s", "0.001")],
)
def test_throughputs_are_read_as_people_type_them(typed, megabytes):
    assert demand_from_words(GOOD | {"throughput": typed}).throughput_mb_s == Decimal(megabytes)


@pytest.mark.parametrize("typed", ["$9,000", "9000", "9,000.00", "9 000"])
def test_budgets_are_read_with_sign_and_separators(typed):
    assert demand_from_words({"budget": typed, "capacity": "2TB"}).budget == Decimal(9000)


@pytest.mark.parametrize(
    ("field", "typed"), [("budget", "9000,50"), ("capacity", "1,5 TB"), ("throughput", "0,175 GB/s")]
)
def test_a_decimal_comma_is_a_problem_of_its_field(field, typed):
    words = GOOD if field == "throughput" else {"budget": "9000", "capacity": "2 TB"}

    with pytest.raises(InputRefused) as refusal:
        demand_from_words(words | {field: typed})

    assert [(problem.code, problem.field) for problem in refusal.value.violations] == [("not_readable", field)]


@pytest.mark.parametrize(
    ("given_limits", "goal"),
    [
        (("throughput", "capacity"), Goal.MINIMISE_COST),
        (("budget", "capacity"), Goal.MAXIMISE_THROUGHPUT),
        (("budget", "throughput"), Goal.MAXIMISE_CAPACITY),
    ],
)
def test_the_goal_follows_from_the_two_limits_given(given_limits, goal):
    typed = {"throughput": "175 MB/s", "capacity": "2 TB", "budget": "9000"}

    assert demand_from_words({name: typed[name] for name in given_limits}).goal is goal


def test_what_is_left_out_has_a_default():
    assert demand_from_words(GOOD) == Demand(
        goal=Goal.MINIMISE_COST,
        throughput_mb_s=Decimal(175),
        capacity_gb=Decimal(2000),
        read_share=Decimal(0),
        meets_share=Decimal("0.95"),
        it_cost_per_node=Decimal(0),
        hours_per_month=Decimal(720),
        balancer="cc2.8xlarge",
        balancers=None,
        currency="USD",
    )


def test_settings_are_read_with_their_units():
    demand = demand_from_words(
        GOOD | {"read_share": "30 %", "meets_share": "100", "hours_per_month": "730.5", "balancers": "2"}
    )

    assert (demand.read_share, demand.meets_share) == (Decimal("0.3"), Decimal(1))
    assert (demand.hours_per_month, demand.balancers) == (Decimal("730.5"), 2)


def test_everything_that_is_wrong_is_named_at_once_with_its_field():
    words = {
        "goal": "minimise_cost",
        "throughput": "fast",
        "budget": "9000",
        "read_share": "130",
        "meets_share": "0",
        "it_cost_per_node": "-1",
        "hours_per_month": "many",
        "balancers": "-2",
    }

    assert refused(words) == [
        ("throughput", "not_readable"),
        ("capacity", "limit_missing"),
        ("budget", "limit_not_wanted"),
        ("read_share", "out_of_range"),
        ("meets_share", "out_of_range"),
        ("it_cost_per_node", "not_readable"),
        ("hours_per_month", "not_a_number"),
        ("balancers", "out_of_range"),
    ]


def test_an_unknown_goal_is_the_only_complaint_about_two_good_limits():
    assert refused({"goal": "cheapest", "budget": "9000", "capacity": "2TB"}) == [("goal", "goal_unknown")]


def test_nothing_at_all_names_both_limits_of_the_usual_goal():
    assert refused({}) == [("throughput", "limit_missing"), ("capacity", "limit_missing")]


@pytest.mark.parametrize(
    ("field", "typed", "code"),
    [
        ("capacity", "2", "not_readable"),
        ("capacity", "2 TB/s", "not_readable"),
        ("capacity", "-2 TB", "not_readable"),
        ("capacity", "0 TB", "not_readable"),
        ("throughput", "175 MB", "not_readable"),
        ("throughput", "1e3 MB/s", "not_readable"),
        ("it_cost_per_node", "1e-999999999", "not_readable"),
        ("it_cost_per_node", "1,000,000,001", "out_of_range"),
        ("it_cost_per_node", "NaN", "not_readable"),
        ("hours_per_month", "0.5", "out_of_range"),
        ("hours_per_month", "745", "out_of_range"),
        ("hours_per_month", "NaN", "out_of_range"),
        ("meets_share", "101", "out_of_range"),
        ("balancers", "1001", "out_of_range"),
        ("balancers", "1.5", "out_of_range"),
        ("balancers", "9" * 5000, "out_of_range"),
    ],
)
def test_what_cannot_be_meant_is_refused(field, typed, code):
    assert refused(GOOD | {field: typed}) == [(field, code)]


def test_a_budget_of_nothing_is_refused():
    assert refused({"budget": "0", "capacity": "2TB"}) == [("budget", "limit_not_positive")]


def test_a_comparison_needs_no_limit_and_takes_a_throughput():
    assert comparison_from_words({}).throughput_mb_s is None
    assert comparison_from_words({"throughput": "175MB/s"}).throughput_mb_s == Decimal(175)


def test_a_comparison_refuses_what_it_would_not_look_at():
    words = {"goal": "minimise_cost", "capacity": "2TB", "budget": "9000"}

    assert refused(words, read=comparison_from_words) == [
        ("goal", "limit_not_wanted"),
        ("capacity", "limit_not_wanted"),
        ("budget", "limit_not_wanted"),
    ]


@given(demands())
def test_a_demand_survives_being_stored(demand):
    assert Demand.from_json(demand.as_json()) == demand


@given(demands())
def test_a_demand_survives_the_address_of_its_form(demand):
    query = demand_query(demand, location="us-east-1", limits=LIMITS)

    assert query.pop("location") == "us-east-1"
    assert demand_from_words(query) == demand


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (GOOD, "2 TB at 175 MB/s, as cheap as possible"),
        ({"budget": "9000", "capacity": "0.06PB"}, "60 TB within $9,000.00 a month, as fast as possible"),
        ({"budget": "9000", "throughput": "1.2GB/s"}, "1.2 GB/s within $9,000.00 a month, as large as possible"),
        ({"throughput": "1 KB/s", "capacity": "1 MB"}, "1 MB at 1 KB/s, as cheap as possible"),
        (GOOD | {"raid": "raid10"}, "2 TB at 175 MB/s on disks in RAID 10, as cheap as possible"),
        (
            GOOD | {"raid": "protected", "drives": "flash"},
            "2 TB at 175 MB/s on flash drives that outlive any one drive, as cheap as possible",
        ),
        (GOOD | {"drives": "rotating"}, "2 TB at 175 MB/s on rotating disks, as cheap as possible"),
    ],
)
def test_a_demand_reads_as_a_sentence(words, sentence):
    assert demand_from_words(words).words == sentence


def test_the_shortfall_is_what_the_whole_throughput_asked_still_misses():
    demand = demand_from_words(GOOD)

    assert demand.shortfall_of(173.25) == 1.75
    assert demand.shortfall_of(175.0) == 0.0
    assert demand.shortfall_of(200.0) == 0.0


def test_the_noise_of_binary_fractions_is_no_shortfall():
    assert demand_from_words(GOOD | {"throughput": "0.3 MB/s"}).shortfall_of(0.1 + 0.1 + 0.1 - 1e-12) == 0.0
