"""Discrete events of replicated requests: each is asked of n nodes and answered when k of them have answered.

A request occupies a processor of its coordinator, then forks to its replicas. At each it passes the processors, with
some chance the disks, and the network card; the answer that completes the quorum passes the coordinator's network card.
Stations are first come, first served, so that a departure is known when a request arrives; ties in time break by order
of arrival. All random numbers come from the caller's generator, and the compiled kernel and its `py_func` give equal
bits.
"""

import math

import numpy as np

from simulation.kernels.compiling import compiled
from simulation.mva import FloatArray
from simulation.quorum_network import QuorumNetwork

IntArray = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
BoolArray = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

ARRIVE, START, FORK, DISK, CARD, REPLY, DONE = 0, 1, 2, 3, 4, 5, 6
KIND_MASK, PUT = 7, 8
KIND_BITS, NODE_BITS, SLOT_BITS = 4, 16, 22
GENERATION_MASK = (1 << 20) - 1
FINISHED, RECORDS_FULL, EVENTS_FULL, SLOTS_FULL = 0, 1, 2, 3


@compiled
def draw(rng: np.random.Generator, kind: int, mean: float, shape: float) -> float:
    """A time of that mean: always the same (0), exponential (1), or lognormal (2) with its logarithm's deviation."""
    if mean <= 0.0:
        return 0.0
    if kind == 1:
        return mean * rng.standard_exponential()
    if kind == 2:
        return mean * math.exp(shape * rng.standard_normal() - 0.5 * shape * shape)
    return mean


@compiled
def serve(free: FloatArray, now: float, seconds: float) -> float:
    """Take the server that is free first, and say when it will be done."""
    first = 0
    for server in range(1, free.shape[0]):
        if free[server] < free[first]:
            first = server
    free[first] = max(free[first], now) + seconds
    return free[first]


@compiled
def push(times: FloatArray, orders: IntArray, items: IntArray, size: int, time: float, order: int, item: int) -> None:
    """Add an event to the heap; the caller has seen to the room."""
    place = size
    while place > 0:
        parent = (place - 1) >> 1
        if times[parent] <= time:
            break
        times[place] = times[parent]
        orders[place] = orders[parent]
        items[place] = items[parent]
        place = parent
    times[place] = time
    orders[place] = order
    items[place] = item


@compiled
def pop(times: FloatArray, orders: IntArray, items: IntArray, size: int) -> None:
    """Remove the first event, which the caller has read; `size` is the number of events before."""
    last = size - 1
    time, order = times[last], orders[last]
    place, child = 0, 1
    while child < last:
        other = child + 1
        if other < last and (
            times[other] < times[child] or (times[other] == times[child] and orders[other] < orders[child])
        ):
            child = other
        if time < times[child] or (time == times[child] and order < orders[child]):
            break
        times[place] = times[child]
        orders[place] = orders[child]
        items[place] = items[child]
        place = child
        child = 2 * place + 1
    times[place] = time
    orders[place] = order
    items[place] = items[last]


@compiled
def run_quorum(
    rng: np.random.Generator,
    network: QuorumNetwork,
    slots: int,
    pool: int,
    factor_ends: FloatArray,
    factors: FloatArray,
    finished: FloatArray,
    latencies: FloatArray,
    puts: BoolArray,
) -> tuple[int, int, float, int]:
    """Run until the end or until the records are full.

    `factors` slow the disks down until the times `factor_ends`. After the warm-up, each answered request writes its
    time of answer, its latency and whether it was a put. Returns how the run stopped, the number of requests recorded,
    the time reached, and the number of events.
    """
    nodes = network.nodes
    times = np.empty(pool)
    orders = np.empty(pool, dtype=np.int64)
    items = np.empty(pool, dtype=np.int64)
    began = np.zeros(slots)
    sizes = np.zeros(slots)
    generations = np.zeros(slots, dtype=np.int64)
    answers = np.zeros(slots, dtype=np.int64)
    primaries = np.zeros(slots, dtype=np.int64)
    is_put = np.zeros(slots, dtype=np.bool_)
    idle = np.arange(slots)
    idle_count = slots
    processors = np.zeros((nodes, network.processors))
    disks = np.zeros((nodes, network.disks))
    cards = np.zeros((nodes, 1))
    unwritten = np.zeros(nodes)
    compacting_until = np.zeros(nodes)
    flushes = np.zeros(nodes, dtype=np.int64)
    for node in range(nodes):
        unwritten[node] = network.flush_bytes * rng.random()
        flushes[node] = int(rng.random() * network.flushes_per_compaction)

    size = 0
    order = 0
    records = 0
    events = 0
    now = 0.0
    step = 0
    if network.arrivals_per_second > 0.0:
        push(times, orders, items, size, rng.standard_exponential() / network.arrivals_per_second, order, ARRIVE)
        size += 1
        order += 1
    else:
        for slot in range(network.clients):
            think = draw(rng, network.think_kind, network.think_seconds, 0.0)
            push(times, orders, items, size, think, order, START | (slot << (KIND_BITS + NODE_BITS)))
            size += 1
            order += 1

    while size > 0:
        if size + network.replicas + 2 > pool:
            return EVENTS_FULL, records, now, events
        now = times[0]
        item = items[0]
        pop(times, orders, items, size)
        size -= 1
        if now >= network.end_seconds:
            return FINISHED, records, network.end_seconds, events
        events += 1
        while now >= factor_ends[step]:
            step += 1
        kind = item & KIND_MASK
        node = (item >> KIND_BITS) & ((1 << NODE_BITS) - 1)
        slot = (item >> (KIND_BITS + NODE_BITS)) & ((1 << SLOT_BITS) - 1)
        generation = item >> (KIND_BITS + NODE_BITS + SLOT_BITS)
        if kind == ARRIVE:
            if idle_count == 0:
                return SLOTS_FULL, records, now, events
            idle_count -= 1
            slot = idle[idle_count]
            next_arrival = now + rng.standard_exponential() / network.arrivals_per_second
            push(times, orders, items, size, next_arrival, order, ARRIVE)
            size += 1
            order += 1
            kind = START

        if kind == START:
            began[slot] = now
            answers[slot] = 0
            is_put[slot] = rng.random() < network.put_fraction
            sizes[slot] = network.smallest_bytes + draw(rng, network.bytes_kind, network.mean_bytes_above, 0.0)
            node = int(rng.random() * nodes)
            primaries[slot] = node
            seconds = draw(rng, network.processor_kind, network.coordinator_seconds, network.processor_shape)
            if seconds > 0.0:
                ready = serve(processors[node], now, seconds)
                item = FORK | (node << KIND_BITS) | (slot << (KIND_BITS + NODE_BITS))
                push(times, orders, items, size, ready, order, item)
                size += 1
                order += 1
            else:
                kind = FORK

        if kind == FORK:
            put = is_put[slot]
            mean = network.replica_put_seconds if put else network.replica_get_seconds
            for copy in range(network.replicas):
                node = (primaries[slot] + copy) % nodes
                seconds = draw(rng, network.processor_kind, mean, network.processor_shape)
                ready = serve(processors[node], now, seconds) if seconds > 0.0 else now
                following = DISK if put or rng.random() < network.miss_fraction else CARD
                item = following | (node << KIND_BITS) | (slot << (KIND_BITS + NODE_BITS))
                item |= (generations[slot] & GENERATION_MASK) << (KIND_BITS + NODE_BITS + SLOT_BITS)
                if put:
                    item |= PUT
                push(times, orders, items, size, ready, order, item)
                size += 1
                order += 1
                if put and network.flush_bytes > 0.0:
                    unwritten[node] += sizes[slot]
                    if unwritten[node] >= network.flush_bytes:
                        unwritten[node] -= network.flush_bytes
                        still_until = now + network.flush_seconds
                        for server in range(network.processors):
                            processors[node, server] = max(processors[node, server], still_until)
                        flushes[node] += 1
                        if flushes[node] % network.flushes_per_compaction == 0:
                            busy_until = max(compacting_until[node], still_until)
                            compacting_until[node] = busy_until + network.compaction_seconds
        elif kind == DISK:
            put = (item & PUT) != 0
            if put and compacting_until[node] > now:
                push(times, orders, items, size, compacting_until[node], order, item)
            else:
                mean = network.put_disk_seconds if put else network.get_disk_seconds
                seconds = draw(rng, network.disk_kind, mean * factors[step], network.disk_shape)
                ready = serve(disks[node], now, seconds) if seconds > 0.0 else now
                push(times, orders, items, size, ready, order, (item & ~KIND_MASK) | CARD)
            size += 1
            order += 1
        elif kind == CARD:
            seconds = sizes[slot] * network.card_seconds_per_byte
            if seconds > 0.0:
                push(times, orders, items, size, serve(cards[node], now, seconds), order, (item & ~KIND_MASK) | REPLY)
                size += 1
                order += 1
            else:
                kind = REPLY

        if kind == REPLY and generation == generations[slot] & GENERATION_MASK:
            answers[slot] += 1
            if answers[slot] == network.acks:
                generations[slot] += 1
                seconds = 0.0 if is_put[slot] else sizes[slot] * network.card_seconds_per_byte
                if seconds > 0.0:
                    item = DONE | (slot << (KIND_BITS + NODE_BITS))
                    push(times, orders, items, size, serve(cards[primaries[slot]], now, seconds), order, item)
                    size += 1
                    order += 1
                else:
                    kind = DONE

        if kind == DONE:
            if now >= network.warm_up_seconds:
                if records == finished.shape[0]:
                    return RECORDS_FULL, records, now, events
                finished[records] = now
                latencies[records] = now - began[slot]
                puts[records] = is_put[slot]
                records += 1
            if network.arrivals_per_second > 0.0:
                idle[idle_count] = slot
                idle_count += 1
            else:
                think = draw(rng, network.think_kind, network.think_seconds, 0.0)
                item = START | (slot << (KIND_BITS + NODE_BITS))
                push(times, orders, items, size, now + think, order, item)
                size += 1
                order += 1
    return FINISHED, records, now, events
