"""The networks in SimPy: a process for each customer, and for each copy of a request."""

import random
from collections.abc import Generator
from typing import Any

import simpy

from simulation.closed_network import ClosedNetwork
from simulation.independent.outcome import IndependentOutcome
from simulation.quorum_network import QuorumNetwork

Process = Generator[simpy.Event, Any, None]


def closed_by_simpy(network: ClosedNetwork, *, seed: int, warm_up_seconds: float, seconds: float) -> IndependentOutcome:
    """Run a closed network of exponential stations."""
    rng, environment = random.Random(seed), simpy.Environment()
    groups = [[simpy.Resource(environment) for _ in range(count)] for count in network.members]
    rates = [1 / service for service in network.service_seconds]
    latencies: list[float] = []

    def customer() -> Process:
        while True:
            if network.think_seconds > 0:
                yield environment.timeout(rng.expovariate(1 / network.think_seconds))
            began = environment.now
            for stations, rate in zip(groups, rates, strict=True):
                with stations[int(rng.random() * len(stations))].request() as turn:
                    yield turn
                    yield environment.timeout(rng.expovariate(rate))
            if environment.now >= warm_up_seconds:
                latencies.append(environment.now - began)

    for _ in range(network.customers):
        environment.process(customer())
    environment.run(until=warm_up_seconds + seconds)
    return IndependentOutcome(throughput=len(latencies) / seconds, latency_seconds=latencies)


def quorum_by_simpy(network: QuorumNetwork, *, seed: int) -> IndependentOutcome:
    """Run a closed store of exponential stations, without bursts of flushes and compaction."""
    return _Store(network, seed=seed).run()


class _Store:
    """The stations of a store and the processes of its clients."""

    def __init__(self, network: QuorumNetwork, *, seed: int) -> None:
        self.network = network
        self.rng = random.Random(seed)
        self.environment = simpy.Environment()
        self.processors = self._stations(network.processors)
        self.disks = self._stations(network.disks)
        self.cards = self._stations(1)
        self.latencies: list[float] = []

    def run(self) -> IndependentOutcome:
        for _ in range(self.network.clients):
            self.environment.process(self._client())
        self.environment.run(until=self.network.end_seconds)
        seconds = self.network.end_seconds - self.network.warm_up_seconds
        return IndependentOutcome(throughput=len(self.latencies) / seconds, latency_seconds=self.latencies)

    def _stations(self, servers: int) -> list[simpy.Resource]:
        return [simpy.Resource(self.environment, servers) for _ in range(self.network.nodes)]

    def _client(self) -> Process:
        network, environment, rng = self.network, self.environment, self.rng
        while True:
            yield environment.timeout(self._time(network.think_seconds))
            began = environment.now
            put = rng.random() < network.put_fraction
            size = network.smallest_bytes + self._time(network.mean_bytes_above)
            primary = int(rng.random() * network.nodes)
            yield from self._hold(self.processors[primary], self._time(network.coordinator_seconds))
            answered = environment.event()
            answers = [0]
            for copy in range(network.replicas):
                node = (primary + copy) % network.nodes
                environment.process(self._copy(node, put, size, answers, answered))
            yield answered
            if not put:
                yield from self._hold(self.cards[primary], size * network.card_seconds_per_byte)
            if environment.now >= network.warm_up_seconds:
                self.latencies.append(environment.now - began)

    def _copy(self, node: int, put: bool, size: float, answers: list[int], answered: simpy.Event) -> Process:
        network = self.network
        mean = network.replica_put_seconds if put else network.replica_get_seconds
        yield from self._hold(self.processors[node], self._time(mean))
        if put or self.rng.random() < network.miss_fraction:
            mean = network.put_disk_seconds if put else network.get_disk_seconds
            yield from self._hold(self.disks[node], self._time(mean))
        yield from self._hold(self.cards[node], size * network.card_seconds_per_byte)
        answers[0] += 1
        if answers[0] == network.acks:
            answered.succeed()

    def _hold(self, station: simpy.Resource, seconds: float) -> Process:
        if seconds > 0:
            with station.request() as turn:
                yield turn
                yield self.environment.timeout(seconds)

    def _time(self, mean: float) -> float:
        return self.rng.expovariate(1 / mean) if mean > 0 else 0.0
