"""The supervisor of the embedded product, with small children in place of web, worker and ticker."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.supervisor import Child, Supervisor, describe_end, restart_delay, rotate_log
from tests.servers import ROOT

OBEDIENT = "import time; time.sleep(60)"
STUBBORN = "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(60)"
WITH_HELPER = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
FOREMAN = f"""
import os, sys
from pathlib import Path
from config.supervisor import Child, Supervisor

child = Child(name="child", command=[sys.executable, "-c", {OBEDIENT!r}])
folder = Path(sys.argv[1])
supervisor = Supervisor(children=[child], log_dir=folder, environment=dict(os.environ), folder=folder, say=print)
supervisor.run(is_ready=lambda: True, on_ready=lambda: print(supervisor.watched[0].process.pid, flush=True))
"""


def supervisor_of(*programs: str, log_dir: Path, said: list[str], stop_seconds: float = 10.0) -> Supervisor:
    children = [Child(name=f"child{n}", command=[sys.executable, "-c", text]) for n, text in enumerate(programs)]
    return Supervisor(
        children=children,
        log_dir=log_dir,
        environment=dict(os.environ),
        folder=log_dir,
        say=said.append,
        stop_seconds=stop_seconds,
    )


def run_in_own_process(supervisor: Supervisor, *, until: str) -> int:
    """Run the supervisor until a Python expression of `s` holds, with this test's signal handlers put back after."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        return supervisor.run(
            is_ready=lambda: bool(eval(until, {"s": supervisor})),
            on_ready=lambda: supervisor.ask_to_stop(signal.SIGTERM, None),
        )
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_first_death_is_followed_by_a_start_at_once_and_later_ones_by_longer_waits():
    waits = [restart_delay(deaths=[0.0] * count, now=1.0) for count in range(1, 6)]

    assert waits == [0.0, 1.0, 2.0, 4.0, None]


def test_deaths_of_more_than_a_minute_ago_do_not_count():
    assert restart_delay(deaths=[0.0, 1.0, 2.0, 3.0, 100.0], now=100.0) == 0.0


def test_the_end_of_a_process_is_told_in_words():
    assert describe_end(3) == "ended with code 3"
    assert describe_end(-9) == "was killed by SIGKILL"


def test_a_start_puts_the_older_logs_aside_and_keeps_five(tmp_path: Path):
    log = tmp_path / "web.log"
    for start in range(8):
        log.write_text(f"start {start}")
        rotate_log(log)

    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {f"web.log.{n}": f"start {8 - n}" for n in range(1, 6)}


def test_every_child_leads_a_session_of_its_own_and_ends_with_the_supervisor(tmp_path: Path):
    supervisor = supervisor_of(OBEDIENT, OBEDIENT, log_dir=tmp_path, said=[])

    code = run_in_own_process(supervisor, until="all(w.process for w in s.watched)")
    pids = [each.process.pid for each in supervisor.watched if each.process]
    ends = [each.process.returncode for each in supervisor.watched if each.process]

    assert code == 0
    assert len(pids) == 2
    assert ends == [-signal.SIGTERM, -signal.SIGTERM]
    assert not any(is_alive(pid) for pid in pids)


def test_a_child_that_ignores_the_signal_is_ended_by_force(tmp_path: Path):
    supervisor = supervisor_of(STUBBORN, log_dir=tmp_path, said=[], stop_seconds=0.3)

    run_in_own_process(supervisor, until="s.watched[0].log.read_text() == 'ready\\n'")

    assert supervisor.watched[0].process is not None
    assert supervisor.watched[0].process.returncode == -signal.SIGKILL


def test_a_killed_child_starts_again_and_nothing_of_the_old_one_is_left(tmp_path: Path):
    said: list[str] = []
    supervisor = supervisor_of(WITH_HELPER, log_dir=tmp_path, said=said)
    watched = supervisor.watched[0]
    supervisor.look_after_children()
    first = watched.process
    assert first is not None

    os.kill(first.pid, signal.SIGKILL)
    run_in_own_process(supervisor, until="s.watched[0].deaths and s.watched[0].process")

    assert said == [f"child0 was killed by SIGKILL; it starts again at once (log: {watched.log})"]
    assert watched.process is not None
    assert watched.process.pid != first.pid
    with pytest.raises(ProcessLookupError):
        os.killpg(first.pid, 0)


def test_a_child_that_dies_again_and_again_ends_the_whole_with_its_last_words(tmp_path: Path):
    said: list[str] = []
    supervisor = supervisor_of("print('no such table'); raise SystemExit(3)", log_dir=tmp_path, said=said)
    supervisor.watched[0].deaths = [float("inf")] * 4  # four deaths already, all within the last minute

    code = run_in_own_process(supervisor, until="False")

    assert code == 1
    assert said == [
        "child0 ended with code 3, death 5 within a minute; giving up. Its last words:",
        "no such table",
    ]


def test_errors_in_a_log_are_repeated_on_the_terminal_and_other_lines_are_not(tmp_path: Path):
    said: list[str] = []
    supervisor = supervisor_of(OBEDIENT, log_dir=tmp_path, said=said)
    supervisor.watched[0].log.write_text("12:00 WARNING slow\n12:01 ERROR disk full\n12:02 ERROR half a li")

    supervisor.pass_on_errors(supervisor.watched[0])
    supervisor.pass_on_errors(supervisor.watched[0])

    assert said == ["child0: 12:01 ERROR disk full"]


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells children of their parent's death only on Linux")
def test_children_end_when_the_supervisor_itself_is_killed(tmp_path: Path):
    command = [sys.executable, "-c", FOREMAN, str(tmp_path)]
    foreman = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert foreman.stdout is not None
    child = os.pidfd_open(int(foreman.stdout.readline()))

    foreman.kill()
    foreman.wait()

    signalled, _, _ = select.select([child], [], [], 10)
    assert signalled == [child]
    os.close(child)
