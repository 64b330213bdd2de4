"""Servers that others are as good as for less: leaving them out changes no best answer, whatever is asked."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.demand import CostBasis, Demand, Goal
from planner.fleet import PricedMachine
from planner.goals import best_of_groups
from planner.rows import rows_of
from planner.server_dominance import without_dominated
from planner.shapes import groups_of
from planner.storage_limits import DriveLimit, RaidLimit
from planner.tests.brute_force import GRID, PARAMETERS, with_disks
from planner.tests.factories import make_fleet, make_machine
from simulation.object_store import proxy_mb_s, storage_mb_s

SATA, RAID_10 = ("none", "sata_7k", 500.0, 30.0), ("raid10", "sata_7k", 1000.0, 60.0)
LAYOUTS = st.tuples(
    st.sampled_from([12.5, 125.0, 1250.0]),
    st.sampled_from([SATA, ("none", "ssd", 500.0, 200.0), RAID_10, ("raid5", "sata_7k", 1000.0, 60.0),
                     ("raid10", "ssd", 1000.0, 400.0)]),
    st.sampled_from(["100", "100.004", "120.5", "151"]),
    st.sampled_from(["0", "0", "25.5"]),
    st.booleans(),
)  # fmt: skip


def server(place: int, network: float, disks: tuple[str, str, float, float], fee: str, once: str, *, hourly: bool):
    """A server of one processor: the layout alone tells it from others."""
    raid, drive_class, room, speed = disks
    made = make_machine(
        f"s{place}", fee=fee, network_mb_s=network, local_storage_gb=room, compute_units=25, once_fee=once
    )
    machine = replace(made.machine, disk_write_mb_s=speed, disk_read_mb_s=speed * 1.1)
    rates = (Decimal(fee) / 720,) if hourly else ()
    return with_disks(replace(made, machine=machine, line_rates=rates), raid, drive_class)


def best(machines: list[PricedMachine], demand: Demand, *, hours: Decimal) -> tuple[object, ...] | None:
    fleet = make_fleet(machines, balancers=[make_machine("b", fee="300")]).at_hours(hours)
    groups = groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS, grid=GRID)
    rows = rows_of(groups, best_of_groups(groups))[:1]
    return (rows[0]["cents"], rows[0]["machines"], rows[0]["mb_s"], rows[0]["capacity_gb"]) if rows else None


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(
    layouts=st.lists(LAYOUTS, min_size=3, max_size=8),
    goal=st.sampled_from(Goal),
    raid=st.sampled_from(RaidLimit),
    drives=st.sampled_from(DriveLimit),
    basis=st.sampled_from(CostBasis),
    hours=st.sampled_from(["720", "1", "333.33"]),
    read_share=st.sampled_from(["0", "0.5", "1"]),
)
def test_without_dominated_servers_the_best_answer_is_the_same(layouts, goal, raid, drives, basis, hours, read_share):
    machines = [
        server(place, network, disks, fee, once, hourly=hourly)
        for place, (network, disks, fee, once, hourly) in enumerate(layouts)
    ]
    limits = {
        Goal.MINIMISE_COST: {"throughput_mb_s": Decimal(90), "capacity_gb": Decimal(900)},
        Goal.MAXIMISE_THROUGHPUT: {"budget": Decimal(9000), "capacity_gb": Decimal(900)},
        Goal.MAXIMISE_CAPACITY: {"budget": Decimal(9000), "throughput_mb_s": Decimal(40)},
    }[goal]
    demand = Demand(
        goal=goal, **limits, balancer="b", raid=raid, drives=drives, cost_basis=basis, read_share=Decimal(read_share)
    )

    kept = without_dominated(machines, variants={machine.key_name for machine in machines}, parameters=PARAMETERS)

    assert best(kept, demand, hours=Decimal(hours)) == best(machines, demand, hours=Decimal(hours))


def kept_of(*machines: PricedMachine) -> list[tuple[str, bool]]:
    """The servers that are left, all of them layouts that may be left out, with whether they may stand in front."""
    names = {machine.key_name for machine in machines}
    found = without_dominated(machines, variants=names, parameters=PARAMETERS)
    return [(machine.key_name, machine.is_proxy) for machine in found]


def test_of_equal_servers_the_first_is_kept():
    assert kept_of(
        server(0, 125.0, SATA, "100", "0", hourly=False), server(1, 125.0, SATA, "100", "0", hourly=False)
    ) == [("s0", True)]


def test_a_dearer_one_with_better_disks_only_stores():
    assert kept_of(
        server(0, 125.0, SATA, "100", "0", hourly=False), server(1, 125.0, RAID_10, "150", "0", hourly=False)
    ) == [
        ("s0", True),
        ("s1", False),
    ]


def test_raid_10_does_not_stand_for_no_raid():
    cheaper = server(0, 125.0, RAID_10, "100", "0", hourly=False)

    assert kept_of(cheaper, server(1, 125.0, SATA, "150", "0", hourly=False)) == [("s0", True), ("s1", False)]


def test_raid_10_stands_for_another_level_that_outlives_a_drive():
    raid_5 = ("raid5", "sata_7k", 1000.0, 60.0)

    assert kept_of(
        server(0, 125.0, RAID_10, "100", "0", hourly=False), server(1, 125.0, raid_5, "150", "0", hourly=False)
    ) == [("s0", True)]


@pytest.mark.parametrize("hourly", [(True, False), (False, True)])
def test_an_hourly_and_a_monthly_price_never_beat_each_other(hourly):
    one, other = (server(place, 125.0, SATA, fee, "0", hourly=each) for place, (fee, each) in
                  enumerate(zip(["100", "150"], hourly, strict=True)))  # fmt: skip

    assert kept_of(one, other) == [("s0", True), ("s1", True)]


def test_a_price_that_rounding_may_turn_round_beats_nothing():
    assert kept_of(
        server(0, 125.0, RAID_10, "100", "0", hourly=False), server(1, 125.0, RAID_10, "100.004", "0", hourly=False)
    ) == [("s0", True), ("s1", True)]


def test_a_named_preset_is_kept_though_another_is_as_good_for_less():
    cheap, preset = (
        server(0, 125.0, RAID_10, "100", "0", hourly=False),
        server(1, 125.0, SATA, "150", "0", hourly=False),
    )

    found = without_dominated([cheap, preset], variants={"s0"}, parameters=PARAMETERS)

    assert [(machine.key_name, machine.is_proxy) for machine in found] == [("s0", True), ("s1", False)]


@given(units=st.floats(1, 200), network=st.floats(10, 2500), write=st.floats(10, 900), read=st.floats(10, 900))
@settings(max_examples=20, deadline=None, derandomize=True, database=None)
def test_groups_know_no_more_of_machines_than_what_they_pass_and_store(units, network, write, read):
    made = make_machine("m", compute_units=units, network_mb_s=network).machine
    machine = replace(made, disk_write_mb_s=write, disk_read_mb_s=read)
    takes, gives = storage_mb_s(machine, PARAMETERS)
    passes = proxy_mb_s(machine, PARAMETERS)
    plain = [
        replace(machine, compute_units=1e6, network_mb_s=1e6, disk_write_mb_s=takes, disk_read_mb_s=gives),
        replace(machine, compute_units=1e6, network_mb_s=passes),
    ]
    demand = Demand(goal=Goal.MAXIMISE_THROUGHPUT, balancer="b", read_share=Decimal("0.3"))
    fleet = make_fleet(
        [replace(make_machine("m"), machine=each) for each in (machine, *plain)], balancers=[make_machine("b")]
    )

    groups = groups_of(fleet=fleet, demand=demand, parameters=PARAMETERS, grid=GRID)

    passed = {
        (int(proxy), int(storage), int(nodes)): float(mb_s)
        for proxy, storage, nodes, mb_s in zip(groups.proxy, groups.storage, groups.nodes, groups.mb_s, strict=True)
    }
    for nodes in GRID:
        assert passed[0, 0, nodes] == pytest.approx(passed[0, 1, nodes], rel=1e-6)
        assert passed[0, 0, nodes] == pytest.approx(passed[2, 0, nodes], rel=1e-6)
