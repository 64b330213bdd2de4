"""The ticker: rings for what waits or whose lease ran out, and starts periodic work."""

import logging
import os
import signal
from argparse import ArgumentParser
from threading import Event
from types import FrameType

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections, connection
from django.utils.module_loading import autodiscover_modules

from core import clock
from jobs import bells, periodic

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Ring for work that waits and start periodic work, until SIGTERM or Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="Tick once and end.")

    def handle(self, *args: object, once: bool, **options: object) -> None:
        autodiscover_modules("periodic")
        if once:
            tick()
            return
        stopped = Event()

        def stop(signum: int, frame: FrameType | None) -> None:
            stopped.set()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        parent = int(os.environ.get("RACKWRIGHT_PARENT", "0"))
        while not stopped.is_set() and parent in (0, os.getppid()):
            _tick_patiently()
            stopped.wait(settings.TICK_SECONDS)


def tick() -> None:
    """Ring for what waits, then start what is due."""
    now = clock.now()
    bells.ring_for_waiting(now=now)
    periodic.start_due(now=now)


def _tick_patiently() -> None:
    close_old_connections()
    try:
        tick()
    except DatabaseError as error:
        # The database may be restarting, and the ticker must outlive that.
        logger.warning("This tick failed: %s", error)
        connection.close()
