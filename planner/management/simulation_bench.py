"""What simulating costs: kernels beside SimPy and plain Python on the same networks, all measured in the same run."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings

from planner.benchmarks import BenchRow, cpu_seconds
from simulation.closed_network import ClosedNetwork
from simulation.figures import shipped_figures
from simulation.independent.by_heapq import closed_by_heapq, quorum_by_heapq
from simulation.independent.by_simpy import closed_by_simpy, quorum_by_simpy
from simulation.independent.outcome import IndependentOutcome
from simulation.kernels.kv_store import KvOutcome, simulate
from simulation.kernels.predicting import scenario_figures
from simulation.kernels.replications import replicate, simulate_closed
from simulation.kv_store import KvRun, kv_run
from simulation.multiclass import approximate_classes, exact_classes
from simulation.mva import closed_throughput
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.quorum_network import EXPONENTIAL, QuorumNetwork

MILLION = 1e6
EVENTS = "million events per CPU second"
ALLOWED_PERCENT = 0.1
ALLOWED_APPROXIMATION_PERCENT = 15.0
CENTRAL_SERVER = ClosedNetwork(
    service_seconds=(0.1, 0.5, 0.12),
    members=(1, 4, 1),
    kinds=(EXPONENTIAL, EXPONENTIAL, EXPONENTIAL),
    think_seconds=1.0,
    customers=32,
)
"""32 customers at six stations, of which four share their work: the network of the kernels' tests."""
PRODUCT_FORM_STORE = QuorumNetwork(
    nodes=3, clients=24, think_seconds=2.0, replica_get_seconds=0.4, miss_fraction=0.5, get_disk_seconds=0.9
)
"""A store without copies, whose throughput mean value analysis tells exactly."""


@dataclass(frozen=True)
class Sizes:
    """How long everything runs: jobs and requests of the kernels, seconds simulated by the slow simulators."""

    jobs: int = 4_000_000
    requests: int = 500_000
    closed_seconds: float = 10_000.0
    store_seconds: float = 15.0
    replications: int = 8
    store_duration_seconds: float = 7200.0
    cold: bool = True


@dataclass(frozen=True)
class Speed:
    """Events per CPU second of one simulator; the slow ones by the events that the kernel counts for their requests."""

    kernel: float
    simpy: float
    heapq: float

    def rows(self, name: str) -> list[BenchRow]:
        others = (("SimPy", self.simpy), ("plain Python with heapq", self.heapq))
        return [
            BenchRow(f"{name} (reference: {words})", self.kernel, EVENTS, other, self.kernel / other)
            for words, other in others
        ]


def bench_simulation(sizes: Sizes | None = None) -> list[BenchRow]:
    """Measure every kernel's speed and agreement, the standard scenarios, and two hours of a key-value store."""
    sizes = sizes or Sizes()
    parameters = load_parameter_set()
    store = kv_run(_standard_scenarios()["kv_store"], parameters)
    simpy, heapq = (_closed_speed(each, sizes) for each in (closed_by_simpy, closed_by_heapq))
    counting, keeping = (_kernel_speed(sizes, with_latencies=kept) for kept in (False, True))
    store_speed = _store_speed(store.network, sizes)
    return [
        *Speed(counting, simpy, heapq).rows("closed network, jobs counted"),
        *Speed(keeping, simpy, heapq).rows("closed network, every latency kept"),
        *store_speed.rows("key-value store, every latency kept"),
        *_agreement_rows(sizes),
        _approximation_row(),
        _long_run_row(store, store_speed, sizes),
        *_scenario_rows(parameters, sizes),
    ]


def _closed_speed(simulator: Callable[..., IndependentOutcome], sizes: Sizes) -> float:
    outcomes: list[IndependentOutcome] = []

    def run() -> None:
        outcomes.append(simulator(CENTRAL_SERVER, seed=1, warm_up_seconds=0.0, seconds=sizes.closed_seconds))

    seconds = cpu_seconds(run, repeats=2)
    return len(outcomes[0].latency_seconds) * CENTRAL_SERVER.events_per_job / seconds / MILLION


def _kernel_speed(sizes: Sizes, *, with_latencies: bool) -> float:
    def run(jobs: int) -> int:
        return simulate_closed(CENTRAL_SERVER, seed=1, jobs=jobs, warm_up_jobs=1, with_latencies=with_latencies).events

    events = run(sizes.jobs)  # the first run also compiles the kernel, or reads it from disk
    return events / cpu_seconds(lambda: run(sizes.jobs), repeats=3) / MILLION


def _store_speed(network: QuorumNetwork, sizes: Sizes) -> Speed:
    """The standard store without its bursts, which the slow simulators leave out."""
    plain = network._replace(flush_bytes=0.0, warm_up_seconds=0.0)
    short = plain._replace(end_seconds=sizes.store_seconds)
    outcome = _steady_run(short)
    events_per_request = outcome.events / len(outcome.latency_seconds)
    long = plain._replace(end_seconds=sizes.requests / outcome.throughput_ops)
    runs: list[KvOutcome] = []
    kernel_seconds = cpu_seconds(lambda: runs.append(_steady_run(long)), repeats=3)

    def speed_of(simulator: Callable[..., IndependentOutcome]) -> float:
        outcomes: list[IndependentOutcome] = []
        seconds = cpu_seconds(lambda: outcomes.append(simulator(short, seed=1)), repeats=2)
        return len(outcomes[0].latency_seconds) * events_per_request / seconds / MILLION

    return Speed(
        kernel=runs[0].events / kernel_seconds / MILLION,
        simpy=speed_of(quorum_by_simpy),
        heapq=speed_of(quorum_by_heapq),
    )


def _steady_run(network: QuorumNetwork, *, seed: int | np.random.SeedSequence = 1) -> KvOutcome:
    return simulate(KvRun(network, slowdown_deviation=0.0, slowdown_seconds=1.0), seed=seed)


def _agreement_rows(sizes: Sizes) -> list[BenchRow]:
    """How far each kernel's mean is from exact mean value analysis, in per cent and in its own 95 % interval."""

    def closed(*, with_latencies: bool) -> Callable[[np.random.SeedSequence], float]:
        return lambda seed: (
            simulate_closed(
                CENTRAL_SERVER, seed=seed, jobs=sizes.jobs // 4, warm_up_jobs=10_000, with_latencies=with_latencies
            ).throughput
        )

    exact_store = closed_throughput(
        demands=np.array([[0.4, 0.5 * 0.9]]), multiplicity=np.array([[3.0, 3.0]]), think_seconds=2.0, customers=24
    )
    rate = float(exact_store.throughput[0])
    warm_up = 20_000 / rate
    store = PRODUCT_FORM_STORE._replace(warm_up_seconds=warm_up, end_seconds=warm_up + 2 * sizes.requests / rate)
    exact = CENTRAL_SERVER.exact_throughput()
    return [
        *_agreement("closed network, jobs counted", closed(with_latencies=False), exact, sizes),
        *_agreement("closed network, every latency kept", closed(with_latencies=True), exact, sizes),
        *_agreement("store without copies", lambda seed: _steady_run(store, seed=seed).throughput_ops, rate, sizes),
    ]


def _agreement(name: str, run: Callable[[np.random.SeedSequence], float], exact: float, sizes: Sizes) -> list[BenchRow]:
    found = replicate(run, seed=11, count=sizes.replications)
    percent = 100 * abs(found.mean / exact - 1)
    widths = abs(found.mean - exact) / found.half_width
    return [
        BenchRow(
            f"{name}: off exact MVA (reference: allowed)",
            percent,
            "%",
            ALLOWED_PERCENT,
            _times(ALLOWED_PERCENT, percent),
        ),
        BenchRow(
            f"{name}: off exact MVA (reference: its own 95 % interval)", widths, "half widths", 1.0, _times(1, widths)
        ),
    ]


def _approximation_row() -> BenchRow:
    """How far approximate mean value analysis of several classes is from the exact one, at worst."""
    demands = np.array([[0.3, 0.7, 0.1], [0.5, 0.2, 0.4], [0.1, 0.1, 0.9]])
    thinking, customers = np.array([1.0, 2.0, 0.5]), (6, 4, 5)
    exact, approximate = (
        solve(demands=demands, think_seconds=thinking, customers=customers).throughput
        for solve in (exact_classes, approximate_classes)
    )
    percent = 100 * float(np.abs(approximate / exact - 1).max())
    name = "three classes, approximate MVA off the exact (reference: allowed)"
    allowed = ALLOWED_APPROXIMATION_PERCENT
    return BenchRow(name, percent, "%", allowed, _times(allowed, percent))


def _long_run_row(store: KvRun, speed: Speed, sizes: Sizes) -> BenchRow:
    """Two hours of the standard store, every request and burst of it, beside what SimPy would take for the events."""
    run = KvRun(
        store.network._replace(warm_up_seconds=0.0, end_seconds=sizes.store_duration_seconds),
        slowdown_deviation=store.slowdown_deviation,
        slowdown_seconds=store.slowdown_seconds,
    )
    outcomes: list[KvOutcome] = []
    seconds = cpu_seconds(lambda: outcomes.append(simulate(run, seed=1)), repeats=1)
    reference = outcomes[0].events / MILLION / speed.simpy
    hours = sizes.store_duration_seconds / 3600
    name = f"{hours:g} h of a key-value store, {len(outcomes[0].puts):,} operations (reference: SimPy at its speed)"
    return BenchRow(name, seconds, "CPU s", reference, reference / seconds)


def _scenario_rows(parameters: ParameterSet, sizes: Sizes) -> list[BenchRow]:
    """The first published scenario of each workload: warm, beside a fresh process with nothing compiled."""
    return [_scenario_row(scenario, parameters) for scenario in _standard_scenarios().values()] if sizes.cold else []


def _scenario_row(scenario: dict[str, Any], parameters: ParameterSet) -> BenchRow:
    cold = _cold_seconds(scenario)
    warm = cpu_seconds(lambda: scenario_figures(scenario, parameters), repeats=2)
    name = f"standard scenario of {scenario['workload']}, warm (reference: cold)"
    return BenchRow(name, warm, "CPU s", cold, _times(cold, warm))


def _standard_scenarios() -> dict[str, dict[str, Any]]:
    scenarios: dict[str, dict[str, Any]] = {}
    for entry in shipped_figures():
        scenarios.setdefault(entry["scenario"]["workload"], entry["scenario"])
    return scenarios


def _cold_seconds(scenario: dict[str, Any]) -> float:
    """CPU time of `manage.py simulate` with an empty cache of kernels: start, imports, compiling and the answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scenario.json"
        path.write_text(json.dumps(scenario), encoding="utf-8")
        before = _children_seconds()
        subprocess.run(
            [sys.executable, str(settings.BASE_DIR / "manage.py"), "simulate", str(path), "--json"],
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return _children_seconds() - before


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _times(allowed: float, value: float) -> float:
    """How many times the value fits into what is allowed; a value that is as good as zero counts as a billionth."""
    return allowed / max(value, 1e-9)
