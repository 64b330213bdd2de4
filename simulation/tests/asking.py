"""Ask for a figure that the model is expected to tell."""

from typing import Any

from simulation.parameters import ParameterSet
from simulation.predict import METRICS_BY_WORKLOAD, Metrics, Prediction, predict
from simulation.scenarios import Scenario


def value_of(
    scenario: Scenario, metric: str, parameters: ParameterSet, *, metrics: Metrics = METRICS_BY_WORKLOAD
) -> Any:
    """The predicted value; the test fails where there is no model."""
    prediction = predict(scenario, metric, parameters, metrics=metrics)
    assert isinstance(prediction, Prediction), prediction
    return prediction.value
