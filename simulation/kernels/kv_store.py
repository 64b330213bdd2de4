"""Runs of a key-value store, event by event, and what they say: throughput, latencies and their 10-second windows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from simulation.kernels.quorum import EVENTS_FULL, FINISHED, RECORDS_FULL, SLOTS_FULL, run_quorum
from simulation.kv_store import SHORTEST_RUN_SECONDS, KvRun, fast_outcome, kv_run
from simulation.mva import FloatArray
from simulation.parameters import ParameterSet
from simulation.quorum_network import QuorumNetwork
from simulation.scenarios import Scenario, ScenarioError

WINDOW_SECONDS = 10.0
MOST_OPERATIONS = 2_000_000
"""A run for one prediction ends after about so many requests: more no longer moves its figures."""


@dataclass(frozen=True)
class KvOutcome:
    """Every answered request after the warm-up: when it was answered, how long it took, and whether it was a put."""

    finished_seconds: FloatArray
    latency_seconds: FloatArray
    puts: np.ndarray
    warm_up_seconds: float
    end_seconds: float
    events: int

    @property
    def throughput_ops(self) -> float:
        """Requests per second after the warm-up."""
        return len(self.finished_seconds) / (self.end_seconds - self.warm_up_seconds)

    def latencies_ms(self, *, puts: bool) -> FloatArray:
        """The latencies of the puts or of the gets. Raises ScenarioError where none was answered."""
        latencies = self.latency_seconds[self.puts == puts] * 1e3
        if len(latencies) == 0:
            raise ScenarioError("duration_seconds", f"no {'put' if puts else 'get'} was answered in the time simulated")
        return latencies

    def window_ops(self) -> FloatArray:
        """Requests per second of each whole 10-second window; of the whole run where it is shorter than one."""
        windows, count = self._windows()
        if count == 0:
            return np.array([self.throughput_ops])
        return np.bincount(windows, minlength=count + 1)[:count] / WINDOW_SECONDS

    def window_percentile_ms(self, *, puts: bool, percent: float) -> float:
        """The mean over the 10-second windows of one percentile, as a benchmark that reports windows shows it."""
        windows, count = self._windows()
        latencies = self.latencies_ms(puts=puts)
        if count == 0:
            return float(np.percentile(latencies, percent))
        # Answers are recorded in the order of their times, so a window is a stretch of them.
        ends = np.searchsorted(windows[self.puts == puts], np.arange(count + 1))
        found = [
            float(np.percentile(latencies[begin:end], percent)) for begin, end in pairwise(ends.tolist()) if end > begin
        ]
        return float(np.mean(found)) if found else float(np.percentile(latencies, percent))

    def _windows(self) -> tuple[np.ndarray, int]:
        windows = ((self.finished_seconds - self.warm_up_seconds) / WINDOW_SECONDS).astype(np.int64)
        return windows, int((self.end_seconds - self.warm_up_seconds) / WINDOW_SECONDS)


def simulate_scenario(
    scenario: Scenario, parameters: ParameterSet, *, seed: int, operations: int = MOST_OPERATIONS
) -> KvOutcome:
    """Run a scenario, shortened where it would answer many more requests than `operations`."""
    run = kv_run(scenario, parameters)
    expected = fast_outcome(run.network).throughput_ops
    warm_up = run.network.warm_up_seconds
    longest = max(operations / expected, SHORTEST_RUN_SECONDS)
    end = min(run.network.end_seconds, warm_up + longest)
    return simulate(replace(run, network=run.network._replace(end_seconds=end)), seed=seed)


def simulate(run: KvRun, *, seed: int | np.random.SeedSequence) -> KvOutcome:
    """One run. The same seed gives the same requests on any worker."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    # Rebuilt from its entropy and key, so that a sequence that was spawned from before gives the same children again.
    weather, traffic = np.random.SeedSequence(sequence.entropy, spawn_key=sequence.spawn_key).spawn(2)
    factor_ends, factors = slowdowns(run, np.random.default_rng(weather))
    network = run.network
    expected = _expected_operations(network)
    slots = network.clients if network.arrivals_per_second == 0 else 4096
    pool = 8192 + 4 * slots * (network.replicas + 1)
    while True:
        finished = np.empty(expected)
        latencies = np.empty(expected)
        puts = np.empty(expected, dtype=np.bool_)
        reason, records, reached, events = run_quorum(
            np.random.default_rng(traffic), network, slots, pool, factor_ends, factors, finished, latencies, puts
        )
        if reason == FINISHED:
            return KvOutcome(
                finished_seconds=finished[:records],
                latency_seconds=latencies[:records],
                puts=puts[:records],
                warm_up_seconds=network.warm_up_seconds,
                end_seconds=reached,
                events=events,
            )
        expected *= 2 if reason == RECORDS_FULL else 1
        pool *= 4 if reason in (EVENTS_FULL, SLOTS_FULL) else 1
        slots *= 4 if reason == SLOTS_FULL else 1


def slowdowns(run: KvRun, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """How much slower all network volumes are than their median, and until when: they slow down together."""
    if run.slowdown_deviation == 0:
        return np.array([np.inf]), np.array([1.0])
    count = int(run.network.end_seconds / run.slowdown_seconds * 2) + 64
    ends = np.cumsum(rng.exponential(run.slowdown_seconds, count))
    ends[-1] = np.inf
    return ends, np.exp(run.slowdown_deviation * rng.standard_normal(count))


def _expected_operations(network: QuorumNetwork) -> int:
    rate = network.arrivals_per_second or 1.5 * fast_outcome(network).throughput_ops
    return int(1.1 * rate * (network.end_seconds - network.warm_up_seconds)) + 4096


def throughput_ops(outcome: KvOutcome) -> float:
    """Requests per second, gets and puts together."""
    return outcome.throughput_ops


def throughput_range_ops(outcome: KvOutcome) -> tuple[float, float]:
    """The lowest and the highest requests per second over the 10-second windows."""
    windows = outcome.window_ops()
    return float(windows.min()), float(windows.max())


def _mean(*, puts: bool) -> Callable[[KvOutcome], float]:
    return lambda outcome: float(outcome.latencies_ms(puts=puts).mean())


def _median(*, puts: bool) -> Callable[[KvOutcome], float]:
    return lambda outcome: float(np.median(outcome.latencies_ms(puts=puts)))


def _p99(*, puts: bool) -> Callable[[KvOutcome], float]:
    return lambda outcome: outcome.window_percentile_ms(puts=puts, percent=99)


OUTCOME_METRICS: Mapping[str, Callable[[KvOutcome], float | tuple[float, float]]] = {
    "throughput_ops": throughput_ops,
    "throughput_range_ops": throughput_range_ops,
    "get_mean_ms": _mean(puts=False),
    "get_median_ms": _median(puts=False),
    "get_p99_ms": _p99(puts=False),
    "put_mean_ms": _mean(puts=True),
    "put_median_ms": _median(puts=True),
    "put_p99_ms": _p99(puts=True),
}
