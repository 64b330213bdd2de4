from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.machines import EC2_2012_04, Machine, machine_of_type
from simulation.object_store import (
    READ,
    WRITE,
    Mix,
    balancer_mb_s,
    cluster_mb_s,
    group_table,
    group_throughput,
)
from simulation.parameters import load_parameter_set
from simulation.tests.networks import machine

PARAMETERS = load_parameter_set()
ALL_TYPES = [machine_of_type(row, parameters=PARAMETERS) for row in EC2_2012_04.values()]
NODES = [1, 2, 3, 5, 8, 10, 15, 20, 40, 80, 200]

machines = st.builds(
    machine,
    compute_units=st.floats(0.1, 200.0),
    network_mb_s=st.floats(1.0, 5000.0),
    network_is_assumed=st.booleans(),
    bursts=st.booleans(),
)
mixes = st.builds(Mix, read_fraction=st.floats(0.0, 1.0))
node_counts = st.integers(1, 200)


def throughput(proxy: Machine, storage: Machine, nodes: int, mix: Mix = WRITE, replicas: int = 3) -> float:
    return group_throughput(
        proxy=proxy, storage=storage, nodes=nodes, mix=mix, replicas=replicas, parameters=PARAMETERS
    ).throughput_mb_s


def ec2(key_name: str) -> Machine:
    return machine_of_type(EC2_2012_04[key_name], parameters=PARAMETERS)


@given(proxy=machines, storage=machines, mix=mixes)
def test_throughput_never_falls_as_storage_nodes_are_added(proxy, storage, mix):
    table = group_table(proxies=[proxy], storages=[storage], nodes_per_proxy=NODES, mix=mix, parameters=PARAMETERS)

    assert np.all(np.diff(table.throughput_mb_s[0, 0]) >= 0)


@given(st.floats(0.1, 500.0), st.floats(1.0, 500.0), st.integers(0, 4), st.integers(1, 50))
def test_throughput_never_falls_as_groups_are_added(group_mb_s, each, balancers, groups):
    fewer = cluster_mb_s(group_mb_s=group_mb_s, groups=groups, balancer_mb_s=each, balancers=balancers)
    more = cluster_mb_s(group_mb_s=group_mb_s, groups=groups + 1, balancer_mb_s=each, balancers=balancers)

    assert more >= fewer


@given(proxy=machines, storage=machines, nodes=node_counts)
def test_reading_is_at_least_as_fast_as_writing(proxy, storage, nodes):
    assert throughput(proxy, storage, nodes, READ) >= throughput(proxy, storage, nodes, WRITE)


@given(proxy=machines, storage=machines, nodes=node_counts, replicas=st.integers(1, 5))
def test_writing_stays_inside_the_operational_bounds(proxy, storage, nodes, replicas):
    node_speed = storage.compute_units * PARAMETERS.value("object_store.storage_write_mb_s_per_compute_unit")
    streams = PARAMETERS.value("object_store.streams_per_proxy") * PARAMETERS.value("object_store.stream_mb_s")

    written = throughput(proxy, storage, nodes, WRITE, replicas) * (1 - 1e-12)

    assert written <= proxy.network_mb_s / replicas
    assert written <= nodes * min(storage.network_mb_s, node_speed) / replicas
    assert written <= streams


@given(proxy=machines, storage=machines, nodes=node_counts, mix=mixes, factor=st.floats(1.0, 10.0))
def test_a_faster_network_never_lowers_throughput(proxy, storage, nodes, mix, factor):
    before = throughput(proxy, storage, nodes, mix)

    assert throughput(replace(proxy, network_mb_s=proxy.network_mb_s * factor), storage, nodes, mix) >= before
    assert throughput(proxy, replace(storage, network_mb_s=storage.network_mb_s * factor), nodes, mix) >= before


def test_halving_the_network_of_one_type_lowers_only_what_it_limits():
    halved = [
        replace(each, network_mb_s=each.network_mb_s / 2) if each.key_name == "m1.large" else each for each in ALL_TYPES
    ]
    position = list(EC2_2012_04).index("m1.large")

    before = group_table(
        proxies=ALL_TYPES, storages=ALL_TYPES, nodes_per_proxy=NODES, mix=WRITE, parameters=PARAMETERS
    ).throughput_mb_s
    table = group_table(proxies=halved, storages=halved, nodes_per_proxy=NODES, mix=WRITE, parameters=PARAMETERS)
    after = table.throughput_mb_s

    limited = table.limits[position] == "proxy network"
    assert np.any(limited)
    assert np.all(after[position][limited] < before[position][limited])
    assert np.all(after <= before)
    others = np.arange(len(ALL_TYPES)) != position
    assert np.array_equal(after[np.ix_(others, others)], before[np.ix_(others, others)])


def test_renaming_every_type_changes_no_number():
    renamed = [replace(each, key_name=f"type {number}") for number, each in enumerate(ALL_TYPES)]

    plain = group_table(proxies=ALL_TYPES, storages=ALL_TYPES, nodes_per_proxy=NODES, mix=WRITE, parameters=PARAMETERS)
    other = group_table(proxies=renamed, storages=renamed, nodes_per_proxy=NODES, mix=WRITE, parameters=PARAMETERS)

    assert np.array_equal(plain.throughput_mb_s, other.throughput_mb_s)
    assert np.array_equal(plain.limits, other.limits)
    assert np.array_equal(plain.assumed, other.assumed)


def test_the_table_and_the_single_group_agree():
    table = group_table(
        proxies=ALL_TYPES, storages=ALL_TYPES, nodes_per_proxy=NODES, mix=Mix(read_fraction=0.3), parameters=PARAMETERS
    )

    single = group_throughput(
        proxy=ALL_TYPES[2], storage=ALL_TYPES[0], nodes=15, mix=Mix(read_fraction=0.3), parameters=PARAMETERS
    )

    assert table.throughput_mb_s[2, 0, NODES.index(15)] == pytest.approx(single.throughput_mb_s)


@pytest.mark.parametrize(
    ("proxy", "storage", "nodes", "limit"),
    [
        (machine(network_mb_s=30.0), machine(compute_units=50.0, network_mb_s=900.0), 20, "proxy network"),
        (machine(compute_units=0.5), machine(compute_units=50.0, network_mb_s=900.0), 20, "proxy processor"),
        (
            machine(compute_units=90.0, network_mb_s=5000.0),
            machine(compute_units=50.0, network_mb_s=900.0),
            20,
            "proxy software",
        ),
        (machine(), machine(compute_units=1.0), 3, "storage processor"),
        (machine(), machine(compute_units=50.0, network_mb_s=5.0), 5, "storage network"),
        (machine(), machine(compute_units=2.0, bursts=True), 5, "storage throttling"),
    ],
)
def test_the_limit_names_what_binds_first(proxy, storage, nodes, limit):
    outcome = group_throughput(proxy=proxy, storage=storage, nodes=nodes, mix=WRITE, parameters=PARAMETERS)

    assert outcome.limit == limit


def test_few_slow_streams_are_named_as_the_limit():
    parameters = PARAMETERS.with_values({"object_store.streams_per_proxy": 2, "object_store.stream_mb_s": 1.0})

    outcome = group_throughput(
        proxy=machine(), storage=machine(compute_units=20.0), nodes=20, mix=WRITE, parameters=parameters
    )

    assert outcome.limit == "streams"
    assert outcome.throughput_mb_s < 2.0


def test_a_bursting_node_is_throttled_in_proportion_to_the_number_of_nodes():
    micro, quad = ec2("t1.micro"), ec2("cc1.4xlarge")

    assert throughput(quad, micro, 20) == pytest.approx(2 * throughput(quad, micro, 10))
    assert throughput(quad, replace(micro, bursts=False), 10) > 3 * throughput(quad, micro, 10)


def test_a_figure_that_rests_on_an_assumed_network_is_marked():
    proxy, storage = machine(compute_units=8.0), machine(compute_units=20.0)

    marked = group_throughput(
        proxy=replace(proxy, network_is_assumed=True), storage=storage, nodes=10, mix=WRITE, parameters=PARAMETERS
    )
    published = group_throughput(proxy=proxy, storage=storage, nodes=10, mix=WRITE, parameters=PARAMETERS)

    assert marked.assumed
    assert not published.assumed
    assert marked.throughput_mb_s == published.throughput_mb_s


def test_an_assumed_network_that_limits_nothing_is_not_marked():
    outcome = group_throughput(
        proxy=ec2("cc1.4xlarge"), storage=ec2("m1.medium"), nodes=5, mix=WRITE, parameters=PARAMETERS
    )

    assert ec2("m1.medium").network_is_assumed
    assert not outcome.assumed


def test_one_balancer_never_passes_140():
    assert max(balancer_mb_s(each, PARAMETERS) for each in ALL_TYPES) <= 140.0
    assert balancer_mb_s(ec2("cc2.8xlarge"), PARAMETERS) == pytest.approx(140.0, rel=1e-4)


def test_a_balancer_is_held_back_by_its_network():
    assert balancer_mb_s(machine(compute_units=88.0, network_mb_s=50.0), PARAMETERS) == 50.0


def test_a_cluster_without_balancers_passes_what_its_groups_pass():
    assert cluster_mb_s(group_mb_s=20.0, groups=3, balancer_mb_s=0.0, balancers=0) == 60.0


def test_a_group_without_storage_nodes_is_refused():
    with pytest.raises(ValueError, match="nodes_per_proxy"):
        throughput(machine(), machine(), 0)


def test_a_read_fraction_beyond_one_is_refused():
    with pytest.raises(ValueError, match="read_fraction"):
        Mix(read_fraction=1.2)
