"""Further settings of a demand: read as people type them, refused with the way out, and written back."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputRefused
from planner.demand import CostBasis, Demand, Goal, demand_from_words
from planner.demand_words import conditions_words, settings_words
from planner.storage_limits import DriveLimit, RaidLimit

GOOD = {"throughput": "175 MB/s", "capacity": "2 TB"}
places = st.decimals(min_value=1, max_value=60, places=2)


@st.composite
def demands(draw):
    data = draw(st.none() | st.integers(1, 16))
    return Demand(
        goal=Goal.MINIMISE_COST,
        throughput_mb_s=Decimal(175),
        capacity_gb=Decimal(2000),
        replicas=draw(st.integers(1, 5)),
        erasure_data=data,
        erasure_parity=draw(st.integers(1, 16)) if data else None,
        fill_limit=draw(st.integers(1, 100)) / Decimal(100),
        **{name: draw(st.booleans()) for name in ("balancer_headroom", "spare_proxy", "spare_node", "spare_balancer")},
        latency_ms=draw(st.none() | places),
        budget_once=draw(st.none() | places),
        cost_basis=draw(st.sampled_from(CostBasis)),
        months=draw(st.integers(1, 60)),
        purchase_months=draw(places),
        spares=draw(st.none() | places),
        raid=draw(st.sampled_from(RaidLimit)),
        drives=draw(st.sampled_from(DriveLimit)),
    )


@given(demands())
def test_settings_read_back_as_they_were(demand):
    assert demand_from_words(GOOD | settings_words(demand)) == demand
    assert Demand.from_json(demand.as_json()) == demand


def test_a_demand_of_an_older_plan_has_the_defaults():
    old = Demand(goal=Goal.MINIMISE_COST, throughput_mb_s=Decimal(1)).as_json()
    names = ("goal", "throughput_mb_s", "capacity_gb", "budget", "read_share", "meets_share", "it_cost_per_node",
             "hours_per_month", "balancer", "balancers", "currency")  # fmt: skip

    assert Demand.from_json({name: old[name] for name in names}) == Demand.from_json(old)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"replicas": "6"}, "out_of_range"),
        ({"raid": "raid7"}, "raid_unknown"),
        ({"drives": "tape"}, "drives_unknown"),
        ({"replicas": "2.5"}, "not_whole"),
        ({"erasure": "4"}, "erasure_not_readable"),
        ({"erasure": "0+2"}, "erasure_not_readable"),
        ({"erasure": "30+3"}, "erasure_not_readable"),
        ({"fill_limit": "0"}, "out_of_range"),
        ({"spare_node": "perhaps"}, "not_yes_or_no"),
        ({"latency_ms": "0"}, "out_of_range"),
        ({"budget_once": "much"}, "not_readable"),
        ({"cost_basis": "yearly"}, "cost_basis_unknown"),
        ({"months": "61"}, "out_of_range"),
        ({"purchase_months": "0.5"}, "out_of_range"),
        ({"spares": "-1"}, "not_readable"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_field(words, code):
    with pytest.raises(InputRefused) as refusal:
        demand_from_words(GOOD | words)

    assert [(each.field, each.code) for each in refusal.value.violations] == [(*words, code)]


def test_an_erasure_code_takes_less_room_than_copies_and_more_nodes():
    copies, code = demand_from_words(GOOD), demand_from_words(GOOD | {"erasure": "6+3"})

    assert (copies.raw_per_usable, copies.fewest_storage_nodes) == (Fraction(3), 5)
    assert (code.raw_per_usable, code.fewest_storage_nodes) == (Fraction(3, 2), 9)
    assert (copies.needed_mgb, code.needed_mgb) == (6_000_000, 3_000_000)


def test_a_fill_limit_asks_for_more_raw_capacity_rounded_up():
    assert demand_from_words(GOOD | {"fill_limit": "75"}).needed_mgb == 8_000_000
    assert demand_from_words(GOOD | {"fill_limit": "70"}).needed_mgb == 8_571_429


def test_conditions_are_told_in_words():
    demand = demand_from_words(
        GOOD | {"erasure": "4+2", "fill_limit": "75", "spare_proxy": "yes", "spare_node": "on", "latency_ms": "250",
                "cost_basis": "total", "months": "36"}
    )  # fmt: skip

    assert conditions_words(demand) == [
        "erasure code 4+2", "disks filled to 75 %", "able to lose one proxy and one node",
        "1 MB within 250 ms on average", "cost counted in 36 months",
    ]  # fmt: skip
    assert conditions_words(demand_from_words(GOOD)) == []
