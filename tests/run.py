"""The program behind bin/test: the suite on PostgreSQL and Redis, then the core journeys on the embedded pair."""

import os
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.servers import ROOT, ServersMissing, throwaway_servers

NO_TESTS = 5
PARALLEL = ["-n", "3"]
"""One process more than most machines of this size have processors: many tests wait for browsers, workers or leases."""
BYTECODE = ROOT / ".pytest_cache" / "bytecode"
"""Where every process of a run keeps what it compiled: there are dozens, and some machines keep no bytecode."""
SETTINGS = {
    *("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "CELERY_BROKER_URL", "REDIS_URL", "SECRET_KEY"),
    *("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DEBUG", "HTTPS", "LOG_LEVEL", "STATIC_ROOT", "NUMBA_CACHE_DIR"),
}


@dataclass(frozen=True)
class Outcome:
    """How one run of pytest ended: its exit code and its counts."""

    code: int
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        counts = f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"
        return counts if self.code in (0, 1, NO_TESTS) else f"{counts}, pytest ended early with code {self.code}"

    @property
    def is_good(self) -> bool:
        return self.code in (0, NO_TESTS)


def main(arguments: Sequence[str]) -> int:
    """Run both rounds with the given pytest arguments; return 0 when nothing failed and something ran."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that the servers are stopped
    with tempfile.TemporaryDirectory(prefix="rackwright-test-") as folder:
        return run_rounds(arguments, folder=Path(folder))


def run_rounds(arguments: Sequence[str], *, folder: Path) -> int:
    """Run both rounds in one data folder: the second finds the kernels that the first one compiled."""
    try:
        with throwaway_servers() as servers:
            print(f"PostgreSQL and Redis: {servers.origin}", flush=True)
            redis = servers.redis_url.rstrip("/")
            addresses = {
                "DATABASE_URL": servers.database_url,
                "CELERY_BROKER_URL": f"{redis}/0",
                "REDIS_URL": f"{redis}/1",
            }
            full = run_pytest(arguments=[*PARALLEL, *arguments], addresses=addresses, folder=folder)
    except ServersMissing as error:
        print(error, file=sys.stderr)
        return 1
    print("The core journeys again, on SQLite and the file-system broker", flush=True)
    again = [*PARALLEL, "-m", "journey and not narrow", *arguments]
    embedded = run_pytest(arguments=again, addresses={}, folder=folder)
    print(f"PostgreSQL: {full}\nSQLite: {embedded}", flush=True)
    if full.code == embedded.code == NO_TESTS:
        return NO_TESTS
    return 0 if full.is_good and embedded.is_good else 1


def run_pytest(*, arguments: Sequence[str], addresses: dict[str, str], folder: Path) -> Outcome:
    """Run pytest against these addresses with its data in this folder."""
    inherited = {name: value for name, value in os.environ.items() if not is_a_setting(name)}
    inherited.pop("PYTHONDONTWRITEBYTECODE", None)
    report = folder / f"{'postgresql' if addresses else 'sqlite'}.xml"
    data = {"RACKWRIGHT_TEST_DATA": str(folder), "PYTHONPYCACHEPREFIX": str(BYTECODE)}
    command = [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments]
    code = subprocess.run(command, cwd=ROOT, env={**inherited, **addresses, **data}, check=False).returncode
    return read_report(report, code=code)


def is_a_setting(name: str) -> bool:
    """Say whether a variable would make the product of this machine show through in the tests."""
    if name.startswith("RACKWRIGHT_"):
        return not name.startswith("RACKWRIGHT_TEST_")
    return name in SETTINGS


def read_report(report: Path, *, code: int) -> Outcome:
    """Read the counts that pytest wrote; a run that wrote none counts nothing."""
    if not report.exists():
        return Outcome(code=code)
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    total, failed, skipped = (
        sum(int(suite.get(name, "0")) for suite in suites for name in names)
        for names in (("tests",), ("failures", "errors"), ("skipped",))
    )
    return Outcome(code=code, passed=total - failed - skipped, failed=failed, skipped=skipped)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
