"""The machine types of the 2020s in one region as a fleet, read from their catalogue's files without a database."""

import csv
from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from django.conf import settings

from planner.fleet import Fleet, PricedMachine
from simulation.machines import Machine, resolve_machine
from simulation.parameters import ParameterSet

FOLDER = Path("catalog") / "data" / "aws-2020s"
US_EAST = "902001"
HOURS = Decimal(720)


def fleet_of_2020s(parameters: ParameterSet) -> Fleet:
    """Return every type that has a price in US East and the figures that a plan needs, at list price."""
    facts: dict[str, dict[str, Mapping[str, str]]] = defaultdict(dict)
    for row in _rows("attributes.csv"):
        facts[row["item"]][row["name"]] = row
    nodes = [
        _priced(row["item"], facts[row["item"]], Decimal(row["hourly_recurring_fee"]), parameters)
        for row in _rows("prices.csv")
        if row["location_group"] == US_EAST and "compute_units" in facts[row["item"]]
    ]
    return Fleet("USD", "aws-us-east-1", "shipped", tuple(nodes), tuple(nodes), ())


def _rows(name: str) -> list[dict[str, str]]:
    with (settings.BASE_DIR / FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _priced(
    key_name: str, facts: Mapping[str, Mapping[str, str]], rate: Decimal, parameters: ParameterSet
) -> PricedMachine:
    return PricedMachine(
        machine=_machine(key_name, facts, parameters),
        title=key_name,
        package_key_name="aws-virtual-server-2020s",
        lines=(("machine_type", key_name),),
        line_fees=(rate * HOURS,),
        line_rates=(rate,),
        once_fees=(Decimal(0),),
    )


def _machine(key_name: str, facts: Mapping[str, Mapping[str, str]], parameters: ParameterSet) -> Machine:
    network = facts.get("network_mb_s")
    return resolve_machine(
        key_name=key_name,
        compute_units=float(facts["compute_units"]["value"]),
        network_mb_s=float(network["value"]) if network else None,
        io_class=facts["io_class"]["value"] if "io_class" in facts else "",
        local_storage_gb=float(facts["local_storage_gb"]["value"]),
        bursts="bursts" in facts,
        parameters=parameters,
    )
