"""How much faster a sweep gets on two worker processes, beside the same points on two plain processes.

The workers are those of a new installation in a temporary folder, with its SQLite and its file-system broker; nothing
of the installation that measures is touched.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

from django.conf import settings

from planner.benchmarks import BenchRow
from simulation.figures import shipped_figures
from simulation.kernels.outcomes import Effort, scenario_outcome
from simulation.parameters import load_parameter_set

CLIENTS = tuple(range(9, 33))
WARM_UP_CLIENTS = tuple(range(1, 9))
EFFORT = Effort(operations=250_000, members=0, most_windows=120)
SEED = 20121217
REPEATS = 3
"""The least time of so many counts: the one that other work on the machine disturbed the least."""
STORED_ELSEWHERE = ("DATABASE_URL", "CELERY_BROKER_URL", "REDIS_URL", "RACKWRIGHT_QUEUE")


def sweep_speedup() -> list[BenchRow]:
    """Time the sweep on one and on two worker processes and the same points on one and on two plain processes.

    The value of the last row is the share of the plain processes' speed-up that the workers reach; 0.85 is promised.
    """
    with tempfile.TemporaryDirectory(prefix="rackwright-bench-") as folder:
        environment = _environment(Path(folder))
        _manage(["migrate", "--verbosity", "0"], environment)
        plain = {count: min(_plain_seconds(count) for _ in range(REPEATS)) for count in (1, 2)}
        workers = {count: _worker_seconds(count, environment) for count in (1, 2)}
    faster_plain, faster_workers = plain[1] / plain[2], workers[1] / workers[2]
    points = f"a sweep of {len(CLIENTS)} points"
    return [
        BenchRow(f"{points}, one worker process (reference: one plain process)", workers[1], "s", plain[1],
                 plain[1] / workers[1]),
        BenchRow(f"{points}, two worker processes (reference: two plain processes)", workers[2], "s", plain[2],
                 plain[2] / workers[2]),
        BenchRow("speed-up of two worker processes (reference: of two plain processes)", faster_workers, "times",
                 faster_plain, faster_workers / faster_plain),
    ]  # fmt: skip


def sweep_scenario() -> dict[str, object]:
    """Return the scenario of the sweep: the first published one of a key-value store."""
    return next(entry["scenario"] for entry in shipped_figures() if entry["scenario"]["workload"] == "kv_store")


def _plain_seconds(processes: int) -> float:
    """Return how long so many processes take for all points, from when every one of them has its kernel ready."""
    context = get_context("spawn")
    ready, done = context.Barrier(processes + 1), context.Barrier(processes + 1)
    started = [
        context.Process(target=_compute_points, args=(CLIENTS[number::processes], ready, done))
        for number in range(processes)
    ]
    for process in started:
        process.start()
    ready.wait()
    begin = time.perf_counter()
    done.wait()
    seconds = time.perf_counter() - begin
    for process in started:
        process.join()
    return seconds


def _compute_points(clients: Sequence[int], ready: Barrier, done: Barrier) -> None:
    scenario, parameters = sweep_scenario(), load_parameter_set()

    def compute(count: int) -> None:
        scenario_outcome({**scenario, "clients": count}, parameters, seed=SEED, effort=EFFORT)

    compute(WARM_UP_CLIENTS[-1])
    ready.wait()
    for count in clients:
        compute(count)
    done.wait()


def _worker_seconds(processes: int, environment: dict[str, str]) -> float:
    """Return how long the workers take from the first point's start to the last one's end, once they are warm."""
    with _workers(processes, environment):
        _ask(WARM_UP_CLIENTS, environment)
        return min(_ask(CLIENTS, environment) for _ in range(REPEATS))


def _ask(clients: Sequence[int], environment: dict[str, str]) -> float:
    answer = _manage(["bench_sweep", *map(str, clients)], environment)
    seconds: float = json.loads(answer.splitlines()[-1])["seconds"]
    return seconds


@contextmanager
def _workers(processes: int, environment: dict[str, str]) -> Iterator[None]:
    worker = ["-m", "celery", "-A", "config", "worker", "--concurrency", str(processes), "--loglevel", "ERROR"]
    commands = [worker, ["manage.py", "tick"]]
    started = [
        subprocess.Popen(
            [sys.executable, *command],
            cwd=settings.BASE_DIR,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for command in commands
    ]
    try:
        yield
    finally:
        for process in started:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _environment(folder: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in STORED_ELSEWHERE}
    return inherited | {"RACKWRIGHT_DATA": str(folder), "RACKWRIGHT_TICK_SECONDS": "0.2"}


def _manage(arguments: Sequence[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout
