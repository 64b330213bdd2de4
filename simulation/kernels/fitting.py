"""Fit the object store's parameters to published figures, by the likelihood of what the authors reported.

A published MB/s is the prediction with measurement noise. A published count or type is the outcome of comparisons
between measured MB/s ("this step gains less than 5 %", "this group has the least dollars per MB/s"), and its likelihood
is the chance that noisy measurements come out that way. Only entries marked for calibration are read.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.stats import norm

from simulation.mva import FloatArray
from simulation.object_store_metrics import (
    NODES_SAMPLED,
    SATURATED_BELOW_GAIN,
    PricedGroup,
    priced_groups,
    throughput_curve,
    throughput_mb_s,
)
from simulation.parameters import ParameterSet, Source

SEARCHED = {
    "object_store.stream_mb_s": (1.0, 20.0),
    "object_store.proxy_software_mb_s": (75.0, 300.0),
    "object_store.storage_write_mb_s_per_compute_unit": (7.0, 30.0),
    "object_store.balancer_mb_s_per_compute_unit": (0.5, 5.0),
    "machine.burst_sustained_fraction": (0.03, 0.3),
}
"""The fitted parameters and the range, wide for the hardware of the time, inside which each is searched."""
# Assumed, as the study repeats no measurement: two runs of a benchmark in a cloud seldom agree better than this.
MEASUREMENT_NOISE = 0.02
SIGNIFICANT_DIGITS = 5

Entry = Mapping[str, Any]


def calibration_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The object-store entries that may be fitted."""
    return [
        entry for entry in entries if entry["use"] == "calibration" and entry["scenario"]["workload"] == "object_store"
    ]


def fit_object_store(entries: Sequence[Entry], *, start: ParameterSet) -> ParameterSet:
    """The parameter set under which the published figures are most likely.

    Of `start` only the parameters that are not fitted matter, so the same entries give the same set again. Each fitted
    interval is where the likelihood of the one parameter, the others held, stays within 95 %.
    """
    evidence = [entry for entry in calibration_entries(entries) if entry["metric"] in LOG_LIKELIHOODS]
    bounds = np.log(list(SEARCHED.values()))

    def loss(position: FloatArray) -> float:
        return -log_likelihood(evidence, _at(start, position))

    found = minimize(
        loss,
        bounds.mean(axis=1),
        method="Nelder-Mead",
        bounds=bounds,
        options={"xatol": 1e-7, "fatol": 1e-9, "maxiter": 4000},
    )
    if not found.success:
        raise RuntimeError(f"the fit did not converge: {found.message}")
    intervals = [_interval(loss, found.x, index, bounds[index]) for index in range(len(SEARCHED))]
    return _with_fit(start, found.x, intervals, ids=tuple(entry["id"] for entry in evidence))


def log_likelihood(entries: Iterable[Entry], parameters: ParameterSet) -> float:
    """The logarithm of the chance that measurements with noise would report these entries."""
    return math.fsum(LOG_LIKELIHOODS[entry["metric"]](entry, parameters) for entry in entries)


def _throughput(entry: Entry, parameters: ParameterSet) -> float:
    predicted = throughput_mb_s(entry["scenario"], parameters)
    return float(norm.logpdf(math.log(predicted / entry["published"]) / MEASUREMENT_NOISE))


def _saturation(entry: Entry, parameters: ParameterSet) -> float:
    curve = np.log(throughput_curve(entry["scenario"], parameters))
    published = NODES_SAMPLED.index(entry["published"])
    surplus = np.diff(curve) - math.log(1 + SATURATED_BELOW_GAIN)
    margins = np.append(surplus[:published], -surplus[published : published + 1])
    return _chance_of(margins)


def _cheapest(entry: Entry, parameters: ParameterSet) -> float:
    groups = priced_groups(entry["scenario"], parameters)
    costs = np.array([math.log(group.cost_per_mb_s) for group in groups])
    chosen = [_answer(group, entry["metric"]) == str(entry["published"]) for group in groups]
    return _chance_of(costs[np.logical_not(chosen)] - costs[chosen].min())


def _answer(group: PricedGroup, metric: str) -> str:
    return {
        "cheapest_storage_nodes": str(group.nodes),
        "cheapest_storage_and_nodes": f"{group.storage}:{group.nodes}",
        "cheapest_proxy_and_storage": f"{group.proxy}:{group.storage}",
    }[metric]


def _chance_of(margins: FloatArray) -> float:
    """The log chance that every comparison of two noisy figures comes out right by these margins."""
    return float(norm.logcdf(margins / (math.sqrt(2) * MEASUREMENT_NOISE)).sum())


LOG_LIKELIHOODS: Mapping[str, Callable[[Entry, ParameterSet], float]] = {
    "throughput_mb_s": _throughput,
    "saturation_storage_nodes": _saturation,
    "cheapest_storage_nodes": _cheapest,
    "cheapest_storage_and_nodes": _cheapest,
    "cheapest_proxy_and_storage": _cheapest,
}


def _at(parameters: ParameterSet, position: FloatArray) -> ParameterSet:
    return parameters.with_values(dict(zip(SEARCHED, np.exp(position).tolist(), strict=True)))


def _interval(
    loss: Callable[[FloatArray], float], best: FloatArray, index: int, bounds: FloatArray
) -> tuple[float, float]:
    allowed = loss(best) + norm.ppf(0.975) ** 2 / 2

    def excess(moved_to: float) -> float:
        position = best.copy()
        position[index] = moved_to
        return loss(position) - allowed

    low, high = (brentq(excess, best[index], end) if excess(end) > 0 else end for end in bounds)
    return math.exp(low), math.exp(high)


def _with_fit(
    start: ParameterSet, best: FloatArray, intervals: Sequence[tuple[float, float]], *, ids: tuple[str, ...]
) -> ParameterSet:
    fitted = {}
    for name, value, (low, high) in zip(SEARCHED, np.exp(best).tolist(), intervals, strict=True):
        parameter = start.parameters[name]
        fitted[name] = replace(
            parameter,
            value=_rounded(value),
            low=_rounded(low),
            high=_rounded(high),
            source=Source(kind="fitted", ids=ids, reason=parameter.source.reason),
        )
    return replace(start, parameters={**start.parameters, **fitted})


def _rounded(value: float) -> float:
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}")
