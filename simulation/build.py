"""Compile farms: a serial part, a parallel part over the processors, and waiting for a busy SAN and for missing RAM."""

from collections.abc import Callable, Mapping

from simulation.parameters import ParameterSet
from simulation.scenarios import Scenario, choice, number, required, whole_number

COMPILERS = ("gcc", "msvc")
STORAGES = ("local_ssd", "busy_san")
CORES_BY_CPU = {"sandy_bridge_16_cores": 16, "nehalem_8_cores": 8, "harpertown_8_cores": 8}
MOST_VCPUS = 1024


def minutes(scenario: Scenario, parameters: ParameterSet) -> float:
    """How long one full build of the project takes."""
    compiler = choice(required(scenario, "compiler"), COMPILERS, field="compiler")
    storage = choice(required(scenario, "storage"), STORAGES, field="storage")
    cpu = choice(required(scenario, "cpu"), tuple(CORES_BY_CPU), field="cpu")
    vcpus = whole_number(required(scenario, "vcpus"), field="vcpus", maximum=MOST_VCPUS)
    ram_gb = number(required(scenario, "ram_gb"), field="ram_gb", above=0)

    return build_minutes(
        compiler=compiler,
        storage=storage,
        speed=parameters.value(f"build.{cpu}.speed"),
        processors=min(vcpus, CORES_BY_CPU[cpu]),
        ram_gb=ram_gb,
        working_set_gb=parameters.value("build.working_set_gb"),
        parameters=parameters,
    )


def build_minutes(
    *,
    compiler: str,
    storage: str,
    speed: float,
    processors: int,
    ram_gb: float,
    working_set_gb: float,
    parameters: ParameterSet,
) -> float:
    """How long the project of the published builds takes on processors of a speed, 1 being a core of Sandy Bridge.

    It starves of RAM below its working set.
    """
    compiling = (
        parameters.value(f"build.{compiler}.serial_minutes")
        + parameters.value(f"build.{compiler}.parallel_minutes") / processors
    )
    waiting = parameters.value("build.san_wait_minutes") if storage == "busy_san" else 0.0
    missing = max(0.0, working_set_gb / ram_gb - 1)
    return compiling / speed + waiting + parameters.value("build.starving_minutes") * missing


def knee(minutes_of: Callable[[int], float], *, most: int, worth: float = 0.2) -> int:
    """Return the fewest processors of which twice as many save less than that share of the time; `most` where none."""
    for processors in range(1, most + 1):
        if minutes_of(2 * processors) > (1 - worth) * minutes_of(processors):
            return processors
    return most


METRICS: Mapping[str, Callable[[Scenario, ParameterSet], float | str]] = {"minutes": minutes}
