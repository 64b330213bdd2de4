"""Fit the models' parameters to published figures and write a dated parameter set, or show the shipped one."""

import json
from argparse import ArgumentParser
from importlib import resources
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core import clock
from simulation.figures import shipped_figures
from simulation.kernels.calibration import FITTED_WORKLOADS, calibrate
from simulation.parameters import ParameterSet, load_parameter_set, parameter_set_to_json

PARAMETER_SETS = Path(str(resources.files("simulation"))) / "parameter_sets"


class Command(BaseCommand):
    help = "Fit the parameters to the calibration entries of published measurements and write a dated parameter set."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--measurements", type=Path, metavar="FILE", help="default: the figures that are shipped")
        parser.add_argument("--start", default=None, help="set that gives what is not fitted (default: shipped)")
        parser.add_argument("--workload", nargs="+", choices=FITTED_WORKLOADS, default=[], help="fit these alone")
        parser.add_argument("--name", default="", help="name of the new set (default: year and month)")
        parser.add_argument("--output", type=Path, metavar="FILE", help="default: NAME.json among the parameter sets")
        parser.add_argument("--show", action="store_true", help="print the parameters of the set and fit nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            start = load_parameter_set(options["start"])
        except FileNotFoundError:
            raise CommandError(f"There is no parameter set {options['start']}.") from None
        if options["show"]:
            self._show(start)
            return
        today = clock.now().date()
        name = options["name"] or f"{today:%Y-%m}"
        fitted = calibrate(
            _entries(options["measurements"]),
            start=start,
            name=name,
            version=start.version + 1 if name == start.name else 1,
            date=today.isoformat(),
            workloads=options["workload"],
        )
        output = options["output"] or PARAMETER_SETS / f"{name}.json"
        try:
            output.write_text(parameter_set_to_json(fitted), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error}") from None
        self._show(fitted)
        self.stdout.write(f"Wrote {output}.")

    def _show(self, parameters: ParameterSet) -> None:
        self.stdout.write(f"Parameter set {parameters.name}, version {parameters.version}, {parameters.date}")
        for each in parameters.parameters.values():
            source = each.source
            origin = f"fitted on {', '.join(source.ids)}" if source.kind == "fitted" else source.kind
            unit = f" {each.unit}" if each.unit else ""
            self.stdout.write(f"{each.name}: {each.value:g}{unit} ({each.low:g} to {each.high:g}), {origin}")
            self.stdout.write(f"    {source.reason}")


def _entries(path: Path | None) -> list[dict[str, Any]]:
    if path is None:
        return shipped_figures()
    try:
        entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from None
    return entries
