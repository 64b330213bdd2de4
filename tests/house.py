"""Real worker and ticker processes for one test, on the database and the broker of the test run."""

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.db import connection

WORKER = ["-m", "celery", "-A", "config", "worker"]
QUIET = ["--without-mingle", "--without-gossip", "--loglevel", "INFO"]


@dataclass
class House:
    """The worker and ticker processes of one test, on a queue and in a folder of their own."""

    folder: Path
    environment: dict[str, str]
    include: str
    """The module that workers load beside those of the product."""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start_worker(self, *, processes: int = 1) -> subprocess.Popen[bytes]:
        return self._start(*WORKER, "--concurrency", str(processes), "--include", self.include, *QUIET)

    def start_ticker(self) -> subprocess.Popen[bytes]:
        return self._start("manage.py", "tick")

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the process and its children, which share the session that it was started in."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def close(self) -> None:
        """Kill every process that still runs, so that the test is alone with the database and the broker."""
        for process in self.processes:
            self.kill(process)

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        log = self.folder / f"{len(self.processes)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=settings.BASE_DIR,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process


@contextmanager
def house_of(*, folder: Path, include: str, lease_seconds: float, **more: str) -> Iterator[House]:
    """Give a house whose leases last so long; in the end its processes are killed and their logs shown."""
    environment = _environment(folder=folder, lease_seconds=lease_seconds, more=more)
    house = House(folder=folder, environment=environment, include=include)
    try:
        yield house
    finally:
        house.close()
        for log in sorted(folder.glob("*.log")):
            sys.stdout.write(f"--- {log.name}\n{log.read_text()}\n")


def _environment(*, folder: Path, lease_seconds: float, more: Mapping[str, str]) -> dict[str, str]:
    return os.environ | {
        "DATABASE_URL": database_url(),
        "RACKWRIGHT_DATA": str(folder),
        "RACKWRIGHT_QUEUE": f"killed-{uuid.uuid4().hex}",
        "RACKWRIGHT_LEASE_SECONDS": str(lease_seconds),
        "RACKWRIGHT_BELL_SECONDS": "2",
        "RACKWRIGHT_TICK_SECONDS": "0.2",
        **more,
    }


def database_url() -> str:
    """Return the address of the database that this test runs on, for other processes."""
    facts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{facts['NAME']}"
    person = ":".join(part for part in (facts["USER"], facts["PASSWORD"]) if part)
    return f"postgres://{person}@{facts['HOST']}:{facts['PORT']}/{facts['NAME']}"
