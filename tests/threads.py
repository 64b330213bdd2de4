"""Letting several threads go at the same moment, for races on a real database."""

from collections.abc import Callable, Sequence
from threading import Barrier, Thread

from django.db import IntegrityError, connection

from core.errors import RuleBroken

WAIT_SECONDS = 30


def at_the_same_moment(calls: Sequence[Callable[[], object]]) -> list[object]:
    """Run each call in a thread of its own, all let go at once; return what each returned, or the error it met."""
    start = Barrier(len(calls))
    outcomes: list[object] = [None] * len(calls)

    def run(index: int) -> None:
        try:
            start.wait(WAIT_SECONDS)
            outcomes[index] = calls[index]()
        except (RuleBroken, IntegrityError) as error:
            outcomes[index] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_SECONDS)
    return outcomes
