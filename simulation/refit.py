"""What a measurement says about the models, and what several say together.

A lesson is how many times faster than taken here one thing is that limits what was measured: drives of a class, a
machine's network, or a parameter of the workload's model. All is done in logarithms, as the fits of the shipped set
are: a prior around "as taken here", a factor of about two wide, draws what little evidence there is towards 1.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulation.drives import speed_factor
from simulation.kv_store import fast_outcome, kv_run
from simulation.machines import network_factor
from simulation.parameters import ParameterSet
from simulation.predict import NoModel, predict
from simulation.scenarios import Scenario

PRIOR_DEVIATION = 0.7
LESSON_DEVIATION = 0.1
"""What one measurement is taken to be off by: the run, the machine, and what the model leaves out (an assumption)."""
FURTHEST = math.log(8)
"""A part that would have to be more than eight times faster or slower does not explain a measurement."""
STEP = 0.05
HALVINGS = 40
SIGNIFICANT_DIGITS = 6
LEARNT_FROM: Mapping[str, Sequence[str]] = {
    "block_io": ("iops", "throughput_mb_s"),
    "object_store": ("throughput_mb_s",),
    "document_store": ("throughput_ops",),
    "kv_store": ("throughput_ops",),
}
"""The metrics of each workload that teach; the first one that a file has is enough, as the others follow from it."""
OBJECT_STORE_PARTS = (
    "object_store.proxy_mb_s_per_compute_unit",
    "object_store.proxy_software_mb_s",
    "object_store.storage_write_mb_s_per_compute_unit",
    "object_store.stream_mb_s",
    "object_store.balancer_mb_s_per_compute_unit",
)


@dataclass(frozen=True)
class Lesson:
    """That something, named as in ParameterSet.factors, is exp(`log_factor`) times as fast as taken here."""

    factor: str
    log_factor: float


def lesson_of(scenario: Scenario, metric: str, measured: float, parameters: ParameterSet) -> Lesson | None:
    """Return what a measured value teaches; None where no part of the model explains it.

    What limits the scenario is what the value is about: the candidate that moves the prediction most. Raises
    ScenarioError where the scenario lacks a field.
    """
    if metric not in LEARNT_FROM.get(scenario["workload"], ()):
        return None

    def logarithm(factors: Mapping[str, float]) -> float:
        return math.log(predicted_value(scenario, metric, parameters.with_factors(factors)) or math.nan)

    candidates = candidates_of(scenario)
    sensitivities = [logarithm({name: math.exp(STEP)}) - logarithm({name: math.exp(-STEP)}) for name in candidates]
    name = candidates[max(range(len(candidates)), key=lambda index: abs(sensitivities[index]))]
    found = _where(lambda x: logarithm({name: math.exp(x)}), math.log(measured))
    return None if found is None else Lesson(name, found)


def ratio_lesson(factor: str, *, measured: float, predicted: float) -> Lesson | None:
    """Return the lesson of a figure that is in proportion to the factor, such as a machine's network."""
    log_factor = math.log(measured / predicted)
    return Lesson(factor, log_factor) if abs(log_factor) <= FURTHEST else None


def predicted_value(scenario: Scenario, metric: str, parameters: ParameterSet) -> float | None:
    """Return what the models say; None where nobody has modelled it. Raises ScenarioError.

    Of a key-value store it is the fast answer, by which advice ranks: the mean without bursts and slowdowns.
    """
    if scenario["workload"] == "kv_store":
        return fast_outcome(kv_run(scenario, parameters).network).throughput_ops if metric == "throughput_ops" else None
    prediction = predict(scenario, metric, parameters)
    if isinstance(prediction, NoModel) or not isinstance(prediction.value, int | float):
        return None
    return float(prediction.value)


def candidates_of(scenario: Scenario) -> list[str]:
    """Return what may be faster or slower in a scenario than taken here, by name."""
    workload = scenario["workload"]
    if workload == "block_io":
        return [speed_factor(scenario["array"]["drive_class"])]
    if workload == "object_store":
        machines = [str(scenario[role]) for role in ("proxy", "storage") if scenario.get(role)]
        return [*OBJECT_STORE_PARTS, *dict.fromkeys(network_factor(name) for name in machines)]
    if workload == "document_store":
        node: Mapping[str, Any] = scenario["node"]
        arrays = [node["array"], *([node["journal"]] if node.get("journal") else [])]
        classes = dict.fromkeys(speed_factor(array["drive_class"]) for array in arrays)
        return ["document_store.processor_ms_per_mib", *classes]
    if workload == "kv_store":
        return ["kv_store.get_processor_ms", speed_factor(scenario["node"]["array"]["drive_class"])]
    return []


def factors_of(lessons: Sequence[Lesson]) -> dict[str, float]:
    """Return the factor of each thing that the lessons speak of: the shrunk mean of their logarithms.

    The order of the lessons does not matter, and taking one away leaves exactly what the others say.
    """
    names = sorted({lesson.factor for lesson in lessons})
    return {name: _shrunk([lesson.log_factor for lesson in lessons if lesson.factor == name]) for name in names}


def _shrunk(log_factors: Sequence[float]) -> float:
    evidence = len(log_factors) / LESSON_DEVIATION**2
    mean = math.fsum(log_factors) / len(log_factors)
    factor = math.exp(mean * evidence / (evidence + 1 / PRIOR_DEVIATION**2))
    return float(f"{factor:.{SIGNIFICANT_DIGITS}g}")


def _where(curve: Callable[[float], float], target: float) -> float | None:
    """Return where a monotonic curve takes a value within FURTHEST of zero, nearest to zero; None where it does not."""
    start = curve(0.0)
    if math.isclose(start, target, abs_tol=1e-9):
        return 0.0
    ends = [end for end in (FURTHEST, -FURTHEST) if (curve(end) - target) * (start - target) <= 0]
    if not ends:
        return None
    near, far = 0.0, ends[0]
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        if (curve(middle) - target) * (start - target) > 0:
            near = middle
        else:
            far = middle
    return far
