"""The small workloads: what a RAID level costs, and how long light travels."""

from collections.abc import Callable, Mapping

from simulation.arrays import MOST_DRIVES
from simulation.parameters import ParameterSet
from simulation.raid import FEWEST_DRIVES, PARITY_DRIVES, Layout, layout_of, rebuild_hours, rebuild_loss_chance
from simulation.scenarios import Scenario, choice, number, required, whole_number

METRES_PER_SECOND = 299_792_458


def write_penalty(scenario: Scenario, parameters: ParameterSet) -> float:
    """Drive I/Os of one small write; a mirror of unsaid size has two sides."""
    return _layout(scenario).write_penalty


def random_mb_s(scenario: Scenario, parameters: ParameterSet) -> float:
    """What the drives pass together when every write costs its penalty."""
    required(scenario, "drives")
    layout = _layout(scenario)
    single = number(required(scenario, "single_drive_random_mb_s"), field="single_drive_random_mb_s", above=0)
    reads = number(required(scenario, "read_fraction"), field="read_fraction", maximum=1)
    return layout.drives * single / (reads + (1 - reads) * layout.write_penalty)


def usable_fraction(scenario: Scenario, parameters: ParameterSet) -> float:
    """The share of the raw capacity that holds data; parity takes the less of it, the more drives there are."""
    if scenario.get("raid") in PARITY_DRIVES:
        required(scenario, "drives")
    return _layout(scenario).usable_fraction


def drives_that_may_fail(scenario: Scenario, parameters: ParameterSet) -> float:
    """How many drives may fail, whichever they are, without loss."""
    return _layout(scenario).drives_that_may_fail


def rebuild_time_hours(scenario: Scenario, parameters: ParameterSet) -> float:
    """How long a replaced drive takes to hold its data again."""
    return rebuild_hours(drive_gb=_drive_gb(scenario), rebuild_mb_s=parameters.value("raid.rebuild_mb_s"))


def loss_chance_in_a_rebuild(scenario: Scenario, parameters: ParameterSet) -> float:
    """The chance that so many more drives fail before a rebuild ends that data is lost; 1 without a spare copy."""
    required(scenario, "drives")
    return rebuild_loss_chance(
        layout=_layout(scenario),
        drive_gb=_drive_gb(scenario),
        rebuild_mb_s=parameters.value("raid.rebuild_mb_s"),
        failures_per_drive_year=parameters.value("raid.failures_per_drive_year"),
    )


def light_one_way_ms(scenario: Scenario, parameters: ParameterSet) -> float:
    """How long light takes in vacuum: the least that any network needs."""
    return 1e3 * number(required(scenario, "metres"), field="metres") / METRES_PER_SECOND


def light_round_trip_ms(scenario: Scenario, parameters: ParameterSet) -> float:
    """There and back in vacuum."""
    return 2 * light_one_way_ms(scenario, parameters)


def _drive_gb(scenario: Scenario) -> float:
    return number(required(scenario, "drive_gb"), field="drive_gb", above=0)


def _layout(scenario: Scenario) -> Layout:
    raid = choice(required(scenario, "raid"), tuple(FEWEST_DRIVES), field="raid")
    drives = scenario.get("drives", FEWEST_DRIVES[raid])
    return layout_of(raid=raid, drives=whole_number(drives, field="drives", maximum=MOST_DRIVES))


RAID_METRICS: Mapping[str, Callable[[Scenario, ParameterSet], float | str]] = {
    "write_penalty": write_penalty,
    "random_mb_s": random_mb_s,
    "usable_fraction": usable_fraction,
    "drives_that_may_fail": drives_that_may_fail,
    "rebuild_hours": rebuild_time_hours,
    "rebuild_loss_chance": loss_chance_in_a_rebuild,
}
LIGHT_METRICS: Mapping[str, Callable[[Scenario, ParameterSet], float | str]] = {
    "light_one_way_ms": light_one_way_ms,
    "light_round_trip_ms": light_round_trip_ms,
}
