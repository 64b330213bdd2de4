"""Every parameter of a set in words: value, unit, interval and source, by the part of a configuration it is about."""

from collections.abc import Sequence
from dataclasses import dataclass

from simulation.parameters import Parameter, ParameterSet

DRIVES_USED_BY = ("block_io", "kv_store", "document_store")
GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "drive": ("Drives", DRIVES_USED_BY),
    "controller": ("RAID controller", DRIVES_USED_BY),
    "raid": ("Rebuilds", ("raid",)),
    "network_volume": ("Network volumes", DRIVES_USED_BY),
    "block_io": ("Tests of drives", ("block_io",)),
    "node": ("Database nodes", ("kv_store", "document_store")),
    "virtual": ("Virtual servers", ("kv_store", "document_store")),
    "machine": ("Machine types", ("object_store", "kv_store", "document_store")),
    "link": ("Network links", ("kv_store", "document_store", "replicated_write")),
    "kv_store": ("Key-value store", ("kv_store",)),
    "document_store": ("Document store", ("document_store",)),
    "object_store": ("Object store", ("object_store",)),
    "flash": ("Flash of a host", ("replicated_write",)),
    "replicated_write": ("Replicated writes", ("replicated_write",)),
    "build": ("Build farm", ("build",)),
    "network_path": ("Ways of requests", ("light_path",)),
}
"""By the first word of a parameter's name: what it is about, and the workloads whose predictions take it."""
SOURCE_WORDS = {"specification": "specification", "fitted": "fitted", "assumed": "assumed"}
SOURCE_TAGS = {"specification": "tag-measured", "fitted": "tag-calibrated", "assumed": "tag-assumed"}


@dataclass(frozen=True)
class ParameterRow:
    """One parameter in words."""

    name: str
    value: str
    unit: str
    low: str
    high: str
    source: str
    tag: str
    ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class ParameterGroup:
    """The parameters about one part, and the workloads that take them."""

    key: str
    title: str
    workloads: tuple[str, ...]
    rows: tuple[ParameterRow, ...]


def parameter_groups(parameters: ParameterSet) -> list[ParameterGroup]:
    """Return all parameters of the set, each once. Raises KeyError for one that belongs to no group."""
    by_group: dict[str, list[ParameterRow]] = {key: [] for key in GROUPS}
    for parameter in parameters.parameters.values():
        by_group[parameter.name.split(".")[0]].append(_row(parameter))
    return [
        ParameterGroup(key=key, title=GROUPS[key][0], workloads=GROUPS[key][1], rows=tuple(rows))
        for key, rows in by_group.items()
        if rows
    ]


def groups_for(groups: Sequence[ParameterGroup], *, workload: str) -> list[ParameterGroup]:
    """Return the groups that a workload's predictions take; all of them where none is named."""
    return [group for group in groups if not workload or workload in group.workloads]


def source_counts(groups: Sequence[ParameterGroup]) -> dict[str, int]:
    """Return how many parameters are fitted, specified and assumed."""
    rows = [row for group in groups for row in group.rows]
    return {kind: sum(row.source == words for row in rows) for kind, words in SOURCE_WORDS.items()}


def parameter_lines(parameters: ParameterSet) -> list[str]:
    """Return the set as lines of text, for commands."""
    lines = [f"Parameter set {parameters.name}, version {parameters.version}, {parameters.date}"]
    for group in parameter_groups(parameters):
        lines += ["", f"{group.title}: {', '.join(group.workloads)}"]
        for row in group.rows:
            unit = f" {row.unit}" if row.unit else ""
            origin = f"{row.source} on {', '.join(row.ids)}" if row.ids else row.source
            lines += [f"{row.name}: {row.value}{unit} ({row.low} to {row.high}), {origin}", f"    {row.reason}"]
    return lines


def _row(parameter: Parameter) -> ParameterRow:
    kind = parameter.source.kind
    return ParameterRow(
        name=parameter.name,
        value=_number(parameter.value, digits=6),
        unit=parameter.unit,
        low=_number(parameter.low, digits=4),
        high=_number(parameter.high, digits=4),
        source=SOURCE_WORDS[kind],
        tag=SOURCE_TAGS[kind],
        ids=parameter.source.ids,
        reason=parameter.source.reason,
    )


def _number(value: float, *, digits: int) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"
