"""Discrete events of a closed network: jobs go round through groups of stations and think in between.

A job visits the groups in order, in each one station taken at random; stations are first come, first served with one
server. Thinking times are exponential. `run_closed` counts jobs alone and is the fastest; `run_closed_latencies` also
keeps each job's time from its first to its last station. Both, compiled or as `py_func`, use the caller's generator
alone.
"""

import math

import numpy as np

from simulation.kernels.compiling import compiled
from simulation.kernels.quorum import IntArray, draw
from simulation.mva import FloatArray


@compiled
def first_station(group: int, offsets: IntArray, rng: np.random.Generator) -> int:
    """One station of the group, each equally likely."""
    members = offsets[group + 1] - offsets[group]
    if members == 1:
        return offsets[group]
    return offsets[group] + int(rng.random() * members)


@compiled
def run_closed(
    rng: np.random.Generator,
    offsets: IntArray,
    groups: IntArray,
    kinds: IntArray,
    means: FloatArray,
    shapes: FloatArray,
    think_seconds: float,
    customers: int,
    warm_up_jobs: int,
    jobs: int,
) -> tuple[float, int]:
    """Run until `jobs` have gone round after the warm-up; returns the seconds that took and the number of events.

    `offsets` are where each group's stations begin; `groups`, `kinds`, `means` and `shapes` are by station.
    """
    stations = means.shape[0]
    last_group = offsets.shape[0] - 2
    waiting = np.zeros(stations, dtype=np.int64)
    ready = np.full(stations, np.inf)
    thinking = customers
    thought = math.inf
    now = 0.0
    began = 0.0
    done = 0
    events = 0
    if think_seconds > 0.0:
        thought = rng.standard_exponential() * think_seconds / thinking
    else:
        thinking = 0
        for _ in range(customers):
            station = first_station(0, offsets, rng)
            waiting[station] += 1
            if waiting[station] == 1:
                ready[station] = draw(rng, kinds[station], means[station], shapes[station])
    while done < warm_up_jobs + jobs:
        events += 1
        station = 0
        now = ready[0]
        for other in range(1, stations):
            if ready[other] < now:
                now = ready[other]
                station = other
        if thought < now:
            now = thought
            thinking -= 1
            group = 0
        else:
            waiting[station] -= 1
            ready[station] = math.inf
            if waiting[station] > 0:
                ready[station] = now + draw(rng, kinds[station], means[station], shapes[station])
            group = groups[station] + 1
            if group > last_group:
                done += 1
                if done == warm_up_jobs:
                    began = now
                group = 0
                if think_seconds > 0.0:
                    thinking += 1
                    group = -1
        if think_seconds > 0.0 and group <= 0:
            # Exponential times forget, so the next of all thinkers may be drawn anew.
            thought = now + rng.standard_exponential() * think_seconds / thinking if thinking > 0 else math.inf
        if group >= 0:
            station = first_station(group, offsets, rng)
            waiting[station] += 1
            if waiting[station] == 1:
                ready[station] = now + draw(rng, kinds[station], means[station], shapes[station])
    return now - began, events


@compiled
def run_closed_latencies(
    rng: np.random.Generator,
    offsets: IntArray,
    groups: IntArray,
    kinds: IntArray,
    means: FloatArray,
    shapes: FloatArray,
    think_seconds: float,
    customers: int,
    warm_up_jobs: int,
    finished: FloatArray,
    latencies: FloatArray,
) -> tuple[float, int]:
    """Run until the records are full after the warm-up: each job's time of leaving and its latency.

    Returns the seconds after the warm-up and the number of events.
    """
    stations = means.shape[0]
    last_group = offsets.shape[0] - 2
    jobs = finished.shape[0]
    waiting = np.zeros(stations, dtype=np.int64)
    heads = np.zeros(stations, dtype=np.int64)
    queues = np.zeros((stations, customers))
    ready = np.full(stations, np.inf)
    thinking = customers
    thought = math.inf
    now = 0.0
    began = 0.0
    done = 0
    events = 0
    if think_seconds > 0.0:
        thought = rng.standard_exponential() * think_seconds / thinking
    else:
        thinking = 0
        for _ in range(customers):
            station = first_station(0, offsets, rng)
            waiting[station] += 1
            if waiting[station] == 1:
                ready[station] = draw(rng, kinds[station], means[station], shapes[station])
    while done < warm_up_jobs + jobs:
        events += 1
        station = 0
        now = ready[0]
        for other in range(1, stations):
            if ready[other] < now:
                now = ready[other]
                station = other
        if thought < now:
            now = thought
            thinking -= 1
            group = 0
            entered = now
        else:
            entered = queues[station, heads[station]]
            heads[station] = heads[station] + 1 if heads[station] + 1 < customers else 0
            waiting[station] -= 1
            ready[station] = math.inf
            if waiting[station] > 0:
                ready[station] = now + draw(rng, kinds[station], means[station], shapes[station])
            group = groups[station] + 1
            if group > last_group:
                if done >= warm_up_jobs:
                    finished[done - warm_up_jobs] = now
                    latencies[done - warm_up_jobs] = now - entered
                done += 1
                if done == warm_up_jobs:
                    began = now
                group = 0
                entered = now
                if think_seconds > 0.0:
                    thinking += 1
                    group = -1
        if think_seconds > 0.0 and group <= 0:
            thought = now + rng.standard_exponential() * think_seconds / thinking if thinking > 0 else math.inf
        if group >= 0:
            station = first_station(group, offsets, rng)
            place = heads[station] + waiting[station]
            queues[station, place if place < customers else place - customers] = entered
            waiting[station] += 1
            if waiting[station] == 1:
                ready[station] = now + draw(rng, kinds[station], means[station], shapes[station])
    return now - began, events
