"""Reading scenarios: plain dictionaries that say what was run. A metric asks for the fields that it uses."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simulation.machines import EC2_2012_04, MachineType

Scenario = Mapping[str, Any]
MOST = 10**12
"""No count of anything here is higher."""


class ScenarioError(ValueError):
    """A field of a scenario is missing or impossible; `field` names it and `reason` says why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


def required(scenario: Scenario, field: str) -> Any:
    """The value of a field that the metric depends on."""
    if scenario.get(field) is None:
        raise ScenarioError(field, "is missing")
    return scenario[field]


def required_in(part: Mapping[str, Any], field: str, parent: str) -> Any:
    """The value of a field inside a part of the scenario, such as the drives of an array."""
    if part.get(field) is None:
        raise ScenarioError(f"{parent}.{field}", "is missing")
    return part[field]


def whole_number(value: Any, *, field: str, minimum: int = 1, maximum: int = MOST) -> int:
    """A count such as the number of nodes."""
    if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
        raise ScenarioError(field, f"must be a whole number of at least {minimum}, not {value!r}")
    if value > maximum:
        raise ScenarioError(field, f"must be at most {maximum}, not {value!r}")
    return value


def number(value: Any, *, field: str, above: float | None = None, minimum: float = 0, maximum: float = 1e15) -> float:
    """A measure such as a size in gigabytes: more than `above` where given, else at least `minimum`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or (isinstance(value, float) and not math.isfinite(value)):
        raise ScenarioError(field, f"must be a number, not {value!r}")
    if above is not None and value <= above:
        raise ScenarioError(field, f"must be more than {above}, not {value!r}")
    if value < minimum or value > maximum:
        raise ScenarioError(field, f"must lie between {minimum} and {maximum}, not {value!r}")
    return float(value)


def choice(value: Any, options: Sequence[str], *, field: str) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in options:
        raise ScenarioError(field, f"must be one of {', '.join(options)}, not {value!r}")
    return value


def read_fraction(scenario: Scenario) -> float:
    """The share of reads: all, none, or for a mixed operation what `read_fraction` says."""
    operation = choice(required(scenario, "operation"), ("read", "write", "mixed"), field="operation")
    if operation == "mixed":
        return number(required(scenario, "read_fraction"), field="read_fraction", maximum=1)
    return 1.0 if operation == "read" else 0.0


def machine_types(value: Any, *, field: str) -> list[MachineType]:
    """One machine type of April 2012 by name, or a list of them."""
    names = value if isinstance(value, list) else [value]
    unknown = [name for name in names if not isinstance(name, str) or name not in EC2_2012_04]
    if unknown or not names:
        raise ScenarioError(field, f"must name machine types of the list of April 2012, not {value!r}")
    return [EC2_2012_04[name] for name in names]


def one_machine_type(value: Any, *, field: str) -> MachineType:
    """One machine type of April 2012, where the metric cannot compare several."""
    types = machine_types(value, field=field)
    if len(types) > 1:
        raise ScenarioError(field, "must be a single machine type for this metric")
    return types[0]
