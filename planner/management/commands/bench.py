"""Measure what the product's own algorithms cost, as ratios against a reference of the same run."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from planner.benchmarks import BenchRow
from planner.management.planner_bench import planner_rows


def simulation_rows() -> list[BenchRow]:
    """Measure the simulation. Only now, because its reference SimPy is installed for work on the product alone."""
    try:
        from planner.management.simulation_bench import bench_simulation
        from planner.management.sweep_bench import sweep_speedup
    except ModuleNotFoundError as error:
        raise CommandError(f"{error}: start this with bin/bench, which installs what it measures against.") from None
    return [*bench_simulation(), *sweep_speedup()]


BENCHMARKS = {"planner": planner_rows, "simulation": simulation_rows}


class Command(BaseCommand):
    help = "Print one benchmark: rows of name, value, unit, reference and ratio."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=sorted(BENCHMARKS))
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = BENCHMARKS[options["name"]]()
        if options["json"]:
            self.stdout.write(json.dumps([row.as_dict() for row in rows], indent=2))
            return
        for row in rows:
            self.stdout.write(
                f"{row.name}: {row.value:.4f} {row.unit} (reference {row.reference:.4f}, ratio {row.ratio:.1f})"
            )
