"""Print every parameter of the models with value, unit, interval and source."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from planner.parameter_page import parameter_lines
from simulation.parameters import load_parameter_set, parameter_set_to_json


class Command(BaseCommand):
    help = "Print the shipped parameter set: value, unit, interval and source of every parameter."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--parameter-set", default=None, help="name of a parameter set (default: the shipped one)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            parameters = load_parameter_set(options["parameter_set"])
        except FileNotFoundError:
            raise CommandError(f"There is no parameter set {options['parameter_set']}.") from None
        if options["json"]:
            self.stdout.write(parameter_set_to_json(parameters), ending="")
            return
        for line in parameter_lines(parameters):
            self.stdout.write(line)
