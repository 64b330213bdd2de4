"""The fields of every workload: what a scenario holds, how people type it, and what stands there to begin with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from planner.simulations.quantities import (
    BLOCK,
    BYTES,
    CAPACITY,
    DISTANCE,
    DURATION,
    MILLISECONDS,
    NETWORK,
    OF_A_HUNDRED,
    PERCENT,
    PLAIN,
    RATE,
    Measure,
    number_words,
    read_number,
    read_whole,
)
from simulation.build import COMPILERS, CORES_BY_CPU, STORAGES
from simulation.drives import DRIVE_CLASSES
from simulation.kv_store import DISTRIBUTIONS
from simulation.machines import EC2_2012_04
from simulation.nodes import PLATFORMS
from simulation.raid import FEWEST_DRIVES
from simulation.replicated_write import FLASHES

Kind = Literal["whole", "number", "choice"]
Choices = Mapping[str, str]

CHOICE_WORDS = {
    "sata_7k": "SATA, 7,200 rpm",
    "sas_10k": "SAS, 10,000 rpm",
    "sas_15k": "SAS, 15,000 rpm",
    "ssd": "SSD",
    "nvme": "NVMe",
    "network": "Network volume",
    "none": "No RAID",
    **{level: f"RAID {level.removeprefix('raid')}" for level in FEWEST_DRIVES if level != "none"},
    "bare_metal": "Bare metal",
    "virtual": "Virtual",
    "gcc": "GCC",
    "msvc": "Visual C++",
    "local_ssd": "Local SSD",
    "busy_san": "Busy SAN",
    "sandy_bridge_16_cores": "Sandy Bridge, 16 cores",
    "nehalem_8_cores": "Nehalem, 8 cores",
    "harpertown_8_cores": "Harpertown, 8 cores",
    "sata_emlc_ssd": "SATA eMLC SSD",
    "sata_mlc_ssd": "SATA MLC SSD",
    "pcie_flash": "PCIe flash",
    "1gbe": "1 Gb Ethernet",
    "10gbe": "10 Gb Ethernet",
    "40gbe": "40 Gb Ethernet",
    "100gbe": "100 Gb Ethernet",
    "ib_10g": "InfiniBand, 10 Gb",
    "ib_40g": "InfiniBand, 40 Gb",
    "data": "The whole array",
    "logs": "A small directory",
    "journal": "An array of its own",
}
MACHINE_TYPES = {key: key for key in EC2_2012_04}


@dataclass(frozen=True)
class Field:
    """One field of a scenario. `path` names it there, with dots into its parts."""

    path: str
    label: str
    kind: Kind
    default: Any = None
    measure: Measure = PLAIN
    choices: Choices | None = None
    help: str = ""
    is_optional: bool = False
    is_advanced: bool = False
    is_counted: bool = True
    """Whether the label names what is counted, as "Clients" does and "Queue depth" does not."""

    def read(self, text: str) -> Any:
        """Return what people typed as the scenario holds it. Raises ValueError in words a person can act on."""
        if self.kind == "choice":
            return self._choice(text)
        return read_whole(text) if self.kind == "whole" else read_number(text, self.measure)

    def words(self, value: Any) -> str:
        """Return a value as it stands in the form."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return number_words(value, self.measure)
        return str(value)

    def label_of(self, value: Any) -> str:
        """Return a value for people, such as "RAID 10" or "8 KiB"."""
        return (self.choices or {}).get(value, self.words(value)) if isinstance(value, str) else self.words(value)

    def named(self, value: Any) -> str:
        """Return a value with what it is of: "8 clients", "block size 8 KiB", "RAID 10"."""
        words, noun = self.label_of(value), self.label.lower().removeprefix("number of ")
        if self.kind == "choice":
            return words
        if self.kind == "number" or not self.is_counted:
            return f"{noun} {words}"
        return f"{words} {_one_of(noun) if value == 1 else noun}"

    def _choice(self, text: str) -> str:
        choices = self.choices or {}
        for key, words in choices.items():
            if text.strip().casefold() in (key.casefold(), words.casefold(), words.replace(" ", "").casefold()):
                return key
        raise ValueError(f"“{text.strip()}” is none of {', '.join(choices)}.")


@dataclass(frozen=True)
class Workload:
    """A kind of work that can be simulated, with the figure that tells most about it."""

    key: str
    name: str
    note: str
    primary: str
    sweep: str
    values: str
    fields: tuple[Field, ...]

    def field(self, path: str) -> Field | None:
        return next((field for field in self.fields if field.path == path), None)

    @property
    def sweepable(self) -> dict[str, str]:
        """The fields whose values can be tried one after the other, with their labels."""
        return {field.path: field.label for field in self.fields}


def _one_of(noun: str) -> str:
    head, *rest = noun.split(" behind ")
    one = f"{head[:-3]}y" if head.endswith("ies") else head.removesuffix("s")
    return " behind ".join([one, *rest])


def _choices(*keys: str) -> Choices:
    return {key: CHOICE_WORDS.get(key, key.replace("_", " ").capitalize()) for key in keys}


def _array(parent: str, *, drive_class: str, drives: int, drive_gb: float, words: str = "") -> tuple[Field, ...]:
    return (
        Field(f"{parent}.drive_class", f"{words}Drives", "choice", drive_class, choices=_choices(*DRIVE_CLASSES)),
        Field(f"{parent}.drives", f"Number of {words.lower()}drives", "whole", drives),
        Field(f"{parent}.raid", f"{words}RAID level", "choice", "raid10", choices=_choices(*FEWEST_DRIVES)),
        Field(
            f"{parent}.drive_gb", f"{words}Size of one drive", "number", drive_gb, CAPACITY,
            is_optional=True, is_advanced=True,
        ),
    )  # fmt: skip


def _journal() -> tuple[Field, ...]:
    where = Field(
        "node.journal.drive_class", "Journal drives", "choice", None, choices=_choices(*DRIVE_CLASSES),
        help="Empty: the journal lies on the data drives.", is_optional=True, is_advanced=True,
    )  # fmt: skip
    rest = (
        Field("node.journal.drives", "Number of journal drives", "whole", None, is_optional=True, is_advanced=True),
        Field(
            "node.journal.raid", "Journal RAID level", "choice", None, choices=_choices(*FEWEST_DRIVES),
            is_optional=True, is_advanced=True,
        ),
        Field(
            "node.journal.drive_gb", "Size of one journal drive", "number", None, CAPACITY,
            is_optional=True, is_advanced=True,
        ),
    )  # fmt: skip
    return where, *rest


def _node(*, ram_gb: float, network_gbps: float, drive_class: str, drives: int, drive_gb: float) -> tuple[Field, ...]:
    return (
        Field("node.platform", "Machine", "choice", "bare_metal", choices=_choices(*PLATFORMS)),
        Field("node.cores", "Cores", "whole", 12, is_optional=True),
        Field(
            "node.compute_units", "Compute units", "number", None, is_optional=True, is_advanced=True,
            help="Of a virtual machine, in EC2 compute units of 2012. Only where cores are empty.",
        ),
        Field("node.ram_gb", "Memory", "number", ram_gb, CAPACITY),
        Field("node.network_gbps", "Network", "number", network_gbps, NETWORK),
        *_array("node.array", drive_class=drive_class, drives=drives, drive_gb=drive_gb),
    )  # fmt: skip


READ_SHARE = Field(
    "read_fraction", "Share of reading", "number", None, PERCENT,
    help="Of a mixed operation.", is_optional=True, is_advanced=True,
)  # fmt: skip
OPERATION = Field("operation", "Operation", "choice", "read", choices=_choices("read", "write", "mixed"))

BLOCK_IO = Workload(
    "block_io", "Drives", "IOPS of an array", "iops", "array.drives", "2, 4, 8…64",
    (
        *_array("array", drive_class="sas_15k", drives=4, drive_gb=300),
        Field("block_kib", "Block size", "number", 8, BLOCK),
        Field("queue_depth", "Queue depth", "whole", 128, help="I/Os outstanding at any time.", is_counted=False),
        Field("access", "Access", "choice", "random", choices=_choices("random", "sequential")),
        OPERATION,
        READ_SHARE,
        Field(
            "mount", "Where", "choice", "data", choices=_choices("data", "logs", "journal"), is_advanced=True,
            help="A small directory keeps the arms close.",
        ),
    ),
)  # fmt: skip
KV_STORE = Workload(
    "kv_store", "Key-value store", "gets and puts of a cluster", "throughput_ops", "clients", "1, 2, 4…128",
    (
        Field("nodes", "Nodes", "whole", 5),
        Field("clients", "Clients", "whole", 8, help="Each asks, waits for the answer, and asks again."),
        Field("gets_per_put", "Gets for each put", "number", 10),
        Field("keys", "Keys", "whole", 1_000_000),
        *_node(ram_gb=36, network_gbps=2, drive_class="sas_15k", drives=4, drive_gb=300),
        Field("duration_seconds", "Length of the run", "number", 7200, DURATION),
        Field("replicas", "Copies of each value", "whole", 3, is_advanced=True),
        Field("acks", "Answers awaited", "whole", 2, is_advanced=True, is_counted=False),
        Field(
            "value_bytes.distribution", "Sizes of values", "choice", "exponential", choices=_choices(*DISTRIBUTIONS),
            is_advanced=True,
        ),
        Field("value_bytes.minimum", "Smallest value", "number", 4098, BYTES, is_optional=True, is_advanced=True),
        Field(
            "value_bytes.mean_above_minimum", "Mean size above the smallest", "number", 50_000, BYTES,
            is_optional=True, is_advanced=True,
        ),
        Field(
            "value_bytes.bytes", "Constant size", "number", None, BYTES, is_optional=True, is_advanced=True,
            help="Where all values have one size.",
        ),
        Field(
            "promise.percent", "Promised share", "number", None, OF_A_HUNDRED, is_optional=True, is_advanced=True,
            help="Of all requests, such as 99: the most requests a second that keep the promise is told.",
        ),
        Field(
            "promise.within_ms", "Promised to be answered within", "number", None, MILLISECONDS,
            is_optional=True, is_advanced=True,
        ),
    ),
)  # fmt: skip
DOCUMENT_STORE = Workload(
    "document_store", "Document store", "reads and updates of one node", "throughput_ops", "clients", "1, 2, 4…128",
    (
        Field("clients", "Clients", "whole", 128),
        Field("reads_per_update", "Reads for each update", "number", 6),
        Field("document_kib", "Size of a document", "number", 512, BLOCK),
        Field("dataset_gb", "All documents", "number", 64, CAPACITY),
        *_node(ram_gb=36, network_gbps=2, drive_class="ssd", drives=4, drive_gb=400),
        *_journal(),
    ),
)  # fmt: skip
OBJECT_STORE = Workload(
    "object_store", "Object storage", "MB/s of a storage cloud", "throughput_mb_s", "storage_per_proxy", "5-60 step 5",
    (
        Field(
            "operation", "Operation", "choice", "write", choices={"write": "Backup (write)", "read": "Recovery (read)"}
        ),
        Field("proxy", "Proxies' machine type", "choice", "m1.large", choices=MACHINE_TYPES),
        Field("proxies", "Proxies", "whole", 1),
        Field("storage", "Storage nodes' machine type", "choice", "m1.small", choices=MACHINE_TYPES),
        Field("storage_per_proxy", "Storage nodes behind each proxy", "whole", 5),
        Field("replicas", "Copies", "whole", 3, is_advanced=True),
        Field(
            "load_balancer.type", "Balancers' machine type", "choice", None,
            choices=MACHINE_TYPES, is_optional=True, is_advanced=True,
        ),
        Field("load_balancer.count", "Balancers", "whole", None, is_optional=True, is_advanced=True),
    ),
)  # fmt: skip
REPLICATED_WRITE = Workload(
    "replicated_write", "Replicated writes", "flash with peers over a link", "throughput_mb_s", "io_kib",
    "4 KiB, 32 KiB, 256 KiB, 1 MiB",
    (
        Field("flash", "Flash", "choice", "pcie_flash", choices=_choices(*FLASHES)),
        Field("io_kib", "I/O size", "number", 4, BLOCK),
        Field("workers", "Workers", "whole", 4),
        Field("vcpus", "Virtual processors", "whole", 4),
        Field("peers", "Peers", "whole", 1, help="Each holds a copy; 0 is the local flash alone."),
        Field(
            "link", "Link", "choice", "10gbe",
            choices=_choices("1gbe", "10gbe", "40gbe", "100gbe", "ib_10g", "ib_40g"), is_optional=True,
        ),
        Field("operation", "Operation", "choice", "write", choices=_choices("read", "write", "mixed")),
        READ_SHARE,
    ),
)  # fmt: skip
BUILD = Workload(
    "build", "Builds", "minutes of a compile farm", "minutes", "vcpus", "1, 2, 4…16",
    (
        Field("compiler", "Compiler", "choice", "gcc", choices=_choices(*COMPILERS)),
        Field("vcpus", "Virtual processors", "whole", 8),
        Field("ram_gb", "Memory", "number", 8, CAPACITY),
        Field("storage", "Storage", "choice", "local_ssd", choices=_choices(*STORAGES)),
        Field("cpu", "Processors", "choice", "sandy_bridge_16_cores", choices=_choices(*CORES_BY_CPU)),
    ),
)  # fmt: skip
RAID = Workload(
    "raid", "RAID", "what a level costs", "random_mb_s", "raid", "raid0, raid1, raid5, raid6, raid10",
    (
        Field("raid", "RAID level", "choice", "raid10", choices=_choices(*FEWEST_DRIVES)),
        Field("drives", "Number of drives", "whole", 8),
        Field("single_drive_random_mb_s", "Random throughput of one drive", "number", 1.4, RATE),
        Field("read_fraction", "Share of reading", "number", 0.7, PERCENT),
        Field(
            "drive_gb", "Size of one drive", "number", 1000, CAPACITY, help="For how long a rebuild takes.",
            is_optional=True, is_advanced=True,
        ),
    ),
)  # fmt: skip
LIGHT_PATH = Workload(
    "light_path", "Distance", "the least that any network needs", "light_round_trip_ms", "metres", "100 km, 1,000 km",
    (Field("metres", "Distance", "number", 4_126_000, DISTANCE),),
)  # fmt: skip

WORKLOADS: Mapping[str, Workload] = {
    workload.key: workload
    for workload in (
        BLOCK_IO, KV_STORE, DOCUMENT_STORE, OBJECT_STORE, REPLICATED_WRITE, BUILD, RAID, LIGHT_PATH,
    )
}  # fmt: skip
