"""Fits of the workloads that publish numbers: the parameters under which relative errors are least.

All is done in logarithms. A prior around a start that physics or data sheets suggest, a factor of about two wide, keeps
a parameter that the figures say little about where it belongs. Only entries marked for calibration are read.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import least_squares, minimize

from simulation.kernels.predicting import metrics_with_kernels
from simulation.mva import FloatArray
from simulation.parameters import Parameter, ParameterSet, Source
from simulation.predict import METRICS_BY_WORKLOAD, Metric, Metrics, Prediction, predict, tolerance

PRIOR_DEVIATION = 0.7
SIGNIFICANT_DIGITS = 5
SIMPLEX_EDGE = 0.1
NORMAL_95_PERCENT = 1.96
LEAST_ERROR = 0.02
"""No model is taken to be better than this, even where it has a parameter for every figure."""

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Fit:
    """Which parameters a workload's figures determine, and where the search for each begins.

    A smooth model is fitted by Gauss and Newton's steps; a simulated one, whose figures have a little noise even with
    the same seed, by Nelder and Mead's simplex with `operations` requests a run and at most `evaluations` times. A
    scenario whose lowest and highest windows were published runs for as long as it did: extremes grow with time.
    """

    workload: str
    starts: Mapping[str, float]
    is_smooth: bool = True
    operations: int = 0
    evaluations: int = 0


@dataclass(frozen=True)
class Fitted:
    """The parameters found (by name), the covariance of their logarithms, and the ids that they rest on."""

    values: Mapping[str, float]
    covariance: FloatArray
    ids: tuple[str, ...]
    model_error: float


FITS = (
    Fit(
        workload="block_io",
        starts={
            "drive.rotating.reorder_exponent": 0.25,
            "drive.write_factor": 1.1,
            "drive.ssd.access_us": 70.0,
            "controller.io_us": 30.0,
            "block_io.small_directory_gb": 20.0,
        },
    ),
    Fit(
        workload="build",
        starts={
            "build.gcc.serial_minutes": 3.0,
            "build.gcc.parallel_minutes": 70.0,
            "build.msvc.serial_minutes": 20.0,
            "build.san_wait_minutes": 5.0,
            "build.starving_minutes": 10.0,
        },
    ),
    Fit(
        workload="kv_store",
        starts={
            "kv_store.client_ms": 1.0,
            "kv_store.get_processor_ms": 0.24,
            "kv_store.put_work": 16.0,
            "kv_store.flush_mb": 6.3,
            "kv_store.flush_work": 5.2,
            "kv_store.compaction_work": 2.8,
            "network_volume.write_mb_s": 48.0,
            "network_volume.slowdown_deviation": 1.05,
        },
        is_smooth=False,
        operations=300_000,
        evaluations=36,
    ),
)


def fit_workload(fit: Fit, entries: Sequence[Entry], *, start: ParameterSet) -> Fitted:
    """The most likely parameters of one workload, the others as `start` has them, and how sure each of them is."""
    search = _search(fit, entries, start=start)
    best = _best(fit, search)
    jacobian = _jacobian(search.residuals, best, step=1e-4 if fit.is_smooth else 0.1)
    errors = log_errors(search.evidence, search.at(best), search.metrics)
    misfit = max(1.0, float(np.mean(scaled_errors(search.evidence, search.at(best), search.metrics) ** 2)))
    return Fitted(
        values=_rounded_values(fit, best),
        covariance=np.asarray(np.linalg.inv(jacobian.T @ jacobian) * misfit, dtype=np.float64),
        ids=tuple(entry["id"] for entry in search.evidence),
        model_error=_rounded(max(LEAST_ERROR, math.sqrt(float(np.mean(errors**2))))),
    )


def most_likely(fit: Fit, entries: Sequence[Entry], *, start: ParameterSet) -> dict[str, float]:
    """The values that `fit_workload` finds, without the many more runs that it takes to say how sure they are."""
    return _rounded_values(fit, _best(fit, _search(fit, entries, start=start)))


@dataclass(frozen=True)
class _Search:
    """Where the best parameters are looked for: a position is the logarithm of each."""

    evidence: Sequence[Entry]
    metrics: Metrics
    at: Callable[[FloatArray], ParameterSet]
    residuals: Callable[[FloatArray], FloatArray]


def _search(fit: Fit, entries: Sequence[Entry], *, start: ParameterSet) -> _Search:
    evidence = [entry for entry in entries if _may_fit(entry, fit.workload)]
    metrics = _metrics_for(fit, evidence)
    centre = _centre(fit)

    def at(position: FloatArray) -> ParameterSet:
        if fit.is_smooth:
            return start.with_values(dict(zip(fit.starts, np.exp(position).tolist(), strict=True)))
        # A run is not smooth in its parameters, so what is tried must be what will be written.
        return start.with_values(_rounded_values(fit, position))

    def residuals(position: FloatArray) -> FloatArray:
        errors = scaled_errors(evidence, at(position), metrics)
        return np.append(errors, (position - centre) / PRIOR_DEVIATION)

    return _Search(evidence=evidence, metrics=metrics, at=at, residuals=residuals)


def _best(fit: Fit, search: _Search) -> FloatArray:
    centre = _centre(fit)
    if fit.is_smooth:
        return np.asarray(least_squares(search.residuals, centre, x_scale=0.1).x, dtype=np.float64)
    return _simplex(search.residuals, centre, fit)


def _centre(fit: Fit) -> FloatArray:
    return np.log(list(fit.starts.values()))


def with_fit(parameters: ParameterSet, fit: Fit, fitted: Fitted) -> ParameterSet:
    """The set with the fitted values, each with the interval that holds it in 19 of 20 cases."""
    deviations = np.sqrt(np.diag(fitted.covariance))
    changed: dict[str, Parameter] = {}
    for (name, value), deviation in zip(fitted.values.items(), deviations.tolist(), strict=True):
        width = math.exp(NORMAL_95_PERCENT * deviation)
        changed[name] = _with_value(parameters.parameters[name], value, value / width, value * width, fitted.ids)
    name = f"{fit.workload}.model_error"
    error = fitted.model_error
    changed[name] = _with_value(parameters.parameters[name], error, error / 2, error * 2, fitted.ids)
    return replace(parameters, parameters={**parameters.parameters, **changed})


def draw_members(fit: Fit, fitted: Fitted, *, count: int, rng: np.random.Generator) -> list[dict[str, float]]:
    """Values of the parameters that explain the figures about as well, drawn around the best."""
    centre = np.log(list(fitted.values.values()))
    drawn = rng.multivariate_normal(centre, fitted.covariance, size=count)
    return [{name: _rounded(value) for name, value in zip(fit.starts, row, strict=True)} for row in np.exp(drawn)]


def scaled_errors(entries: Sequence[Entry], parameters: ParameterSet, metrics: Metrics) -> FloatArray:
    """The logarithmic error of every figure, as a multiple of half of what its metric tolerates.

    A range says where a figure lies with less and less doubt towards its middle, so that its half width adds to that.
    """
    errors = []
    for entry in entries:
        allowed = tolerance(workload=entry["scenario"]["workload"], metric=entry["metric"])[1]
        scale = math.log1p(allowed) / 2
        value = _predicted(entry, parameters, metrics)
        low, high = _range_of(entry["published"])
        if isinstance(value, tuple):
            errors += [_log_ratio(value[0], low) / scale, _log_ratio(value[1], high) / scale]
        else:
            errors.append(_log_ratio(value, math.sqrt(low * high)) / (scale + math.log(high / low) / 2))
    return np.array(errors)


def log_errors(entries: Sequence[Entry], parameters: ParameterSet, metrics: Metrics) -> FloatArray:
    """The logarithm of predicted over published, for both ends where both are observed values; 0 inside a range."""
    return np.array([error for entry in entries for error in _log_errors(entry, parameters, metrics)])


def _log_errors(entry: Entry, parameters: ParameterSet, metrics: Metrics) -> list[float]:
    value = _predicted(entry, parameters, metrics)
    low, high = _range_of(entry["published"])
    if isinstance(value, tuple):
        return [_log_ratio(value[0], low), _log_ratio(value[1], high)]
    return [_log_ratio(value, min(max(value, low), high))]


def _predicted(entry: Entry, parameters: ParameterSet, metrics: Metrics) -> float | tuple[float, float]:
    prediction = predict(entry["scenario"], entry["metric"], parameters, entry.get("baseline"), metrics=metrics)
    if not isinstance(prediction, Prediction) or isinstance(prediction.value, str):
        raise ValueError(f"{entry['id']}: nothing predicts a number")
    return prediction.value


def _range_of(published: Any) -> tuple[float, float]:
    low, high = published if isinstance(published, list) else (published, published)
    return low, high


def _log_ratio(predicted: float, published: float) -> float:
    # A run may stand still for a whole window; a hundredth of what was seen is bad enough.
    return math.log(max(predicted, published / 100) / published)


def _metrics_for(fit: Fit, evidence: Sequence[Entry]) -> Metrics:
    """Metrics that make long runs only where the figures need them."""
    if fit.is_smooth:
        return METRICS_BY_WORKLOAD
    long_runs, short_runs = metrics_with_kernels(), metrics_with_kernels(operations=fit.operations)
    extremes = [entry["scenario"] for entry in evidence if "range" in entry["metric"]]

    def metric(name: str) -> Metric:
        return lambda scenario, parameters: (long_runs if scenario in extremes else short_runs)[fit.workload][name](
            scenario, parameters
        )

    return {fit.workload: {name: metric(name) for name in long_runs[fit.workload]}}


def _simplex(residuals: Any, centre: FloatArray, fit: Fit) -> FloatArray:
    corners = np.vstack([centre, centre + SIMPLEX_EDGE * np.eye(len(centre))])
    found = minimize(
        lambda position: float(np.sum(residuals(position) ** 2)),
        centre,
        method="Nelder-Mead",
        options={"initial_simplex": corners, "maxfev": fit.evaluations, "xatol": 0.01, "fatol": 0.02},
    )
    return np.asarray(found.x, dtype=np.float64)


def _jacobian(residuals: Any, position: FloatArray, *, step: float) -> FloatArray:
    columns = [
        (residuals(position + step * axis) - residuals(position - step * axis)) / (2 * step)
        for axis in np.eye(len(position))
    ]
    return np.stack(columns, axis=1)


def _may_fit(entry: Entry, workload: str) -> bool:
    return (
        entry["use"] == "calibration"
        and entry["scenario"]["workload"] == workload
        and isinstance(entry["published"], int | float | list)
    )


def _rounded_values(fit: Fit, position: FloatArray) -> dict[str, float]:
    return {name: _rounded(value) for name, value in zip(fit.starts, np.exp(position).tolist(), strict=True)}


def _with_value(parameter: Parameter, value: float, low: float, high: float, ids: tuple[str, ...]) -> Parameter:
    source = Source(kind="fitted", ids=ids, reason=parameter.source.reason)
    return replace(parameter, value=value, low=_rounded(low), high=_rounded(high), source=source)


def _rounded(value: float) -> float:
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}")
