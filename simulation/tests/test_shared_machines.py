"""Machines shared by a group: against the matrix of the Markov chain, textbook cases, and a run of events."""

import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.shared_machines import late_share, mean_wait, most_people, seen_on_arrival


def balance(*, people: int, machines: int, job: float, pause: float) -> np.ndarray:
    """Solve the chain of how many wait or are served, from its matrix of rates."""
    rates = np.zeros((people + 1, people + 1))
    for busy in range(people + 1):
        if busy < people:
            rates[busy, busy + 1] = (people - busy) / pause
        if busy:
            rates[busy, busy - 1] = min(busy, machines) / job
        rates[busy, busy] = -rates[busy].sum()
    system = np.vstack((rates.T, np.ones(people + 1)))
    return np.linalg.lstsq(system, np.append(np.zeros(people + 1), 1.0), rcond=None)[0]


@given(
    people=st.integers(2, 25),
    machines=st.integers(1, 8),
    job=st.floats(0.5, 20),
    pause=st.floats(0.5, 60),
)
def test_who_arrives_sees_the_others_in_their_steady_state(
    people: int, machines: int, job: float, pause: float
) -> None:
    seen = seen_on_arrival(people=people, machines=machines, job=job, pause=pause)

    assert seen == pytest.approx(balance(people=people - 1, machines=machines, job=job, pause=pause), abs=1e-9)


@given(people=st.integers(1, 40), machines=st.integers(1, 8), job=st.floats(0.5, 20), pause=st.floats(0.5, 60))
def test_mean_wait_keeps_littles_law(people: int, machines: int, job: float, pause: float) -> None:
    """The rate at which the group works, times the mean time of one round, is the number of people."""
    wait = mean_wait(people=people, machines=machines, job=job, pause=pause)
    state = balance(people=people, machines=machines, job=job, pause=pause)
    rate = float(state @ np.minimum(np.arange(people + 1), machines)) / job

    assert rate * (pause + wait + job) == pytest.approx(people, rel=1e-6)


def test_nobody_waits_where_everybody_has_a_machine() -> None:
    assert late_share(people=4, machines=4, job=5, pause=1, patience=0) == 0.0
    assert mean_wait(people=4, machines=4, job=5, pause=1) == 0.0


def test_two_people_and_one_machine_are_late_as_the_formula_says() -> None:
    """The other is being served with chance job / (job + pause), and is done in time with 1 − e^(−t / job)."""
    late = late_share(people=2, machines=1, job=10, pause=30, patience=5)

    assert late == pytest.approx(0.25 * np.exp(-0.5))


def test_the_share_of_late_jobs_is_that_of_a_run_of_events() -> None:
    rng = np.random.default_rng(7)
    waits = run_of_events(people=12, machines=3, job=10, pause=40, jobs=60_000, rng=rng)

    for patience in (0.0, 5.0, 20.0):
        late = late_share(people=12, machines=3, job=10, pause=40, patience=patience)
        assert np.mean(waits > patience) == pytest.approx(late, abs=0.01)
    assert waits.mean() == pytest.approx(mean_wait(people=12, machines=3, job=10, pause=40), rel=0.03)


def run_of_events(
    *, people: int, machines: int, job: float, pause: float, jobs: int, rng: np.random.Generator
) -> np.ndarray:
    """Let people work, want a machine and wait for the one that is free first, in the order in which they come."""
    wanting = [(rng.exponential(pause), person) for person in range(people)]
    heapq.heapify(wanting)
    free = [0.0] * machines
    waits = np.empty(jobs)
    for number in range(jobs):
        wanted, person = heapq.heappop(wanting)
        begun = max(wanted, heapq.heappop(free))
        ended = begun + rng.exponential(job)
        heapq.heappush(free, ended)
        heapq.heappush(wanting, (ended + rng.exponential(pause), person))
        waits[number] = begun - wanted
    return waits


@given(machines=st.integers(1, 6), job=st.floats(1, 20), pause=st.floats(1, 60), patience=st.floats(0, 30))
def test_the_largest_group_is_served_and_one_more_is_not(
    machines: int, job: float, pause: float, patience: float
) -> None:
    most = most_people(machines=machines, job=job, pause=pause, patience=patience, late=0.05, most=200)

    assert late_share(people=most, machines=machines, job=job, pause=pause, patience=patience) <= 0.05
    if most < 200:
        assert late_share(people=most + 1, machines=machines, job=job, pause=pause, patience=patience) > 0.05


@pytest.mark.parametrize("wrong", [{"people": 0}, {"machines": 0}, {"job": 0.0}, {"pause": -1.0}])
def test_what_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be above zero"):
        mean_wait(**{"people": 2, "machines": 1, "job": 1.0, "pause": 1.0, **wrong})  # type: ignore[arg-type]
