"""Machine types: the few facts that physics takes, and the frozen list of April 2012 that accuracy is judged by."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources

from simulation.parameters import ParameterSet

NETWORK_PARAMETER_BY_IO_CLASS = {
    "Low": "machine.network_low_mb_s",
    "Moderate": "machine.network_moderate_mb_s",
    "High": "machine.network_high_mb_s",
    "Very High": "machine.network_very_high_mb_s",
}


@dataclass(frozen=True)
class Machine:
    """What the physics of a machine type rests on. Its name labels results and decides nothing.

    `network_mb_s` holds for one direction; `network_is_assumed` tells an assumption by I/O class from a published
    figure. `bursts`: the compute units hold for short bursts only, and the machine is throttled over minutes.
    `disk_write_mb_s` and `disk_read_mb_s` are what its data array of drives of `drive_class` passes of large objects;
    None where nobody knows the drives, which then limit nothing. `compute_units_are_assumed` tells compute units worked
    out from something else from published ones.
    """

    key_name: str
    compute_units: float
    network_mb_s: float
    network_is_assumed: bool
    local_storage_gb: float
    bursts: bool
    drive_class: str = ""
    disk_write_mb_s: float | None = None
    disk_read_mb_s: float | None = None
    compute_units_are_assumed: bool = False

    def __post_init__(self) -> None:
        if not self.compute_units > 0:
            raise ValueError(f"{self.key_name}: compute_units must be above zero")
        if not self.network_mb_s > 0:
            raise ValueError(f"{self.key_name}: network_mb_s must be above zero")
        for name in ("disk_write_mb_s", "disk_read_mb_s"):
            speed = getattr(self, name)
            if speed is not None and not speed > 0:
                raise ValueError(f"{self.key_name}: {name} must be above zero")


@dataclass(frozen=True)
class MachineType:
    """One row of a published list of machine types; `network_mb_s` is None where nobody published it."""

    key_name: str
    memory_gb: float
    compute_units: float
    local_storage_gb: float
    network_mb_s: float | None
    io_class: str
    bursts: bool
    price_per_hour: Decimal


def network_factor(key_name: str) -> str:
    """The name of the factor by which a machine's network is faster, or slower, than its seller says."""
    return f"network.{key_name}"


def resolve_machine(
    *,
    key_name: str,
    compute_units: float,
    network_mb_s: float | None,
    io_class: str,
    local_storage_gb: float,
    bursts: bool,
    parameters: ParameterSet,
) -> Machine:
    """The machine for the physics: an unpublished network figure becomes the assumption for its I/O class, marked so.

    Where somebody measured the machine's network, the factor by which it differs counts, and nothing is assumed.

    Raises ValueError where neither a figure nor a known I/O class is given.
    """
    if network_mb_s is None and io_class not in NETWORK_PARAMETER_BY_IO_CLASS:
        known = ", ".join(NETWORK_PARAMETER_BY_IO_CLASS)
        raise ValueError(f"{key_name}: no network figure, and I/O class {io_class!r} is none of {known}")
    is_measured = network_factor(key_name) in parameters.factors
    taken = parameters.value(NETWORK_PARAMETER_BY_IO_CLASS[io_class]) if network_mb_s is None else network_mb_s
    return Machine(
        key_name=key_name,
        compute_units=compute_units,
        network_mb_s=taken * parameters.factor(network_factor(key_name)),
        network_is_assumed=network_mb_s is None and not is_measured,
        local_storage_gb=local_storage_gb,
        bursts=bursts,
    )


def machine_of_type(machine_type: MachineType, *, parameters: ParameterSet) -> Machine:
    """The machine that a row of a published list describes."""
    return resolve_machine(
        key_name=machine_type.key_name,
        compute_units=machine_type.compute_units,
        network_mb_s=machine_type.network_mb_s,
        io_class=machine_type.io_class,
        local_storage_gb=machine_type.local_storage_gb,
        bursts=machine_type.bursts,
        parameters=parameters,
    )


def _read_machine_types(file_name: str) -> dict[str, MachineType]:
    text = (resources.files("simulation") / "data" / file_name).read_text(encoding="utf-8")
    types = [_machine_type(row) for row in csv.DictReader(text.splitlines())]
    return {machine_type.key_name: machine_type for machine_type in types}


def _machine_type(row: Mapping[str, str]) -> MachineType:
    return MachineType(
        key_name=row["key_name"],
        memory_gb=float(row["memory_gb"]),
        compute_units=float(row["compute_units"]),
        local_storage_gb=float(row["local_storage_gb"]),
        network_mb_s=float(row["network_mb_s"]) if row["network_mb_s"] else None,
        io_class=row["io_class"],
        bursts=row["bursts"] == "yes",
        price_per_hour=Decimal(row["price_per_hour"]),
    )


EC2_2012_04: Mapping[str, MachineType] = _read_machine_types("ec2_2012_04.csv")
"""The 13 EC2 machine types of April 2012 with list prices in US dollars, whatever any live catalogue says."""
