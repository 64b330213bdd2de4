"""The band of a figure: where other values of the fitted parameters see it, widened by what the model itself is off."""

import math
from collections.abc import Sequence

from simulation.parameters import ParameterSet

BAND_ENDS = (0.05, 0.95)
NORMAL_95_PERCENT = 1.645


def band_of(value: float, others: Sequence[float], *, workload: str, parameters: ParameterSet) -> tuple[float, float]:
    """Where nine of ten members of the ensemble see the figure, widened by the model error of its workload.

    `others` are the same figure under members of the ensemble; without any, the model error alone makes the band.
    """
    values = sorted(others) or [value]
    low, high = (values[round(end * (len(values) - 1))] for end in BAND_ENDS)
    name = f"{workload}.model_error"
    error = parameters.value(name) if name in parameters.parameters else 0.0
    spread = math.exp(NORMAL_95_PERCENT * error)
    return min(value, low) / spread, max(value, high) * spread
