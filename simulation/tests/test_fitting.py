import pytest

from simulation.figures import shipped_figures
from simulation.kernels.fitting import SEARCHED, calibration_entries, fit_object_store, log_likelihood
from simulation.parameters import load_parameter_set

FIGURES = [entry for entry in shipped_figures() if entry["scenario"]["workload"] == "object_store"]


def test_refitting_from_the_figures_alone_reproduces_the_shipped_set():
    shipped = load_parameter_set()
    forgotten = shipped.with_values(dict.fromkeys(SEARCHED, 1.0))

    refitted = fit_object_store(FIGURES, start=forgotten)

    for name in SEARCHED:
        assert refitted.value(name) == pytest.approx(shipped.value(name), rel=1e-3)
        assert refitted.parameters[name].source == shipped.parameters[name].source


def test_check_entries_and_other_workloads_are_never_fitted():
    check = {**FIGURES[0], "use": "check"}
    other = {**FIGURES[0], "scenario": {"workload": "block_io"}}

    assert calibration_entries([check, FIGURES[1], other]) == [FIGURES[1]]


def test_parameters_that_miss_a_figure_are_less_likely():
    shipped = load_parameter_set()
    entries = [entry for entry in FIGURES if entry["id"] == "swift.175.quad"]

    slower = shipped.with_values({"object_store.storage_write_mb_s_per_compute_unit": 10.0})

    assert log_likelihood(entries, slower) < log_likelihood(entries, shipped)
