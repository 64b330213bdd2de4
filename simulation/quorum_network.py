"""The description of a replicated store as a queueing network: plain values, in seconds and bytes."""

from typing import NamedTuple

DETERMINISTIC, EXPONENTIAL, LOGNORMAL = 0, 1, 2


class QuorumNetwork(NamedTuple):
    """Each request is asked of `replicas` of the `nodes` and answered when `acks` of them have answered.

    Closed where `arrivals_per_second` is zero: each client thinks, asks, waits. Otherwise open: requests arrive at
    random at that rate, whether or not earlier ones were answered. A node has `processors`, `disks` and one network
    card, all first come, first served; a kind says how a time is distributed and a shape how wide a lognormal one is.
    After every `flush_bytes` written a node stands still for `flush_seconds`; after so many flushes its puts wait
    another `compaction_seconds`.
    """

    nodes: int = 1
    replicas: int = 1
    acks: int = 1
    clients: int = 1
    arrivals_per_second: float = 0.0
    think_seconds: float = 0.0
    think_kind: int = EXPONENTIAL
    put_fraction: float = 0.0
    smallest_bytes: float = 0.0
    mean_bytes_above: float = 0.0
    bytes_kind: int = EXPONENTIAL
    processors: int = 1
    processor_kind: int = EXPONENTIAL
    processor_shape: float = 0.0
    coordinator_seconds: float = 0.0
    replica_get_seconds: float = 0.0
    replica_put_seconds: float = 0.0
    disks: int = 1
    disk_kind: int = EXPONENTIAL
    disk_shape: float = 0.0
    miss_fraction: float = 0.0
    get_disk_seconds: float = 0.0
    put_disk_seconds: float = 0.0
    card_seconds_per_byte: float = 0.0
    flush_bytes: float = 0.0
    flush_seconds: float = 0.0
    flushes_per_compaction: int = 1
    compaction_seconds: float = 0.0
    warm_up_seconds: float = 0.0
    end_seconds: float = 1.0
