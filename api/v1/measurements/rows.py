"""Measured results as JSON."""

from typing import Any

from django.urls import reverse

from api.v1.texts import time_text
from planner.measurements.calibrating import factors_for
from planner.measurements.reading.readings import METRICS
from planner.measurements.selectors import measurements_of
from planner.models import Measurement, MeasurementFile

Json = dict[str, Any]


def results_line(summary: Json) -> Json:
    """Return a row of planner.measurements.selectors.file_summaries."""
    return {
        "id": summary["pk"],
        "name": summary["name"],
        "file_name": summary["file_name"],
        "kind": summary["kind"],
        "uploaded_at": time_text(summary["uploaded_at"]),
        "uploaded_by": summary["uploaded_by__email"],
        "href": _href(summary["pk"]),
    }


def results_json(file: MeasurementFile) -> Json:
    """Return a file with its values and what the account learnt about the same things."""
    measurements = measurements_of(file)
    factors = factors_for(account_id=file.account_id)
    about = {row.factor for row in measurements if row.factor}
    return {
        "id": file.pk,
        "name": file.name,
        "file_name": file.file_name,
        "kind": file.kind,
        "uploaded_at": time_text(file.uploaded_at),
        "uploaded_by": file.uploaded_by.email,
        "href": _href(file.pk),
        "notes": file.notes,
        "measurements": [_value_json(row) for row in measurements],
        "factors": {name: factor for name, factor in factors.items() if name in about},
    }


def _value_json(row: Measurement) -> Json:
    return {
        "configuration": row.configuration,
        "label": row.label,
        "metric": row.metric,
        "unit": METRICS[row.metric].unit,
        "value": row.value,
        "predicted": row.predicted,
        "teaches": row.factor,
    }


def _href(file_id: int) -> str:
    return reverse("api-measurement", args=[file_id])
