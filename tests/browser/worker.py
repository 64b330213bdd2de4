"""The worker of the browser journeys is the test itself, so that a plan waits exactly as long as a journey wants."""

from jobs.working import work_once
from orders import tasks as order_tasks
from planner import tasks as planner_tasks

WORKERS_KNOW = [order_tasks, planner_tasks]
"""Kinds of runs are registered by the modules that workers import."""


def work_on_one_part() -> None:
    assert work_once(), "Nothing waits for a worker."


def work_until_idle() -> None:
    while work_once():
        pass
