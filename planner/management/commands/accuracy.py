"""Predict published measurements with the shipped parameter set and print how far off it is."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from simulation.accuracy import accuracy_report
from simulation.figures import shipped_figures
from simulation.kernels.predicting import metrics_with_kernels
from simulation.parameters import load_parameter_set
from simulation.stored_accuracy import report_path, report_to_json

BAND_OPERATIONS = 50_000
BAND_MEMBERS = 16


class Command(BaseCommand):
    help = "Predict every entry of a file of published measurements and print published, predicted, band and error."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--measurements", type=Path, metavar="FILE", help="default: the figures that are shipped")
        parser.add_argument("--parameter-set", default=None, help="name of a parameter set (default: the shipped one)")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--store", action="store_true", help="keep the report on the shipped figures for its page")

    def handle(self, *args: Any, **options: Any) -> None:
        measurements = options["measurements"]
        if options["store"] and measurements:
            raise CommandError("--store keeps the report on the shipped figures, so it goes without --measurements.")
        report = accuracy_report(
            _entries(measurements) if measurements else shipped_figures(),
            parameters=load_parameter_set(options["parameter_set"]),
            metrics=metrics_with_kernels(),
            band_metrics=metrics_with_kernels(operations=BAND_OPERATIONS),
            members=BAND_MEMBERS,
        )
        if options["store"]:
            path = report_path(report["parameter_set"])
            path.write_text(report_to_json(report), encoding="utf-8")
            self.stdout.write(f"Wrote {path}.")
            return
        if options["json"]:
            self.stdout.write(json.dumps(report, indent=1, ensure_ascii=False))
            return
        for row in report["entries"]:
            self.stdout.write(_entry_words(row))
        for workload, totals in report["summary"].items():
            self.stdout.write(_totals_words(workload, totals))


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from None
    if not isinstance(entries, list):
        raise CommandError(f"{path} must hold a list of measurements.")
    for number, entry in enumerate(entries, start=1):
        if not (isinstance(entry, dict) and isinstance(entry.get("scenario"), dict) and {"id", "metric"} <= set(entry)):
            raise CommandError(f"{path}: entry {number} needs an id, a scenario and a metric.")
    return entries


def _entry_words(row: dict[str, Any]) -> str:
    if "reason" in row:
        return f"{row['id']}: published {_figure(row['published'])}, no model: {row['reason']}"
    words = f"{row['id']}: published {_figure(row['published'])}, predicted {_figure(row['predicted'])}"
    if row["low"] is not None:
        words += f" ({_figure(row['low'])} to {_figure(row['high'])})"
    if row["error"] is not None:
        words += f", error {row['error']:+.1%}"
    return f"{words}: {row['status'].replace('_', ' ')}"


def _totals_words(workload: str, totals: dict[str, Any]) -> str:
    if not totals["entries"]:
        return f"{workload}: no published numbers"
    inside = f"{totals['inside']:.0%} of {totals['entries']} inside tolerance"
    if totals["median"] is None:
        return f"{workload}: {inside}"
    errors = ", ".join(f"{name} error {totals[name]:.1%}" for name in ("median", "mean", "worst"))
    return f"{workload}: {inside}, {errors}"


def _figure(value: Any) -> str:
    if isinstance(value, list):
        return " to ".join(_figure(each) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_figure(bound)}" for name, bound in value.items())
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return "no number" if value is None else str(value)
