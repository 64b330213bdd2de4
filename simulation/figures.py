"""The published figures that the shipped parameter set was fitted on, each with its source."""

import json
from importlib import resources
from typing import Any


def shipped_figures() -> list[dict[str, Any]]:
    """Read the figures, in the form that `accuracy --measurements` takes."""
    text = (resources.files("simulation") / "data" / "figures.json").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = json.loads(text)
    return entries
