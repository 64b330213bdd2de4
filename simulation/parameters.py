"""The named physical parameters of the models: value, unit, interval and where each comes from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, Literal

SHIPPED = "2026-11"
SourceKind = Literal["specification", "fitted", "assumed"]


@dataclass(frozen=True)
class Source:
    """Where a value comes from: a specification, a fit on published figures named by id, or an assumption."""

    kind: SourceKind
    ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Parameter:
    """One physical quantity of a model. `low` and `high` bound what the evidence or judgement allows."""

    name: str
    value: float
    unit: str
    low: float
    high: float
    source: Source


@dataclass(frozen=True)
class ParameterSet:
    """A dated, versioned set of parameters: a prediction names the set that it was made with.

    `ensemble` holds other values of the fitted parameters that explain the same figures: predictions under them make
    the band of a prediction.

    `factors` is what somebody's own measurements say beside it: by how much a parameter, under its name, or another
    thing (`drive.sata_7k`: drives of a class; `network.m1.large`: a machine type's network) is more than taken here.
    """

    name: str
    version: int
    date: str
    parameters: Mapping[str, Parameter]
    ensemble: tuple[Mapping[str, float], ...] = field(default=())
    factors: Mapping[str, float] = field(default_factory=dict)

    def value(self, name: str) -> float:
        """The value of one parameter. Raises KeyError for a name that the set does not hold."""
        return self.parameters[name].value * self.factor(name)

    def factor(self, name: str) -> float:
        """By how much something is more than taken here; 1 where nobody measured it."""
        return self.factors.get(name, 1.0)

    def with_factors(self, factors: Mapping[str, float]) -> "ParameterSet":
        """A copy in which these are the factors, and no others."""
        return replace(self, factors=dict(factors))

    def with_values(self, values: Mapping[str, float]) -> "ParameterSet":
        """A copy with other values, for fits and for what-if questions; intervals and sources stay."""
        changed = {name: replace(self.parameters[name], value=value) for name, value in values.items()}
        return replace(self, parameters={**self.parameters, **changed})


def load_parameter_set(name: str | None = None) -> ParameterSet:
    """The parameter set of that name; without a name, the shipped one. Raises FileNotFoundError if there is none."""
    path = resources.files("simulation") / "parameter_sets" / f"{name or SHIPPED}.json"
    return parameter_set_from_json(path.read_text(encoding="utf-8"))


def parameter_set_from_json(text: str) -> ParameterSet:
    """Read a parameter set. Raises ValueError where a source says nothing or a value lies outside its interval."""
    document = json.loads(text)
    parameters = [_parameter(row) for row in document["parameters"]]
    return ParameterSet(
        name=document["name"],
        version=document["version"],
        date=document["date"],
        parameters={parameter.name: parameter for parameter in parameters},
        ensemble=tuple(document.get("ensemble", ())),
    )


def parameter_set_to_json(parameters: ParameterSet) -> str:
    """Write a parameter set in the form that `parameter_set_from_json` reads."""
    document = {
        "name": parameters.name,
        "version": parameters.version,
        "date": parameters.date,
        "parameters": [_row(parameter) for parameter in parameters.parameters.values()],
        "ensemble": [dict(member) for member in parameters.ensemble],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _parameter(row: Mapping[str, Any]) -> Parameter:
    source = Source(
        kind=row["source"]["kind"], ids=tuple(row["source"].get("ids", ())), reason=row["source"].get("reason", "")
    )
    if source.kind == "fitted" and not source.ids:
        raise ValueError(f"{row['name']}: a fitted parameter names the figures it was fitted on")
    if source.kind != "fitted" and not source.reason:
        raise ValueError(f"{row['name']}: a parameter that was not fitted says why it has its value")
    if not row["low"] <= row["value"] <= row["high"]:
        raise ValueError(f"{row['name']}: {row['value']} lies outside {row['low']} to {row['high']}")
    return Parameter(
        name=row["name"], value=row["value"], unit=row["unit"], low=row["low"], high=row["high"], source=source
    )


def _row(parameter: Parameter) -> dict[str, Any]:
    source: dict[str, Any] = {"kind": parameter.source.kind}
    if parameter.source.ids:
        source["ids"] = list(parameter.source.ids)
    if parameter.source.reason:
        source["reason"] = parameter.source.reason
    return {
        "name": parameter.name,
        "value": parameter.value,
        "unit": parameter.unit,
        "low": parameter.low,
        "high": parameter.high,
        "source": source,
    }
