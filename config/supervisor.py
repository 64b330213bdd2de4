"""The supervisor of the embedded product: keeps its few processes running, and stops every one of them.

Each child leads a process session of its own, so that Ctrl-C in the terminal reaches the supervisor alone, which then
signals the children's main processes: they know how to stop what they started.
"""

import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType

GIVE_UP_DEATHS = 5
QUICK_SECONDS = 60.0
LOGS_KEPT = 5
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
ERROR_LINE = re.compile(rb"\b(ERROR|CRITICAL)\b")


@dataclass(frozen=True)
class Child:
    """One process to keep running."""

    name: str
    command: Sequence[str]


@dataclass
class Watched:
    """A child with the process that runs it now, when it died before, and how far its log was read."""

    child: Child
    log: Path
    process: subprocess.Popen[bytes] | None = None
    deaths: list[float] = field(default_factory=list)
    start_at: float = 0.0
    log_read: int = 0


def restart_delay(*, deaths: Sequence[float], now: float) -> float | None:
    """Return the seconds to wait before a dead child starts again; None when it died too often in the last minute."""
    recent = [death for death in deaths if now - death < QUICK_SECONDS]
    if len(recent) >= GIVE_UP_DEATHS:
        return None
    return 0.0 if len(recent) <= 1 else 2.0 ** (len(recent) - 2)


def rotate_log(path: Path) -> None:
    """Put the log of the last start aside as name.log.1, and so on up to five."""
    for number in range(LOGS_KEPT - 1, -1, -1):
        older = path.with_name(f"{path.name}.{number}") if number else path
        if older.exists():
            older.replace(path.with_name(f"{path.name}.{number + 1}"))


def die_with_parent(*, parent: int) -> None:
    """Ask the kernel to end this process when its parent is gone (Linux); runs between fork and exec."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


class Supervisor:
    """Keeps the children running until it is asked to stop or one of them dies again and again."""

    def __init__(
        self,
        *,
        children: Sequence[Child],
        log_dir: Path,
        environment: dict[str, str],
        folder: Path,
        say: Callable[[str], None],
        stop_seconds: float = 10.0,
    ) -> None:
        self.environment = environment
        self.folder = folder
        self.say = say
        self.stop_seconds = stop_seconds
        self.stopping = False
        self.hurried = False
        log_dir.mkdir(parents=True, exist_ok=True)
        self.watched = [Watched(child=child, log=log_dir / f"{child.name}.log") for child in children]
        for each in self.watched:
            rotate_log(each.log)

    def run(self, *, is_ready: Callable[[], bool], on_ready: Callable[[], None]) -> int:
        """Start the children, call `on_ready` once, watch until asked to stop; return the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup stays in force
                signal.signal(number, self.ask_to_stop)
        announced = False
        code = 0
        try:
            while not self.stopping and code == 0:
                code = self.look_after_children()
                if code == 0 and not announced and is_ready():
                    on_ready()
                    announced = True
                time.sleep(0.1)
        finally:
            self.stop()
        return code

    def ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        """Remember the wish to stop; a second wish, or a second Ctrl-C, hurries."""
        self.hurried = self.stopping
        self.stopping = True

    def look_after_children(self) -> int:
        """Start what does not run, pass on what went wrong; return 1 when a child cannot be kept running."""
        now = time.monotonic()
        for each in self.watched:
            self.pass_on_errors(each)
            is_dead = each.process is not None and each.process.poll() is not None
            if is_dead and not self.plan_restart(each, now=now):
                return 1
            if each.process is None and now >= each.start_at:
                self.start(each)
        return 0

    def start(self, each: Watched) -> None:
        with each.log.open("ab") as log:
            each.process = subprocess.Popen(
                each.child.command,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, parent=os.getpid()),
            )

    def plan_restart(self, each: Watched, *, now: float) -> bool:
        """Note a death and clear its leftovers; False when the child died too often to try again."""
        assert each.process is not None
        how = describe_end(each.process.returncode)
        kill_session(each.process)
        each.process = None
        each.deaths.append(now)
        delay = restart_delay(deaths=each.deaths, now=now)
        if delay is None:
            self.say(f"{each.child.name} {how}, death {GIVE_UP_DEATHS} within a minute; giving up. Its last words:")
            self.say(last_lines(each.log, count=15))
            return False
        each.start_at = now + delay
        when = f"in {delay:.0f} s" if delay else "at once"
        self.say(f"{each.child.name} {how}; it starts again {when} (log: {each.log})")
        return True

    def pass_on_errors(self, each: Watched) -> None:
        """Repeat on the terminal what a child logged as an error; the whole story stays in its log."""
        if not each.log.exists() or each.log.stat().st_size == each.log_read:
            return
        with each.log.open("rb") as log:
            log.seek(each.log_read)
            text = log.read()
        whole_lines = text[: text.rfind(b"\n") + 1]
        each.log_read += len(whole_lines)
        for line in whole_lines.splitlines():
            if ERROR_LINE.search(line):
                self.say(f"{each.child.name}: {line.decode(errors='replace')}")

    def stop(self) -> None:
        """Ask every child's main process to end, wait, then end by force whatever is left of its session."""
        running = [each.process for each in self.watched if each.process is not None]
        for process in running:
            process.terminate()  # does nothing to a process that was already seen to end
        deadline = time.monotonic() + self.stop_seconds
        while not self.hurried and time.monotonic() < deadline:
            if all(process.poll() is not None for process in running):
                break
            time.sleep(0.05)
        for process in running:
            kill_session(process)
            process.wait()


def kill_session(process: subprocess.Popen[bytes]) -> None:
    """End by force what is left of a child's process group, its main process included."""
    with suppress(ProcessLookupError):  # nothing was left
        os.killpg(process.pid, signal.SIGKILL)


def describe_end(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"


def last_lines(path: Path, *, count: int) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-count:])
