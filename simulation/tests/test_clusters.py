"""Clusters event by event: beside exact theory where there is some, and at their obvious limits."""

from dataclasses import replace

import numpy as np
import pytest

from simulation.closed_network import ClosedNetwork
from simulation.clusters import MOST_STATIONS, ClusterNetwork, share_of
from simulation.kernels.clusters import run_cluster, simulate_cluster

GROUP = ClusterNetwork(
    proxies=1,
    storage_nodes=5,
    balancers=0,
    streams=48,
    balancer_seconds=1 / 140,
    proxy_seconds=1 / 40,
    storage_seconds=1 / 12,
    think_seconds=0.2,
)


def mean_mb_s(network: ClusterNetwork, *, runs: int = 4) -> float:
    return float(np.mean([simulate_cluster(network, seed=seed).mb_s for seed in range(runs)]))


def test_one_group_passes_what_exact_theory_says() -> None:
    theory = ClosedNetwork(
        service_seconds=(GROUP.proxy_seconds, GROUP.storage_seconds),
        members=(1, 5),
        kinds=(1, 1),
        think_seconds=GROUP.think_seconds,
        customers=GROUP.streams,
    ).exact_throughput()

    assert mean_mb_s(GROUP) == pytest.approx(theory, rel=0.005)


def test_equal_groups_pass_in_proportion() -> None:
    eight = replace(GROUP, proxies=8, storage_nodes=40)

    assert mean_mb_s(eight) == pytest.approx(8 * mean_mb_s(GROUP), rel=0.01)


def test_balancers_let_no_more_through_than_they_pass() -> None:
    behind_one = replace(GROUP, proxies=8, storage_nodes=40, balancers=1)

    assert mean_mb_s(behind_one) == pytest.approx(140, rel=0.01)


def test_throttling_is_a_ceiling() -> None:
    assert simulate_cluster(replace(GROUP, ceiling_mb_s=7.5), seed=1).mb_s == 7.5


def test_the_response_time_follows_littles_law() -> None:
    run = simulate_cluster(GROUP, seed=1)

    assert run.response_seconds == pytest.approx(48 / run.mb_s - 0.2)


def test_the_same_seed_gives_the_same_bits_and_another_one_does_not() -> None:
    assert simulate_cluster(GROUP, seed=1) == simulate_cluster(GROUP, seed=1)
    assert simulate_cluster(GROUP, seed=1) != simulate_cluster(GROUP, seed=2)


def test_the_compiled_kernel_does_what_its_plain_twin_does() -> None:
    arguments = (1, 2, 10, 6, 1 / 140, 1 / 40, 1 / 12, 0.2, 50, 300)

    compiled = run_cluster(np.random.default_rng(3), *arguments)

    assert compiled == pytest.approx(run_cluster.py_func(np.random.default_rng(3), *arguments), rel=1e-12)


def test_a_very_large_cluster_is_simulated_by_a_share() -> None:
    large = replace(GROUP, proxies=2000, storage_nodes=10_000, balancers=600)

    share, scale = share_of(large)

    assert share.stations <= MOST_STATIONS + 1
    assert share.proxies * scale == pytest.approx(2000)
    assert share.balancers / share.balancer_seconds * scale == pytest.approx(600 * 140)
    assert simulate_cluster(large, seed=1, jobs=30_000).mb_s == pytest.approx(2000 * mean_mb_s(GROUP), rel=0.02)


def test_an_impossible_cluster_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        replace(GROUP, storage_nodes=0)
    with pytest.raises(ValueError, match="above zero"):
        replace(GROUP, proxy_seconds=0.0)
