"""The kinds of advice that there are, in the order in which people choose among them."""

from planner.advice import build_farm, database, network, raid, replicated_writes
from planner.advice.kinds import Kind
from planner.audit import kind as io_audit
from planner.locations import kind as locations
from planner.mapping import kind as mapping

KINDS: dict[str, Kind] = {
    kind.key: kind
    for kind in (
        database.KIND,
        raid.KIND,
        build_farm.KIND,
        replicated_writes.KIND,
        locations.KIND,
        network.KIND,
        io_audit.KIND,
        mapping.KIND,
    )
}
