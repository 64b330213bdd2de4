"""Latency promises such as "99 of 100 requests are answered within 20 ms", as scenarios hold them."""

from collections.abc import Mapping
from dataclasses import dataclass

from simulation.scenarios import Scenario, ScenarioError, number, required, required_in

MOST_PERCENT = 99.9
"""A rarer request than one of a thousand is not seen often enough in a run to promise it anything."""


@dataclass(frozen=True)
class Promise:
    """Of all requests, `percent` are answered within `within_ms`."""

    percent: float
    within_ms: float


def promise_of(scenario: Scenario) -> Promise:
    """Read the promise of a scenario. Raises ScenarioError naming a field that is missing or impossible."""
    value = required(scenario, "promise")
    if not isinstance(value, Mapping):
        raise ScenarioError("promise", "must say percent and within_ms")
    percent = number(required_in(value, "percent", "promise"), field="promise.percent", above=0, maximum=MOST_PERCENT)
    within_ms = number(required_in(value, "within_ms", "promise"), field="promise.within_ms", above=0, maximum=1e9)
    return Promise(percent=percent, within_ms=within_ms)
