import numpy as np
import pytest

from simulation.figures import shipped_figures
from simulation.kernels.calibration import MEMBERS, calibrate
from simulation.kernels.fits import FITS, fit_workload, log_errors, most_likely, with_fit
from simulation.parameters import ParameterSet, load_parameter_set, parameter_set_from_json, parameter_set_to_json
from simulation.predict import METRICS_BY_WORKLOAD

FIGURES = shipped_figures()
SHIPPED = load_parameter_set()
FIT = {fit.workload: fit for fit in FITS}


def forgotten(workload: str) -> ParameterSet:
    return SHIPPED.with_values(dict.fromkeys(FIT[workload].starts, 1.0))


def calibration_ids(workload: str) -> tuple[str, ...]:
    of_workload = [each for each in FIGURES if each["scenario"]["workload"] == workload]
    return tuple(
        each["id"]
        for each in of_workload
        if each["use"] == "calibration" and isinstance(each["published"], int | float | list)
    )


@pytest.mark.parametrize("workload", ["block_io", "build", "kv_store"])
def test_refitting_from_the_ids_alone_reproduces_the_shipped_values(workload):
    values = most_likely(FIT[workload], FIGURES, start=forgotten(workload))

    assert set(values) == set(FIT[workload].starts)
    for name, value in values.items():
        assert value == pytest.approx(SHIPPED.value(name), rel=1e-3), name
        assert SHIPPED.parameters[name].source.ids == calibration_ids(workload)


@pytest.mark.parametrize("workload", ["block_io", "build"])
def test_refitting_reproduces_how_sure_the_shipped_values_are_and_names_their_ids(workload):
    fitted = fit_workload(FIT[workload], FIGURES, start=forgotten(workload))

    shipped = with_fit(SHIPPED, FIT[workload], fitted).parameters
    for name in fitted.values:
        assert (shipped[name].low, shipped[name].high) == pytest.approx(
            (SHIPPED.parameters[name].low, SHIPPED.parameters[name].high), rel=1e-3
        )
    assert fitted.ids == calibration_ids(workload)


def test_check_entries_and_other_workloads_are_never_fitted():
    spoilt = [
        {**entry, "use": "check", "published": 1}
        for entry in FIGURES
        if entry["scenario"]["workload"] in ("block_io", "build")
    ]

    fitted = fit_workload(FIT["build"], [*FIGURES, *spoilt], start=SHIPPED)

    assert fitted.values == fit_workload(FIT["build"], FIGURES, start=SHIPPED).values


def test_a_calibrated_set_is_dated_and_survives_writing_and_reading():
    fitted = calibrate(FIGURES, start=SHIPPED, name="test", version=3, date="2026-11-21", workloads=["build"])

    assert (fitted.name, fitted.version, fitted.date) == ("test", 3, "2026-11-21")
    assert parameter_set_from_json(parameter_set_to_json(fitted)) == fitted
    assert fitted.value("block_io.small_directory_gb") == SHIPPED.value("block_io.small_directory_gb")


def test_calibrating_again_draws_the_same_ensemble():
    again = calibrate(FIGURES, start=SHIPPED, name=SHIPPED.name, version=2, date=SHIPPED.date, workloads=["build"])

    assert len(SHIPPED.ensemble) == MEMBERS
    for member, redrawn in zip(SHIPPED.ensemble, again.ensemble, strict=True):
        assert redrawn == pytest.approx(member, rel=1e-3)


def test_the_ensemble_spreads_around_the_best_values():
    values = np.array([member["controller.io_us"] for member in SHIPPED.ensemble])

    assert values.min() < SHIPPED.value("controller.io_us") < values.max()
    assert values.std() / values.mean() < 0.2


def test_every_parameter_that_a_fit_determines_says_so_and_no_other_does():
    fitted = {name for fit in FITS for name in fit.starts} | {f"{fit.workload}.model_error" for fit in FITS}
    object_store = {name for name in SHIPPED.parameters if name.startswith(("object_store.", "machine."))}

    said = {name for name, each in SHIPPED.parameters.items() if each.source.kind == "fitted"}

    assert said - object_store == fitted


def test_no_parameter_is_named_after_a_published_figure():
    ids = {entry["id"] for entry in FIGURES}

    assert not [name for name in SHIPPED.parameters if any(each in name for each in ids)]


def test_errors_are_logarithms_of_predicted_over_published():
    entry = {
        "id": "light",
        "scenario": {"workload": "light_path", "metres": 299_792.458},
        "metric": "light_one_way_ms",
        "published": 2.0,
        "use": "check",
    }

    assert log_errors([entry], SHIPPED, METRICS_BY_WORKLOAD) == pytest.approx([np.log(0.5)])
    assert log_errors([{**entry, "published": [0.5, 2]}], SHIPPED, METRICS_BY_WORKLOAD) == pytest.approx([0.0])
