"""Run one scenario and print everything that its workload's model says about it."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from simulation.kernels.predicting import SEED, scenario_figures
from simulation.parameters import load_parameter_set
from simulation.scenarios import ScenarioError


class Command(BaseCommand):
    help = "Predict every metric of a scenario, a JSON file such as those inside a file of measurements."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scenario", type=Path, metavar="SCENARIO.json")
        parser.add_argument("--seed", type=int, default=SEED, help="the same seed gives the same figures")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["seed"] < 0:
            raise CommandError("--seed must not be negative.")
        try:
            scenario = json.loads(options["scenario"].read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"{options['scenario']} cannot be read: {error}") from None
        if not isinstance(scenario, dict):
            raise CommandError("A scenario is a JSON object with a workload and what was run.")
        parameters = load_parameter_set()
        try:
            figures = scenario_figures(scenario, parameters, seed=options["seed"])
        except ScenarioError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            answer = {"parameter_set": parameters.name, "seed": options["seed"], "figures": figures}
            self.stdout.write(json.dumps(answer, indent=1, ensure_ascii=False))
            return
        for name, value in figures.items():
            self.stdout.write(f"{name}: {_words(value)}")


def _words(value: Any) -> str:
    if isinstance(value, tuple):
        return " to ".join(_words(each) for each in value)
    return f"{value:,.4g}" if isinstance(value, float) and abs(value) < 1e4 else str(value)
