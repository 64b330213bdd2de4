"""How a parameter set predicts the shipped figures, kept beside the set.

Some of the predictions take kernels and seconds. A page reads what `manage.py accuracy --store` wrote.
"""

import json
from importlib import resources
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def report_path(parameter_set: str) -> Path:
    """Where the report of a parameter set lies."""
    return Path(str(resources.files("simulation"))) / "parameter_sets" / f"{parameter_set}.accuracy.json"


def stored_report(parameter_set: str) -> Json:
    """The report of that set, as `simulation.accuracy.accuracy_report` made it.

    Raises FileNotFoundError where none was stored.
    """
    report: Json = json.loads(report_path(parameter_set).read_text(encoding="utf-8"))
    return report


def report_to_json(report: Json) -> str:
    """Write a report in the form that `stored_report` reads, an entry on each line."""
    entries = ",\n  ".join(json.dumps(entry, ensure_ascii=False, allow_nan=False) for entry in report["entries"])
    summary = ",\n  ".join(
        f"{json.dumps(name)}: {json.dumps(totals, allow_nan=False)}" for name, totals in report["summary"].items()
    )
    name = json.dumps(report["parameter_set"])
    return f'{{\n "parameter_set": {name},\n "entries": [\n  {entries}\n ],\n "summary": {{\n  {summary}\n }}\n}}\n'
