from datetime import timedelta

import pytest

from jobs.points import point_complete
from jobs.services import run_cancel
from jobs.tests.factories import NOW, claim_next, make_run

pytestmark = pytest.mark.django_db


def test_one_account_s_thousand_points_do_not_starve_another_s_one() -> None:
    large = make_run(points=1000, account_id=1)
    served = [claim_next().run_id]
    small = make_run(points=1, account_id=2)

    served += [claim_next().run_id for _ in range(3)]

    assert served == [large.pk, small.pk, large.pk, large.pk]


def test_the_account_with_the_fewest_busy_workers_comes_first() -> None:
    first = make_run(points=5, account_id=1)
    second = make_run(points=5, account_id=2)

    claims = [claim_next(now=NOW + timedelta(seconds=turn)) for turn in range(4)]
    assert [claim.run_id for claim in claims] == [first.pk, second.pk, first.pk, second.pk]

    point_complete(claim=claims[3], result={}, now=NOW + timedelta(seconds=4))

    assert claim_next(now=NOW + timedelta(seconds=5)).run_id == second.pk


def test_among_equally_busy_accounts_the_one_served_longest_ago_comes_first() -> None:
    early = make_run(points=3, account_id=1)
    late = make_run(points=3, account_id=2)

    served = []
    for turn in range(4):
        claim = claim_next(now=NOW + timedelta(seconds=turn))
        point_complete(claim=claim, result={}, now=NOW + timedelta(seconds=turn))
        served.append(claim.run_id)

    assert served == [early.pk, late.pk, early.pk, late.pk]


def test_an_account_that_was_just_served_does_not_jump_the_queue_with_a_new_run() -> None:
    make_run(points=1, account_id=1)
    point_complete(claim=claim_next(now=NOW), result={}, now=NOW)
    waiting = make_run(points=1, account_id=2)
    make_run(points=1, account_id=1)

    assert claim_next(now=NOW + timedelta(seconds=1)).run_id == waiting.pk


def test_the_runs_of_one_account_take_turns() -> None:
    sweep = make_run(points=5, account_id=1)
    plan = make_run(points=1, account_id=1)

    assert [claim_next(now=NOW + timedelta(seconds=turn)).run_id for turn in range(3)] == [sweep.pk, plan.pk, sweep.pk]


def test_cancelled_runs_get_no_turn() -> None:
    cancelled = make_run(points=5, account_id=1)
    claim_next()
    other = make_run(points=5, account_id=1)
    run_cancel(run_id=cancelled.pk, account_id=1, now=NOW)

    assert {claim_next().run_id for _ in range(5)} == {other.pk}
