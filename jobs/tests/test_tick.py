"""The ticker as a process: when it ends, and what it survives."""

import os
import signal
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import OperationalError

from jobs.management.commands import tick


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    counted: list[int] = []
    monkeypatch.setattr(tick, "tick", lambda: counted.append(1))
    monkeypatch.setattr(tick, "close_old_connections", lambda: None)
    return counted


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_ticker_without_waiting_for_the_next_tick(monkeypatch, settings, number) -> None:
    settings.TICK_SECONDS = 3600
    monkeypatch.delenv("RACKWRIGHT_PARENT", raising=False)
    monkeypatch.setattr(tick, "_tick_patiently", lambda: os.kill(os.getpid(), number))

    assert call_command("tick") is None


def test_the_ticker_ends_when_the_process_that_started_it_is_gone(monkeypatch, settings, ticks: list[int]) -> None:
    settings.TICK_SECONDS = 0
    parents = iter([1234, 1234, 1])
    monkeypatch.setenv("RACKWRIGHT_PARENT", "1234")
    monkeypatch.setattr(tick.os, "getppid", lambda: next(parents))

    call_command("tick")

    assert len(ticks) == 2


def test_the_ticker_outlives_a_restart_of_the_database(monkeypatch, ticks: list[int]) -> None:
    closed: list[int] = []

    def fail() -> None:
        raise OperationalError("the database system is shutting down")

    monkeypatch.setattr(tick, "tick", fail)
    monkeypatch.setattr(tick.connection, "close", lambda: closed.append(1))

    tick._tick_patiently()

    assert closed == [1]
