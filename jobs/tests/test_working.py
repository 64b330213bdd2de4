import pytest

from core.errors import RuleBroken
from jobs import bells, handlers, working
from jobs.handlers import PointContext, handler_for, point_seed, register
from jobs.models import Bell, JsonDict, Run, RunState
from jobs.services import run_cancel
from jobs.tasks import work
from jobs.tests.factories import NOW, make_run
from jobs.working import work_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_other_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "_handlers", {})


def value_and_seed(context: PointContext, point: JsonDict) -> JsonDict:
    return {"value": point["value"], "seed": context.seed}


def total(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    return {"total": sum(result["value"] for result in results), "unit": parameters["unit"]}


def work_off() -> int:
    turns = 0
    while work_once():
        turns += 1
    return turns


def test_a_run_is_computed_point_by_point_and_joined_at_the_end() -> None:
    settled: list[tuple[int, JsonDict]] = []
    register("test.sum", execute=value_and_seed, finish=total, settle=lambda *facts: settled.append(facts))
    run = make_run(points=4)

    assert work_off() == 5

    run.refresh_from_db()
    assert (run.state, run.result, run.progress_done) == (RunState.DONE, {"total": 6, "unit": "MB/s"}, 5)
    assert settled == [(run.pk, run.result)]


def test_the_same_run_twice_gives_the_same_seeds_for_its_points() -> None:
    register("test.sum", execute=value_and_seed, finish=total)
    first, again = make_run(points=3), make_run(points=3, account_id=2)

    work_off()

    seeds = [[each.result["seed"] for each in run.point_results.all()] for run in (first, again)]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 3


def test_seeds_never_change_between_releases() -> None:
    assert point_seed(run_seed=1, index=0) == 8431846347943309920
    assert point_seed(run_seed=1, index=1) == 4042681867674859579


def test_a_broken_rule_refuses_the_run_and_shows_its_words() -> None:
    def refuse(context: PointContext, point: JsonDict) -> JsonDict:
        raise RuleBroken("nothing_fits", "No machine type fits.")

    register("test.sum", execute=refuse, finish=total)
    run = make_run(points=3)

    assert work_off() == 1

    run.refresh_from_db()
    assert (run.state, run.failure, run.reason) == (RunState.FAILED, "refused", "No machine type fits.")


def test_a_crash_fails_only_its_own_run(caplog: pytest.LogCaptureFixture) -> None:
    def crash(context: PointContext, point: JsonDict) -> JsonDict:
        raise ValueError("negative size")

    register("test.crash", execute=crash, finish=total)
    register("test.sum", execute=value_and_seed, finish=total)
    broken = make_run(points=1, kind="test.crash", account_id=1)
    sound = make_run(points=1, account_id=2)

    work_off()

    broken.refresh_from_db()
    sound.refresh_from_db()
    assert (broken.state, broken.failure) == (RunState.FAILED, "crashed")
    assert broken.reason == "Point 0 failed 3 times. The last time: ValueError: negative size"
    assert sound.state == RunState.DONE
    assert caplog.text.count("Traceback") == 3


def test_a_crash_while_settling_fails_the_run_and_leaves_it_without_result() -> None:
    def settle(run_id: int, result: JsonDict) -> None:
        raise ZeroDivisionError("no price")

    register("test.sum", execute=value_and_seed, finish=total, settle=settle)
    run = make_run(points=1)

    work_off()

    run.refresh_from_db()
    assert (run.state, run.result) == (RunState.FAILED, None)
    assert run.reason == "The final point failed 3 times. The last time: ZeroDivisionError: no price"


def test_a_kind_that_no_room_registered_fails_in_plain_words() -> None:
    run = make_run(points=1, kind="test.unknown")

    work_off()

    run.refresh_from_db()
    assert "No handler is registered for runs of the kind “test.unknown”." in run.reason
    with pytest.raises(LookupError):
        handler_for("test.unknown")


def test_a_handler_sees_that_its_run_was_cancelled_and_stops() -> None:
    seen: list[bool] = []

    def cancel_me(context: PointContext, point: JsonDict) -> JsonDict:
        seen.append(context.is_cancelled())
        run_cancel(run_id=context.run_id, account_id=1, now=NOW)
        seen.append(context.is_cancelled())
        context.stop_if_cancelled()
        raise AssertionError("The handler went on.")

    register("test.sum", execute=cancel_me, finish=total)
    run = make_run(points=3)

    assert work_off() == 1

    run.refresh_from_db()
    assert seen == [False, True]
    assert (run.state, run.point_results.count()) == (RunState.CANCELLED, 0)


def test_cancelling_between_points_leaves_the_rest_undone() -> None:
    register("test.sum", execute=value_and_seed, finish=total)
    run = make_run(points=3)
    work_once()

    run_cancel(run_id=run.pk, account_id=1, now=NOW)

    assert work_off() == 0
    assert run.point_results.count() == 1


def test_a_handler_tells_its_progress() -> None:
    def talk(context: PointContext, point: JsonDict) -> JsonDict:
        context.say("profiling c = 1 of 8")
        return {"value": 0}

    register("test.sum", execute=talk, finish=total)
    run = make_run(points=1)

    work_off()

    assert Run.objects.get(pk=run.pk).progress_words == "profiling c = 1 of 8"


def test_a_worker_answers_its_bell_and_rings_for_what_still_waits(rung: list[int]) -> None:
    register("test.sum", execute=value_and_seed, finish=total)
    run = make_run(points=2)
    bells.ring_for_waiting(now=NOW)

    heard = 0
    while heard < len(rung):
        work(rung[heard])
        heard += 1

    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert Bell.objects.count() == 0


def test_a_bell_for_nothing_does_no_harm() -> None:
    assert working.work_once() is False
