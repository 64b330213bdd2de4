"""Waiting for other processes: ask again until it is so, or until the deadline."""

import time
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")

ASK_AGAIN_SECONDS = 0.05


def wait_until(ask: Callable[[], Answer], *, seconds: float) -> Answer:
    """Return the first answer that is true, or the last one when the deadline has passed."""
    deadline = time.monotonic() + seconds
    while not (answer := ask()) and time.monotonic() < deadline:
        time.sleep(ASK_AGAIN_SECONDS)
    return answer
