"""A database node as it is ordered: processors, memory, drives and network, bare metal or virtual."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulation.arrays import Array, array_of
from simulation.drives import sequential_mb_s
from simulation.parameters import ParameterSet
from simulation.scenarios import ScenarioError, choice, number, required, required_in, whole_number

PLATFORMS = ("bare_metal", "virtual")


@dataclass(frozen=True)
class Node:
    """One node. `processor_speed` compares one of its processors with a bare-metal core of 2012.

    `journal` is None where the journal lies on the data array; `network_mb_s` holds for one direction.
    """

    is_virtual: bool
    processors: int
    processor_speed: float
    ram_gb: float
    array: Array
    journal: Array | None
    network_mb_s: float


def node_of(scenario: Mapping[str, Any], parameters: ParameterSet) -> Node:
    """Read the node of a scenario. Raises ScenarioError naming what is missing or impossible."""
    value = required(scenario, "node")
    if not isinstance(value, Mapping):
        raise ScenarioError("node", "must describe a node")
    is_virtual = choice(required_in(value, "platform", "node"), PLATFORMS, field="node.platform") == "virtual"
    processors, speed = _processors(value, parameters)
    journal = value.get("journal")
    share = parameters.value("virtual.network_share") if is_virtual else 1.0
    gbps = number(required_in(value, "network_gbps", "node"), field="node.network_gbps", above=0)
    return Node(
        is_virtual=is_virtual,
        processors=processors,
        processor_speed=speed,
        ram_gb=number(required_in(value, "ram_gb", "node"), field="node.ram_gb", above=0),
        array=array_of(required_in(value, "array", "node"), field="node.array"),
        journal=None if journal is None else array_of(journal, field="node.journal"),
        network_mb_s=gbps * 125 * parameters.value("link.ethernet.payload_share") * share,
    )


def ram_hit_fraction(*, ram_gb: float, data_gb: float, parameters: ParameterSet) -> float:
    """The share of uniformly chosen reads that the memory answers: what the system leaves of it, over the data."""
    cached = max(0.0, ram_gb - parameters.value("node.system_ram_gb"))
    return min(1.0, cached / data_gb)


def array_write_mb_s(array: Array, parameters: ParameterSet) -> float:
    """What an array takes of one long sequential write. A network volume is one pipe whatever lies behind it."""
    single = sequential_mb_s(array.drive_class, parameters, writes=True)
    if array.drive_class == "network":
        return single
    return min(single * array.drives * array.layout.usable_fraction, parameters.value("controller.mb_s"))


def array_read_mb_s(array: Array, parameters: ParameterSet) -> float:
    """What an array gives of one long sequential read, from all its drives at once."""
    single = sequential_mb_s(array.drive_class, parameters, writes=False)
    if array.drive_class == "network":
        return single
    return min(single * array.drives, parameters.value("controller.mb_s"))


def _processors(value: Mapping[str, Any], parameters: ParameterSet) -> tuple[int, float]:
    if value.get("cores") is not None:
        return whole_number(value["cores"], field="node.cores", maximum=4096), 1.0
    units = value.get("compute_units")
    if units is None:
        raise ScenarioError("node.cores", "is missing, and so is node.compute_units")
    units = number(units, field="node.compute_units", above=0, maximum=65536)
    processors = max(1, round(units / parameters.value("virtual.compute_units_per_processor")))
    return processors, units / processors / parameters.value("machine.compute_units_per_core")
