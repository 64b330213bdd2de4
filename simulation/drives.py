"""Drive classes: how long one I/O keeps one drive busy, from what data sheets say and a few fitted parameters."""

import math
from dataclasses import dataclass

from simulation.parameters import ParameterSet

ROTATING = ("sata_7k", "sas_10k", "sas_15k")
FLASH = ("ssd", "nvme")
NETWORK = "network"
DRIVE_CLASSES = (*ROTATING, *FLASH, NETWORK)
BYTES_PER_KIB = 1024


@dataclass(frozen=True)
class Access:
    """One kind of drive I/O: its size, whether it writes, and whether it follows the one before.

    `queue` is the number of I/Os that a drive can choose the next from, `span` the share of its surface in use.
    """

    kib: float
    writes: bool
    sequential: bool = False
    queue: float = 1.0
    span: float = 1.0


def transfer_seconds(*, kib: float, mb_s: float) -> float:
    """How long so much takes at so many megabytes a second."""
    return kib * BYTES_PER_KIB / (mb_s * 1e6)


def speed_factor(drive_class: str) -> str:
    """The name of the factor by which drives of a class are faster, or slower, than their parameters say."""
    return f"drive.{drive_class}"


def drive_seconds(drive_class: str, access: Access, parameters: ParameterSet) -> float:
    """How long one I/O occupies a drive of the class; a network volume counts as one drive."""
    return _seconds(drive_class, access, parameters) / parameters.factor(speed_factor(drive_class))


def sequential_mb_s(drive_class: str, parameters: ParameterSet, *, writes: bool) -> float:
    """What one drive of the class passes when nothing makes it wait."""
    return _sequential_mb_s(drive_class, parameters, writes=writes) * parameters.factor(speed_factor(drive_class))


def _seconds(drive_class: str, access: Access, parameters: ParameterSet) -> float:
    if drive_class in ROTATING:
        return _rotating_seconds(drive_class, access, parameters)
    if drive_class in FLASH:
        return _flash_seconds(drive_class, access, parameters)
    transfer = transfer_seconds(kib=access.kib, mb_s=_sequential_mb_s(NETWORK, parameters, writes=access.writes))
    return transfer if access.sequential else transfer + parameters.value("network_volume.access_ms") / 1e3


def _sequential_mb_s(drive_class: str, parameters: ParameterSet, *, writes: bool) -> float:
    if drive_class == NETWORK:
        return parameters.value(f"network_volume.{'write_' if writes else ''}mb_s")
    if drive_class in ROTATING:
        return parameters.value(f"drive.{drive_class}.transfer_mb_s")
    return parameters.value(f"drive.{drive_class}.{'write' if writes else 'read'}_mb_s")


def _rotating_seconds(drive_class: str, access: Access, parameters: ParameterSet) -> float:
    transfer = transfer_seconds(kib=access.kib, mb_s=parameters.value(f"drive.{drive_class}.transfer_mb_s"))
    if access.sequential:
        return transfer
    settle = parameters.value("drive.rotating.settle_ms") / 1e3
    average_seek = parameters.value(f"drive.{drive_class}.average_seek_ms") / 1e3
    # The arm accelerates and brakes, so the time of a seek grows with the root of its distance.
    seek = settle + max(0.0, average_seek - settle) * math.sqrt(access.span)
    half_turn = 30 / parameters.value(f"drive.{drive_class}.rotations_per_minute")
    queue = min(max(access.queue, 1.0), parameters.value("drive.rotating.queue_limit"))
    positioning = (seek + half_turn) * queue ** -parameters.value("drive.rotating.reorder_exponent")
    return positioning * _write_factor(access, parameters) + transfer


def _flash_seconds(drive_class: str, access: Access, parameters: ParameterSet) -> float:
    speed = _sequential_mb_s(drive_class, parameters, writes=access.writes)
    transfer = transfer_seconds(kib=access.kib, mb_s=speed)
    if access.sequential:
        return transfer
    if drive_class == "ssd":
        fixed = parameters.value("drive.ssd.access_us") * _write_factor(access, parameters)
    else:
        fixed = parameters.value(f"drive.nvme.{'write' if access.writes else 'read'}_us")
    return fixed / 1e6 + transfer


def _write_factor(access: Access, parameters: ParameterSet) -> float:
    return parameters.value("drive.write_factor") if access.writes else 1.0
