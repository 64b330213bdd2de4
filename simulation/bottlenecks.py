"""Which stations each workload's model has: how busy they are in a scenario, and what holds it back."""

from collections.abc import Callable, Mapping

from simulation import block_io, document_store, object_store_metrics, replicated_write
from simulation.kv_store import kv_run, kv_stations
from simulation.parameters import ParameterSet
from simulation.scenarios import Scenario, required
from simulation.stations import StationUse

NO_STATIONS = StationUse(utilisation={}, bottleneck="")

SOLVED: Mapping[str, Callable[[Scenario, ParameterSet], StationUse]] = {
    "block_io": block_io.stations,
    "document_store": document_store.stations,
    "object_store": object_store_metrics.stations,
    "replicated_write": replicated_write.stations,
}


def stations_of(scenario: Scenario, parameters: ParameterSet, *, throughput_ops: float | None = None) -> StationUse:
    """The stations of a scenario; none for workloads whose model is no queueing network.

    A key-value store's are those at `throughput_ops`, what its run delivered. Raises ScenarioError naming a field.
    """
    workload = required(scenario, "workload")
    if workload == "kv_store" and throughput_ops is not None:
        return kv_stations(kv_run(scenario, parameters).network, throughput_ops=throughput_ops)
    return SOLVED[workload](scenario, parameters) if workload in SOLVED else NO_STATIONS
