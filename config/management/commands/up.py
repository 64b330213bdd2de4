"""Run the embedded product: one web process, one worker and the ticker, kept by a supervisor."""

import fcntl
import http.client
import os
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from accounts.demo import DEMO_PASSWORD, DemoSignIn, demo_sign_ins_at
from config.preparing import is_embedded_database, prepare_all
from config.supervisor import Child, Supervisor


class Command(BaseCommand):
    """`manage.py up [--port N] [--prepare] [--demo]`: run until Ctrl-C or SIGTERM."""

    help = "Run web, worker and ticker on this machine until Ctrl-C or SIGTERM."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=settings.PORT, help="Loopback port of the web pages.")
        parser.add_argument("--prepare", action="store_true", help="First migrate, then load catalogue and demo.")
        parser.add_argument("--demo", action="store_true", help="Load the demo even into the database of DATABASE_URL.")

    def handle(self, *args: object, port: int, prepare: bool, demo: bool, **options: object) -> None:
        refuse_busy_port(port)
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        with open(settings.DATA_DIR / "up.lock", "a") as lock:
            refuse_second_supervisor(lock)
            if prepare:
                prepare_all(with_demo=settings.EMBEDDED and (demo or is_embedded_database()), say=self.say)
            sign_ins = demo_sign_ins_at(None)
            connections.close_all()  # the children open their own
            supervisor = Supervisor(
                children=product_processes(port=port),
                log_dir=settings.DATA_DIR / "logs",
                environment=child_environment(port=port),
                folder=settings.BASE_DIR,
                say=self.say,
            )
            self.say(f"Starting web, worker and ticker (logs in {settings.DATA_DIR / 'logs'})")
            code = supervisor.run(
                is_ready=lambda: web_answers(port=port),
                on_ready=lambda: self.say(welcome(port=port, sign_ins=sign_ins)),
            )
        self.say("Stopped.")
        if code:
            raise CommandError("Rackwright could not be kept running.", returncode=code)

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def product_processes(*, port: int) -> list[Child]:
    """Return the three processes of the product: web pages, computations, periodic work."""
    web = ["gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", "2", "--graceful-timeout", "8"]
    web += ["--limit-request-line", "8190"]  # the address of the composer carries every choice
    workers = ["--concurrency", str(min(os.cpu_count() or 1, 8)), "--loglevel", "WARNING"]
    worker = ["celery", "-A", "config", "worker", "--without-mingle", "--without-gossip", *workers]
    return [
        Child(name="web", command=[sys.executable, "-m", *web, "--no-control-socket"]),
        Child(name="worker", command=[sys.executable, "-m", *worker]),
        Child(name="ticker", command=[sys.executable, str(settings.BASE_DIR / "manage.py"), "tick"]),
    ]


def child_environment(*, port: int) -> dict[str, str]:
    data = {"RACKWRIGHT_DATA": str(settings.DATA_DIR), "NUMBA_CACHE_DIR": str(Path(settings.DATA_DIR) / "numba")}
    links = {"RACKWRIGHT_PORT": str(port), "RACKWRIGHT_PARENT": str(os.getpid())}
    return {**os.environ, **data, **links, "PYTHONUNBUFFERED": "1"}


def refuse_busy_port(port: int) -> None:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise CommandError(f"Port {port} cannot be used ({error}): choose another with --port.") from error


def refuse_second_supervisor(lock: IO[str]) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        message = f"Rackwright already runs on the data folder {settings.DATA_DIR}: stop it, or set RACKWRIGHT_DATA."
        raise CommandError(message) from error


def web_answers(*, port: int) -> bool:
    """Say whether the web process answers; a refusal of our host name is an answer too."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def welcome(*, port: int, sign_ins: Sequence[DemoSignIn]) -> str:
    """Return the lines that tell the address and, where the demo is loaded, as whom to sign in."""
    lines = ["", f"Rackwright is ready: http://localhost:{port}/"]
    if sign_ins:
        lines.append(f"Demo sign-ins, each with the password {DEMO_PASSWORD}:")
        lines += [f"  http://{each.host}:{port}/  {each.email}  ({each.words})" for each in sign_ins]
    return "\n".join([*lines, "Ctrl-C stops it.", ""])
