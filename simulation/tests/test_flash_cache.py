"""The flash cache as a fluid: straight lines against a simulation in small steps, and what must hold of any bursts."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simulation.flash_cache import Bursts, absorbed_bursts, drained_seconds, growth_of, rise_of

STEPS = 400
"""Steps of a phase: straight lines are exact at any number, a cut at the top or the bottom within one step."""


def waiting_after(bursts: Bursts, *, drain: float, room: float, rounds: int) -> tuple[float, float]:
    """Return what waits after so many rounds from an empty cache, and what it could not take at once in all of them.

    What finds no room is held back: the host waits, and writes it at the pace of the array.
    """
    waiting = held_back = 0.0
    quiet = bursts.every_seconds - bursts.burst_seconds
    for _ in range(rounds):
        for rate, seconds in ((bursts.burst, bursts.burst_seconds), (bursts.base, quiet)):
            level = waiting + (rate - drain) * seconds
            held_back += max(0.0, level - room)
            waiting = min(max(0.0, level), room)
    return waiting, held_back


@st.composite
def trains(draw: st.DrawFn) -> Bursts:
    base = draw(st.floats(0, 500))
    every = draw(st.floats(10, 5000))
    return Bursts(
        base=base,
        burst=base + draw(st.floats(0, 5000)),
        burst_seconds=every * draw(st.floats(0.01, 1)),
        every_seconds=every,
    )


def step_by_step(bursts: Bursts, *, drain: float, room: float, rounds: int) -> tuple[float, float]:
    """Fill and drain a cache in small steps: what waits in the end, and what found no room."""
    waiting = held_back = 0.0
    for _ in range(rounds):
        for rate, seconds in (
            (bursts.burst, bursts.burst_seconds),
            (bursts.base, bursts.every_seconds - bursts.burst_seconds),
        ):
            for _ in range(STEPS):
                waiting = max(0.0, waiting + (rate - drain) * seconds / STEPS)
                held_back += max(0.0, waiting - room)
                waiting = min(waiting, room)
    return waiting, held_back


@given(bursts=trains(), drain=st.floats(1, 3000), room=st.floats(0, 1e6), rounds=st.integers(0, 6))
def test_straight_lines_end_where_small_steps_do(bursts: Bursts, drain: float, room: float, rounds: int) -> None:
    waiting, held_back = waiting_after(bursts, drain=drain, room=room, rounds=rounds)

    in_steps = step_by_step(bursts, drain=drain, room=room, rounds=rounds)
    moved = max(bursts.burst, drain) * bursts.every_seconds
    assert waiting == pytest.approx(in_steps[0], abs=1e-6 * (moved + room) + 1e-6)
    assert held_back == pytest.approx(in_steps[1], abs=1e-6 * (moved + room) * max(1, rounds) + 1e-6)


@given(bursts=trains(), drain=st.floats(1, 3000), room=st.floats(1, 1e6))
def test_the_bursts_that_are_absorbed_hold_nothing_back_and_the_next_one_does(
    bursts: Bursts, drain: float, room: float
) -> None:
    count = absorbed_bursts(bursts, drain=drain, room=room)
    rise, growth = rise_of(bursts, drain=drain), growth_of(bursts, drain=drain)
    assume(growth == 0 or growth > 1e-3)
    assume(abs(rise - room) > 1e-3)
    assume(bursts.base <= drain)

    if count == math.inf:
        assert waiting_after(bursts, drain=drain, room=room, rounds=50)[1] == pytest.approx(0, abs=1e-3)
    elif count < 200:
        tight = (room - rise) / growth if growth else 0.5
        assume(abs(tight - round(tight)) > 1e-6)
        before = waiting_after(bursts, drain=drain, room=room, rounds=int(count))[1]
        after = waiting_after(bursts, drain=drain, room=room, rounds=int(count) + 1)[1]
        assert before == pytest.approx(0, abs=1e-6 * room)
        assert after > before


@given(bursts=trains(), drain=st.floats(1, 3000))
def test_an_array_falls_behind_just_when_more_is_written_on_average_than_it_drains(
    bursts: Bursts, drain: float
) -> None:
    assume(abs(bursts.mean - drain) > 1e-6 * drain)
    assume(bursts.burst > drain)

    assert (growth_of(bursts, drain=drain) > 0) == (bursts.mean > drain)


def test_a_burst_of_a_minute_waits_as_long_as_its_excess_takes() -> None:
    """1,000 a second for 60 s against 100 drained: 54,000 wait; 80 a second are left for them: 675 s."""
    bursts = Bursts(base=20, burst=1000, burst_seconds=60, every_seconds=3600)

    assert rise_of(bursts, drain=100) == 54_000
    assert drained_seconds(bursts, drain=100) == 675
    assert absorbed_bursts(bursts, drain=100, room=54_000) == math.inf
    assert absorbed_bursts(bursts, drain=100, room=53_999) == 0


def test_an_array_that_falls_behind_takes_some_bursts_and_never_drains() -> None:
    """A burst leaves (1,000 − 50) × 10 = 9,500 and the time after it (60 − 50) × 10 = 100 more: 9,600 a round."""
    bursts = Bursts(base=60, burst=1000, burst_seconds=10, every_seconds=20)

    assert drained_seconds(bursts, drain=50) == math.inf
    assert rise_of(bursts, drain=50) == 9_500
    assert growth_of(bursts, drain=50) == 9_600
    assert absorbed_bursts(bursts, drain=50, room=20_000) == 2


def test_a_slow_burst_leaves_nothing_waiting() -> None:
    bursts = Bursts(base=0, burst=50, burst_seconds=60, every_seconds=600)

    assert rise_of(bursts, drain=100) == 0
    assert drained_seconds(bursts, drain=100) == 0


@pytest.mark.parametrize(
    "wrong", [{"base": 9.0}, {"base": -1.0}, {"burst_seconds": 0.0}, {"burst_seconds": 11.0}], ids=str
)
def test_bursts_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="a burst must"):
        Bursts(**{"base": 1.0, "burst": 5.0, "burst_seconds": 2.0, "every_seconds": 10.0, **wrong})
