"""The running product as bin/up starts it: it gets ready, says how to sign in, and leaves no process behind."""

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.run import is_a_setting
from tests.servers import ROOT, free_port
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts processes in /proc")


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def start(tmp_path: Path, port: int) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    """Start the product on a data folder that is empty at first, in a process group of its own as a terminal would."""
    inherited = {name: value for name, value in os.environ.items() if not is_a_setting(name)}
    environment = inherited | {"RACKWRIGHT_DATA": str(tmp_path / "data"), "RACKWRIGHT_PORT": str(port)}
    command = [sys.executable, str(ROOT / "bin/_manage.py"), "up", "--prepare", "--port", str(port)]
    started = []

    def start() -> subprocess.Popen[str]:
        started.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, process_group=0))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()


def lines_until_ready(product: subprocess.Popen[str]) -> list[str]:
    assert product.stdout is not None
    lines = []
    for line in product.stdout:
        lines.append(line.strip())
        if lines[-1] == "Ctrl-C stops it.":
            return lines
    raise AssertionError(f"It ended before it was ready: {lines}")


def descendants(pid: int) -> set[int]:
    """Return the ids of all living processes that this one started, and those that they started."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while we looked
        parents[int(path.parent.name)] = int(after_name[1])
    found: set[int] = set()
    frontier = {pid}
    while frontier:
        frontier = {child for child, parent in parents.items() if parent in frontier} - found
        found |= frontier
    return found


def status_of(port: int, *, path: str, host: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Host": host})
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_product_gets_ready_says_how_to_sign_in_and_stops_whole_however_it_is_ended(
    start: Callable[[], subprocess.Popen[str]], port: int
):
    for number in (signal.SIGTERM, signal.SIGINT):
        product = start()
        lines = lines_until_ready(product)
        children = descendants(product.pid)

        assert f"Rackwright is ready: http://localhost:{port}/" in lines
        assert any(line.startswith(f"http://north.localhost:{port}/") for line in lines)
        assert any(line.startswith(f"http://harbor.localhost:{port}/") for line in lines)
        assert status_of(port, path="/healthz", host="localhost") == 200
        assert len(children) >= 3

        product.send_signal(number)

        assert product.wait(timeout=20) == 0
        assert living(children) == set()

    killed = start()
    lines_until_ready(killed)
    children = descendants(killed.pid)

    killed.kill()
    killed.wait()

    assert wait_until(lambda: not living(children), seconds=30)


def living(processes: set[int]) -> set[int]:
    return {pid for pid in processes if Path(f"/proc/{pid}").exists()}
