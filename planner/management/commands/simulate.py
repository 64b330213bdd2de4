"""Run one scenario and print everything that its workload's model says about it."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from simulation.kernels.predicting import SEED, replicated_figures, scenario_figures
from simulation.kernels.replications import Interval
from simulation.parameters import load_parameter_set
from simulation.scenarios import ScenarioError

MOST_REPLICATIONS = 1000


class Command(BaseCommand):
    help = "Predict every metric of a scenario, a JSON file such as those inside a file of measurements."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scenario", type=Path, metavar="SCENARIO.json")
        parser.add_argument("--seed", type=int, default=SEED, help="the same seed gives the same figures")
        parser.add_argument(
            "--replications",
            type=int,
            default=1,
            metavar="N",
            help="run N times with random numbers of their own, and print means with their 95 % intervals",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        seed, replications = options["seed"], options["replications"]
        if seed < 0:
            raise CommandError("--seed must not be negative.")
        if not 1 <= replications <= MOST_REPLICATIONS:
            raise CommandError(f"--replications must lie between 1 and {MOST_REPLICATIONS}.")
        try:
            scenario = json.loads(options["scenario"].read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"{options['scenario']} cannot be read: {error}") from None
        if not isinstance(scenario, dict):
            raise CommandError("A scenario is a JSON object with a workload and what was run.")
        parameters = load_parameter_set()
        intervals: dict[str, Interval] = {}
        try:
            if replications == 1:
                figures = scenario_figures(scenario, parameters, seed=seed)
            else:
                figures, intervals = replicated_figures(scenario, parameters, seed=seed, count=replications)
        except ScenarioError as error:
            raise CommandError(str(error)) from None
        figures |= {name: interval.mean for name, interval in intervals.items()}
        if options["json"]:
            widths = {name: interval.half_width for name, interval in intervals.items()}
            answer = {"parameter_set": parameters.name, "seed": seed, "figures": figures}
            more = {"replications": replications, "intervals": widths} if intervals else {}
            self.stdout.write(json.dumps({**answer, **more}, indent=1, ensure_ascii=False))
            return
        for name, value in figures.items():
            around = f" ± {_words(intervals[name].half_width)}" if name in intervals else ""
            self.stdout.write(f"{name}: {_words(value)}{around}")


def _words(value: Any) -> str:
    if isinstance(value, tuple):
        return " to ".join(_words(each) for each in value)
    return f"{value:,.4g}" if isinstance(value, float) and abs(value) < 1e4 else str(value)
