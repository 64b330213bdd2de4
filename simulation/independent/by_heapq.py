"""The networks in plain Python: one heap of events. Stations are first come, first served, so a departure is known on
arrival."""

import random
from heapq import heappop, heappush

from simulation.closed_network import ClosedNetwork
from simulation.independent.outcome import IndependentOutcome
from simulation.quorum_network import QuorumNetwork


def closed_by_heapq(network: ClosedNetwork, *, seed: int, warm_up_seconds: float, seconds: float) -> IndependentOutcome:
    """Run a closed network of exponential stations."""
    rng = random.Random(seed)
    free = [[0.0] * count for count in network.members]
    rates = [1 / service for service in network.service_seconds]
    end = warm_up_seconds + seconds
    began = [0.0] * network.customers
    latencies: list[float] = []
    heap: list[tuple[float, int, int, int]] = []
    order = 0
    for customer in range(network.customers):
        heappush(heap, (_time(rng, network.think_seconds), order, customer, 0))
        order += 1
    while heap[0][0] < end:
        now, _, customer, group = heappop(heap)
        if group == len(rates):
            if now >= warm_up_seconds:
                latencies.append(now - began[customer])
            group = 0
            if network.think_seconds > 0:
                heappush(heap, (now + _time(rng, network.think_seconds), order, customer, 0))
                order += 1
                continue
        if group == 0:
            began[customer] = now
        stations = free[group]
        station = int(rng.random() * len(stations))
        stations[station] = max(stations[station], now) + rng.expovariate(rates[group])
        heappush(heap, (stations[station], order, customer, group + 1))
        order += 1
    return IndependentOutcome(throughput=len(latencies) / seconds, latency_seconds=latencies)


def quorum_by_heapq(network: QuorumNetwork, *, seed: int) -> IndependentOutcome:
    """Run a closed store of exponential stations, without bursts of flushes and compaction."""
    return _Store(network, seed=seed).run()


class _Request:
    """A request on its way: when it began, what it is, and how many copies have answered."""

    __slots__ = ("answers", "began", "primary", "put", "size")

    def __init__(self, *, began: float, put: bool, size: float, primary: int) -> None:
        self.began, self.put, self.size, self.primary, self.answers = began, put, size, primary, 0


START, FORK, DISK, CARD, REPLY, DONE = range(6)


class _Store:
    """The servers of a store, each with the time it will be free, and the heap of events."""

    def __init__(self, network: QuorumNetwork, *, seed: int) -> None:
        self.network = network
        self.rng = random.Random(seed)
        self.processors = [[0.0] * network.processors for _ in range(network.nodes)]
        self.disks = [[0.0] * network.disks for _ in range(network.nodes)]
        self.cards = [[0.0] for _ in range(network.nodes)]
        self.heap: list[tuple[float, int, int, int, _Request | None]] = []
        self.order = 0
        self.latencies: list[float] = []

    def run(self) -> IndependentOutcome:
        network = self.network
        for _ in range(network.clients):
            self._push(_time(self.rng, network.think_seconds), START, 0, None)
        while self.heap[0][0] < network.end_seconds:
            now, _, kind, node, request = heappop(self.heap)
            if request is None:
                self._start(now)
            elif kind == FORK:
                self._fork(now, request)
            elif kind == DISK:
                mean = network.put_disk_seconds if request.put else network.get_disk_seconds
                self._push(self._served(self.disks[node], now, _time(self.rng, mean)), CARD, node, request)
            elif kind == CARD:
                seconds = request.size * network.card_seconds_per_byte
                self._push(self._served(self.cards[node], now, seconds), REPLY, node, request)
            elif kind == REPLY:
                self._reply(now, request)
            else:
                self._done(now, request)
        seconds = network.end_seconds - network.warm_up_seconds
        return IndependentOutcome(throughput=len(self.latencies) / seconds, latency_seconds=self.latencies)

    def _start(self, now: float) -> None:
        network, rng = self.network, self.rng
        put = rng.random() < network.put_fraction
        size = network.smallest_bytes + _time(rng, network.mean_bytes_above)
        primary = int(rng.random() * network.nodes)
        request = _Request(began=now, put=put, size=size, primary=primary)
        ready = self._served(self.processors[primary], now, _time(rng, network.coordinator_seconds))
        self._push(ready, FORK, primary, request)

    def _fork(self, now: float, request: _Request) -> None:
        network, rng = self.network, self.rng
        mean = network.replica_put_seconds if request.put else network.replica_get_seconds
        for copy in range(network.replicas):
            node = (request.primary + copy) % network.nodes
            ready = self._served(self.processors[node], now, _time(rng, mean))
            following = DISK if request.put or rng.random() < network.miss_fraction else CARD
            self._push(ready, following, node, request)

    def _reply(self, now: float, request: _Request) -> None:
        request.answers += 1
        if request.answers == self.network.acks:
            seconds = 0.0 if request.put else request.size * self.network.card_seconds_per_byte
            self._push(self._served(self.cards[request.primary], now, seconds), DONE, request.primary, request)

    def _done(self, now: float, request: _Request) -> None:
        if now >= self.network.warm_up_seconds:
            self.latencies.append(now - request.began)
        self._push(now + _time(self.rng, self.network.think_seconds), START, 0, None)

    def _served(self, free: list[float], now: float, seconds: float) -> float:
        """When the server that is free first will be done; at once where nothing is asked of it."""
        if seconds <= 0:
            return now
        first = free.index(min(free))
        free[first] = max(free[first], now) + seconds
        return free[first]

    def _push(self, time: float, kind: int, node: int, request: _Request | None) -> None:
        heappush(self.heap, (time, self.order, kind, node, request))
        self.order += 1


def _time(rng: random.Random, mean: float) -> float:
    return rng.expovariate(1 / mean) if mean > 0 else 0.0
