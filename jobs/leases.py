"""Keeping a lease alive from a thread while the point computes."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, connection

from core import clock
from jobs.points import Claim, lease_renew

logger = logging.getLogger(__name__)


@contextmanager
def lease_kept(*, claim: Claim) -> Iterator[None]:
    """Renew the lease every third of its length until the block ends."""
    ended = Event()
    thread = Thread(target=_renew_until, kwargs={"claim": claim, "ended": ended}, daemon=True)
    if settings.LEASE_SECONDS:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if thread.is_alive():
            thread.join()


def _renew_until(*, claim: Claim, ended: Event) -> None:
    try:
        while not ended.wait(settings.LEASE_SECONDS / 3):
            try:
                if not lease_renew(claim=claim, now=clock.now()):
                    return
            except DatabaseError as error:
                # Two more renewals fit into the lease, each on a fresh connection.
                logger.warning("A lease was not renewed: %s", error)
                connection.close()
    finally:
        connection.close()
