"""What the drives of a storage node take and give of objects: one long transfer, and small I/Os around it."""

from simulation.arrays import Array, HostIo, array_throughput
from simulation.nodes import array_read_mb_s, array_write_mb_s
from simulation.parameters import ParameterSet

SMALL_KIB = 4
OUTSTANDING = 32
"""I/Os that a node keeps outstanding: 48 streams that write three copies to five nodes make 29 each."""


def object_write_mb_s(array: Array, parameters: ParameterSet) -> float:
    """What a node's array takes of objects, in MB/s: each megabyte moves once and needs small writes beside it."""
    small = parameters.value("object_store.disk_writes_per_mb") / _small_iops(array, parameters, read_fraction=0.0)
    return 1 / (1 / array_write_mb_s(array, parameters) + small)


def object_read_mb_s(array: Array, parameters: ParameterSet) -> float:
    """What a node's array gives of objects, in MB/s: each megabyte moves once and needs small reads to find it."""
    small = parameters.value("object_store.disk_reads_per_mb") / _small_iops(array, parameters, read_fraction=1.0)
    return 1 / (1 / array_read_mb_s(array, parameters) + small)


def _small_iops(array: Array, parameters: ParameterSet, *, read_fraction: float) -> float:
    io = HostIo(kib=SMALL_KIB, queue_depth=OUTSTANDING, read_fraction=read_fraction, sequential=False)
    return array_throughput(array, io, parameters).iops
