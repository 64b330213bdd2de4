"""Make a dated parameter set from published figures: fit every workload, and draw the ensemble that makes the bands."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from simulation.kernels.fits import FITS, NORMAL_95_PERCENT, Entry, draw_members, fit_workload, with_fit
from simulation.kernels.fitting import SEARCHED, fit_object_store
from simulation.parameters import ParameterSet

MEMBERS = 16
SEED = 2012
FITTED_WORKLOADS = (*(fit.workload for fit in FITS), "object_store")


def calibrate(
    entries: Sequence[Entry], *, start: ParameterSet, name: str, version: int, date: str, workloads: Sequence[str] = ()
) -> ParameterSet:
    """Fit the named workloads, or all, and write the ensemble anew; `start` gives what is not fitted.

    The same entries give the same set again: where a search begins does not depend on `start`.
    """
    parameters = start
    members: list[dict[str, float]] = [{} for _ in range(MEMBERS)]
    for number, fit in enumerate(FITS):
        if workloads and fit.workload not in workloads:
            kept = set(fit.starts)
            drawn = [{k: v for k, v in member.items() if k in kept} for member in start.ensemble] or members
        else:
            fitted = fit_workload(fit, entries, start=parameters)
            parameters = with_fit(parameters, fit, fitted)
            rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(number,)))
            drawn = draw_members(fit, fitted, count=MEMBERS, rng=rng)
        members = [{**member, **values} for member, values in zip(members, drawn, strict=True)]
    if not workloads or "object_store" in workloads:
        parameters = fit_object_store(entries, start=parameters)
    members = [{**member, **values} for member, values in zip(members, _object_store_members(parameters), strict=True)]
    return replace(parameters, name=name, version=version, date=date, ensemble=tuple(members))


def _object_store_members(parameters: ParameterSet) -> list[Mapping[str, float]]:
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(len(FITS),)))
    return [
        {
            name: _drawn(parameters.parameters[name].low, parameters.value(name), parameters.parameters[name].high, z)
            for name, z in zip(SEARCHED, rng.standard_normal(len(SEARCHED)).tolist(), strict=True)
        }
        for _ in range(MEMBERS)
    ]


def _drawn(low: float, value: float, high: float, z: float) -> float:
    """A value as far into the interval's lower or upper half as `z` is into a normal's 19 of 20 cases."""
    end = high if z > 0 else low
    return float(f"{math.exp(math.log(value) + abs(z) / NORMAL_95_PERCENT * math.log(end / value)):.5g}")
