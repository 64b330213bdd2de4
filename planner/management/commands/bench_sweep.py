"""The asking side of the sweep's benchmark: start it on this installation's workers, wait, tell how long it took."""

import json
import time
from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Max, Min

from accounts.models import Account, Partner, User
from core import clock
from jobs.models import Point, RunState
from planner.management.sweep_bench import SEED, sweep_scenario
from planner.models import Simulation
from planner.simulations.asking import Question, Sweep
from planner.simulations.starting import simulation_start

NAME = "Benchmark"
ASK_AGAIN_SECONDS = 0.1


class Command(BaseCommand):
    help = "Run one sweep of the benchmark and print its seconds. Only for an installation without accounts of its own."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("clients", nargs="+", type=int, metavar="CLIENTS", help="the swept numbers of clients")

    def handle(self, *args: Any, clients: list[int], **options: Any) -> None:
        if Account.objects.exclude(name=NAME).exists():
            raise CommandError("This installation has accounts; the benchmark wants one of its own.")
        simulation = _start(tuple(clients))
        while not simulation.run.is_finished:
            time.sleep(ASK_AGAIN_SECONDS)
            simulation.run.refresh_from_db()
        if simulation.run.state != RunState.DONE:
            raise CommandError(f"The sweep ended {simulation.run.state}: {simulation.run.reason}")
        begin, end = _span(simulation)
        self.stdout.write(json.dumps({"seconds": (end - begin).total_seconds()}))


def _start(clients: tuple[int, ...]) -> Simulation:
    partner, _ = Partner.objects.get_or_create(name=NAME, slug=NAME.lower())
    account, _ = Account.objects.get_or_create(partner=partner, name=NAME)
    user = User.objects.first() or User.objects.create(email="benchmark@localhost")
    scenario = {**sweep_scenario(), "clients": clients[0]}
    question = Question(scenario, NAME, Sweep("clients", clients), with_bands=False, seed=SEED)
    return simulation_start(account=account, user=user, question=question, now=clock.now())


def _span(simulation: Simulation) -> tuple[datetime, datetime]:
    points = Point.objects.filter(run=simulation.run, is_final=False)
    found = points.aggregate(begin=Min("started_at"), end=Max("finished_at"))
    return found["begin"], found["end"]
