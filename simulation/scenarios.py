"""Reading scenarios: plain dictionaries that say what was run. A metric asks for the fields that it uses."""

from collections.abc import Mapping
from typing import Any

from simulation.machines import EC2_2012_04, MachineType

Scenario = Mapping[str, Any]


class ScenarioError(ValueError):
    """A field of a scenario is missing or impossible; `field` names it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


def required(scenario: Scenario, field: str) -> Any:
    """The value of a field that the metric depends on."""
    if scenario.get(field) is None:
        raise ScenarioError(field, "is missing")
    return scenario[field]


def whole_number(value: Any, *, field: str, minimum: int = 1) -> int:
    """A count such as the number of nodes."""
    if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
        raise ScenarioError(field, f"must be a whole number of at least {minimum}, not {value!r}")
    return value


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
