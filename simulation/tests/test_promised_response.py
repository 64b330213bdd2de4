"""Throughput within a promised response time, erasure codes, and compute units that were assumed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.machines import EC2_2012_04, machine_of_type
from simulation.mva import closed_throughput, closed_throughput_within
from simulation.object_store import READ, RESPONSE_TIME, WRITE, group_table
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
LARGE = machine_of_type(EC2_2012_04["m1.large"], parameters=PARAMETERS)
MEDIUM = machine_of_type(EC2_2012_04["m1.medium"], parameters=PARAMETERS)


def table(*, mix=WRITE, replicas=3.0, most_seconds=None, storage=MEDIUM):
    return group_table(
        proxies=[LARGE], storages=[storage], nodes_per_proxy=[5], mix=mix, replicas=replicas,
        parameters=PARAMETERS, most_seconds=most_seconds,
    )  # fmt: skip


def test_one_station_keeps_a_promise_up_to_the_customers_that_fit_into_it():
    # Without thinking n customers wait n services of 0.1 s each: 0.45 s is kept by four of them.
    one = {"demands": np.array([[0.1]]), "multiplicity": np.array([[1.0]]), "think_seconds": 0.0, "customers": 32}

    assert closed_throughput_within(**one, most_seconds=0.45)[0] == pytest.approx(10.0)
    assert closed_throughput_within(**one, most_seconds=0.09)[0] == 0.0


@given(st.floats(0.3, 5.0), st.floats(0.01, 0.2), st.integers(1, 40))
def test_a_promise_is_kept_and_one_customer_more_would_break_it(most_seconds, demand, customers):
    network = {"demands": np.array([[demand]]), "multiplicity": np.array([[1.0]]), "think_seconds": 0.2}

    within = closed_throughput_within(**network, customers=customers, most_seconds=most_seconds)[0]

    rounds = [n / closed_throughput(**network, customers=n).throughput[0] for n in range(1, customers + 1)]
    kept = [n for n, seconds in enumerate(rounds, start=1) if seconds <= most_seconds]
    expected = closed_throughput(**network, customers=max(kept)).throughput[0] if kept else 0.0
    assert within == pytest.approx(expected)


def test_a_promised_response_time_lowers_what_a_group_passes_and_says_so():
    free, promised = table(), table(most_seconds=0.5)

    assert promised.throughput_mb_s[0, 0, 0] < free.throughput_mb_s[0, 0, 0]
    assert promised.limits[0, 0, 0] == RESPONSE_TIME
    assert np.array_equal(table(most_seconds=1000).throughput_mb_s, free.throughput_mb_s)
    assert table(most_seconds=0.1).throughput_mb_s[0, 0, 0] == 0.0


def test_an_erasure_code_writes_less_than_three_copies_and_reads_as_much():
    assert table(replicas=1.5).throughput_mb_s[0, 0, 0] > table(replicas=3).throughput_mb_s[0, 0, 0]
    assert np.array_equal(table(mix=READ, replicas=1.5).throughput_mb_s, table(mix=READ, replicas=3).throughput_mb_s)


def test_assumed_compute_units_mark_a_figure_only_where_they_limit_it():
    known = replace(MEDIUM, network_mb_s=1000.0, network_is_assumed=False)
    proxy = replace(LARGE, network_mb_s=1200.0, compute_units=60.0)

    def is_assumed(storage):
        found = group_table(
            proxies=[proxy], storages=[storage], nodes_per_proxy=[5], mix=WRITE, parameters=PARAMETERS
        )  # fmt: skip
        return bool(found.assumed[0, 0, 0])

    assert is_assumed(replace(known, compute_units_are_assumed=True))
    assert not is_assumed(known)
    assert not is_assumed(replace(known, compute_units=10_000.0, compute_units_are_assumed=True))
