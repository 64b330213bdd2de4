"""What a configuration is predicted to do, from what its parts say; what they leave unsaid is named, never guessed."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from planner.configurations import MB_S_PER_GBPS, Configuration, DriveGroup
from planner.learnt import NOTHING_LEARNT, Learnt, array_test_of
from simulation.arrays import array_of
from simulation.bands import band_of
from simulation.block_io import iops
from simulation.drives import BYTES_PER_KIB, NETWORK, ROTATING, speed_factor
from simulation.figures import shipped_figures
from simulation.machines import NETWORK_PARAMETER_BY_IO_CLASS
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.raid import layout_of
from simulation.scenarios import ScenarioError

RANDOM_KIB, RANDOM_DEPTH = 8, 128
SEQUENTIAL_KIB, SEQUENTIAL_DEPTH = 1024, 32
KILO = 1000
CALIBRATED, ASSUMED, PUBLISHED, SPECIFICATION = "calibrated", "assumed", "published", "specification"
MEASURED = "measured"
ARRAY_FIGURES = (
    ("random_read", "Random reads", "random", "read"),
    ("random_write", "Random writes", "random", "write"),
    ("sequential_read", "Sequential reads", "sequential", "read"),
    ("sequential_write", "Sequential writes", "sequential", "write"),
)
TEST_WORDS = (
    f"Random: {RANDOM_KIB} KiB blocks with {RANDOM_DEPTH} outstanding. "
    f"Sequential: 1 MiB with {SEQUENTIAL_DEPTH} outstanding. All drives of an array together, for one machine."
)


@dataclass(frozen=True)
class PredictedFigure:
    """One predicted figure with its band. `price_unit` is what a price is given for: one, or a thousand, of the unit.

    `basis` says how it is known: measured by the account on that very configuration, calibrated, assumed, published,
    or specification.
    """

    key: str
    label: str
    value: float
    low: float
    high: float
    unit: str
    basis: str
    price_unit: str = ""

    @property
    def priced_amount(self) -> float:
        """How many of `price_unit` this is."""
        return self.value / KILO if self.price_unit == "kIOPS" else self.value

    @property
    def basis_tag(self) -> str:
        """The tag that shows the basis: measured stands for what others published or a specification says."""
        return self.basis if self.basis in (CALIBRATED, ASSUMED) else "measured"

    @property
    def has_band(self) -> bool:
        return self.low < self.value or self.value < self.high


@dataclass(frozen=True)
class PredictedArray:
    """What one group of equal drives delivers."""

    words: str
    figures: tuple[PredictedFigure, ...]


@dataclass(frozen=True)
class Predicted:
    """What one machine is predicted to do; `unknown` says what could not be told and why, `notes` what is taken as so.

    `arrays` begins with the one where the data lies.
    """

    arrays: tuple[PredictedArray, ...]
    network: PredictedFigure | None
    unknown: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def figures(self) -> tuple[PredictedFigure, ...]:
        """The figures of the data array, and the network's."""
        data = self.arrays[0].figures if self.arrays else ()
        return (*data, self.network) if self.network else data

    def figure(self, key: str) -> PredictedFigure | None:
        return next((figure for figure in self.figures if figure.key == key), None)


def predicted_of(configuration: Configuration, *, io_class: str = "", learnt: Learnt = NOTHING_LEARNT) -> Predicted:
    """Predict what a configuration delivers, by the shipped parameter set and what the account measured.

    `io_class` is the word of a machine type's seller for its network, where no rate was published.
    """
    parameters = load_shipped()
    unknown: list[str] = []
    notes = list(configuration.notes)
    arrays = [_array(group, configuration, unknown, learnt) for group in configuration.drives]
    if not configuration.drives:
        unknown.append(_no_drives_words(configuration))
    network = _network(configuration, io_class, parameters, learnt)
    if network is None:
        unknown.append("Its network: the catalogue does not say how fast it is.")
    known = tuple(array for array in arrays if array is not None)
    if len(known) > 1:
        notes.append("Each kind of drive is taken to be an array of its own, of the RAID level chosen.")
    return Predicted(arrays=known, network=network, unknown=tuple(unknown), notes=tuple(notes))


@lru_cache(maxsize=1)
def load_shipped() -> ParameterSet:
    """Return the shipped parameter set, read once."""
    return load_parameter_set()


@lru_cache(maxsize=1)
def measured_accesses() -> frozenset[tuple[str, str, str, int]]:
    """Return which drive class, access, operation and number of drive writes per write the fit has seen.

    A read is the same at any RAID level, so its number is zero.
    """
    found = set()
    for entry in shipped_figures():
        scenario = entry["scenario"]
        if scenario["workload"] == "block_io" and entry["use"] == "calibration":
            array = array_of(scenario["array"])
            writes = array.layout.write_penalty if scenario["operation"] == "write" else 0
            found.add((array.drive_class, scenario["access"], scenario["operation"], writes))
    return frozenset(found)


@lru_cache(maxsize=4096)
def array_figures(drive_class: str, drives: int, raid: str, speed: float | None = None) -> tuple[PredictedFigure, ...]:
    """Return the four figures of an array, each with its band. Raises ScenarioError for an impossible array.

    `speed` is how many times as fast drives of the class were measured; then their figures are calibrated.
    """
    parameters = load_shipped().with_factors({} if speed is None else {speed_factor(drive_class): speed})
    array = {"drive_class": drive_class, "drives": drives, "raid": raid}
    penalty = array_of(array).layout.write_penalty
    figures = []
    for key, label, access, operation in ARRAY_FIGURES:
        scenario = _scenario(array, access=access, operation=operation)
        seen = (drive_class, access, operation, penalty if operation == "write" else 0)
        is_seen = speed is not None or seen in measured_accesses()
        value = iops(scenario, parameters)
        low, high = _band(scenario, value, parameters, is_calibrated=is_seen)
        factor = _units_of_an_io(access)
        figures.append(
            PredictedFigure(
                key=key,
                label=label,
                value=value * factor,
                low=low * factor,
                high=high * factor,
                unit="IOPS" if access == "random" else "MB/s",
                basis=CALIBRATED if is_seen else ASSUMED,
                price_unit="kIOPS" if access == "random" else "MB/s",
            )
        )
    return tuple(figures)


def _units_of_an_io(access: str) -> float:
    """Return how many of a figure's unit one I/O is: itself, or its megabytes where it is a long one."""
    return 1.0 if access == "random" else SEQUENTIAL_KIB * BYTES_PER_KIB / 1e6


def _as_measured(
    figure: PredictedFigure, array: Mapping[str, Any], access: str, operation: str, learnt: Learnt
) -> PredictedFigure:
    """Return what the account measured on that very array under that very test; else the figure as it is."""
    rate = learnt.iops.get(array_test_of(_scenario(array, access=access, operation=operation)))
    if rate is None:
        return figure
    value = rate * _units_of_an_io(access)
    return replace(figure, value=value, low=value, high=value, basis=MEASURED)


def _scenario(array: Mapping[str, Any], *, access: str, operation: str) -> dict[str, Any]:
    is_random = access == "random"
    return {
        "workload": "block_io",
        "array": array,
        "mount": "data",
        "block_kib": RANDOM_KIB if is_random else SEQUENTIAL_KIB,
        "queue_depth": RANDOM_DEPTH if is_random else SEQUENTIAL_DEPTH,
        "access": access,
        "operation": operation,
    }


def _band(
    scenario: Mapping[str, Any], value: float, parameters: ParameterSet, *, is_calibrated: bool
) -> tuple[float, float]:
    """Where the figure should lie; what was never measured is widened by the intervals of what it rests on."""
    others = [iops(scenario, parameters.with_values(member)) for member in parameters.ensemble]
    low, high = band_of(value, others, workload="block_io", parameters=parameters)
    if is_calibrated:
        return low, high
    names = [
        name
        for name, parameter in parameters.parameters.items()
        if parameter.source.kind != "fitted" and _concerns(name, scenario["array"]["drive_class"])
    ]
    spreads = [_half_spread(scenario, name, parameters) for name in names]
    widened = math.exp(math.sqrt(sum(spread**2 for spread in spreads)))
    return low / widened, high * widened


def _half_spread(scenario: Mapping[str, Any], name: str, parameters: ParameterSet) -> float:
    """Half of the logarithm that the figure moves by while one parameter goes through its interval."""
    parameter = parameters.parameters[name]
    ends = [iops(scenario, parameters.with_values({name: end})) for end in (parameter.low, parameter.high)]
    return abs(math.log(ends[1] / ends[0])) / 2


def _concerns(name: str, drive_class: str) -> bool:
    """Tell whether a parameter is about drives of the class or what stands before them."""
    if drive_class == NETWORK:
        return name in ("network_volume.access_ms", "network_volume.mb_s", "network_volume.round_trip_ms")
    prefixes = ["controller.", f"drive.{drive_class}."]
    if drive_class in ROTATING:
        prefixes.append("drive.rotating.")
    return name.startswith(tuple(prefixes))


def _array(
    group: DriveGroup, configuration: Configuration, unknown: list[str], learnt: Learnt
) -> PredictedArray | None:
    words = f"{group.count} × {group.description}"
    if group.drive_class is None:
        unknown.append(f"{words}: the catalogue does not say what kind of drive that is.")
        return None
    # A drive alone is read and written as it is, whatever a controller could do with more of them.
    raid = configuration.raid or ("none" if group.count == 1 else None)
    if raid is None:
        unknown.append(f"{words}: no RAID level is chosen.")
        return None
    try:
        figures = array_figures(group.drive_class, group.count, raid, learnt.speed_of(group.drive_class))
    except ScenarioError as problem:
        unknown.append(f"{words}: {problem.reason}.")
        return None
    level = "" if raid == "none" else f", {raid.upper().replace('RAID', 'RAID ')}"
    array = {"drive_class": group.drive_class, "drives": group.count, "raid": raid}
    figures = tuple(
        _as_measured(figure, array, access, operation, learnt)
        for figure, (_, _, access, operation) in zip(figures, ARRAY_FIGURES, strict=True)
    )
    return PredictedArray(words=f"{words}{level}", figures=(*figures, *_usable(group, raid)))


def _usable(group: DriveGroup, raid: str) -> tuple[PredictedFigure, ...]:
    if group.drive_gb is None:
        return ()
    usable = group.count * group.drive_gb * layout_of(raid=raid, drives=group.count).usable_fraction
    return (PredictedFigure("usable", "Usable capacity", usable, usable, usable, "GB", SPECIFICATION),)


def _network(
    configuration: Configuration, io_class: str, parameters: ParameterSet, learnt: Learnt
) -> PredictedFigure | None:
    """What one direction of the network passes, as the account measured it or else as it is taken to."""
    figure = _network_taken(configuration, io_class, parameters)
    factor = learnt.network_of(configuration.machine_type)
    if figure is None or factor is None:
        return figure
    value = figure.value * factor
    return replace(figure, value=value, low=value, high=value, basis=MEASURED)


def _network_taken(configuration: Configuration, io_class: str, parameters: ParameterSet) -> PredictedFigure | None:
    """What one direction of the network passes: the rate published for a machine type, or the uplink less headers."""
    figure = PredictedFigure("network", "Network, each way", 0.0, 0.0, 0.0, "MB/s", PUBLISHED, price_unit="MB/s")
    is_virtual = configuration.platform == "virtual"
    if configuration.network_gbps is not None:
        raw = configuration.network_gbps * MB_S_PER_GBPS
        if is_virtual:
            return replace(figure, value=raw, low=raw, high=raw)
        share = parameters.parameters["link.ethernet.payload_share"]
        return replace(figure, value=raw * share.value, low=raw * share.low, high=raw * share.high, basis=SPECIFICATION)
    if io_class in NETWORK_PARAMETER_BY_IO_CLASS:
        assumed = parameters.parameters[NETWORK_PARAMETER_BY_IO_CLASS[io_class]]
        return replace(figure, value=assumed.value, low=assumed.low, high=assumed.high, basis=ASSUMED)
    return None


def _no_drives_words(configuration: Configuration) -> str:
    if configuration.platform == "virtual":
        return "Its local drives: nobody published what kind they are, so no I/O is predicted."
    return "Its drives: none are chosen that a prediction could be made for."
