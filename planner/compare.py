"""Named shapes side by side: priced and predicted as they are, without optimising anything."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from core.errors import InputRefused, Violation
from planner.demand import CostBasis, Demand, Goal
from planner.fleet import Fleet, PricedMachine
from planner.rows import money_of
from planner.shapes import Fees, exact, owed_cents
from simulation.object_store import Mix, balancer_mb_s, cluster_mb_s, group_throughput
from simulation.parameters import ParameterSet

A_MONTH = Demand(goal=Goal.MINIMISE_COST)
"""Named shapes are compared by what they cost a month."""
SHAPE = re.compile(r"^\s*(\d{1,6})\s+(\S+)\s*\+\s*(\d{1,6})\s+(\S+)\s*$")


@dataclass(frozen=True)
class NamedShape:
    """Proxies of one machine type and storage nodes of another, spread over the proxies as evenly as they go."""

    proxies: int
    proxy: int
    storage_nodes: int
    storage: int


def shapes_from_words(texts: Sequence[str], fleet: Fleet) -> list[NamedShape]:
    """Read shapes such as "8 m1.large + 40 m1.small"; raises InputRefused naming what is wrong with any of them."""
    known = {priced.key_name: index for index, priced in enumerate(fleet.nodes)}
    read = [_shape_from_words(text, known, location=fleet.location) for text in texts]
    if violations := tuple(each for each in read if isinstance(each, Violation)):
        raise InputRefused(violations)
    return [each for each in read if isinstance(each, NamedShape)]


def _shape_from_words(text: str, known: Mapping[str, int], *, location: str) -> NamedShape | Violation:
    match = SHAPE.match(text)
    if not match:
        return _wrong("shape_not_readable", f"“{text}” is not a shape. Write it like 8 m1.large + 40 m1.small.")
    proxies, proxy, storage_nodes, storage = match.groups()
    if unknown := [name for name in (proxy, storage) if name not in known]:
        words = " and ".join(f"“{name}”" for name in dict.fromkeys(unknown))
        return _wrong("machine_type_unknown", f"Not sold in {location}: {words}. Choose from: {', '.join(known)}.")
    if not 1 <= int(proxies) <= int(storage_nodes):
        return _wrong("shape_impossible", f"“{text}” needs at least one proxy, and a storage node for each proxy.")
    return NamedShape(int(proxies), known[proxy], int(storage_nodes), known[storage])


def compare(*, fleet: Fleet, demand: Demand, texts: Sequence[str], parameters: ParameterSet) -> dict[str, Any]:
    """Price and predict each named shape, as many balancers before it as the demand fixes (none where it fixes none).

    Costs of the nodes and of the balancers are kept apart; `cheapest` is the shape of least total monthly cost. Where
    the demand has a throughput each row says whether it is met.
    """
    rows = [_row(shape, fleet, demand, parameters) for shape in shapes_from_words(texts, fleet)]
    if demand.throughput_mb_s is not None:
        for row in rows:
            row["shortfall_mb_s"] = demand.shortfall_of(row["mb_s"])
            row["meets_demand"] = row["mb_s"] >= demand.needed_mb_s
    return {
        "demand": demand.as_json(),
        "currency": fleet.currency,
        "location": fleet.location,
        "catalog_version": fleet.catalog_version,
        "parameter_set": parameters.name,
        "shapes": rows,
        "cheapest": min(rows, key=lambda row: (row["cents"], row["machines"]))["shape"],
    }


def cents_on_basis(row: Mapping[str, Any], *, fleet: Fleet, demand: Demand) -> int:
    """Return what a compared shape costs in all on the demand's basis, in cents, as a plan counts its own shapes."""
    machines = {priced.key_name: priced for priced in fleet.nodes}
    bought = [
        (machines[row["proxy"]], row["proxies"]),
        (machines[row["storage"]], row["storage_nodes"]),
        (fleet.balancer(row["balancer"]), row["balancers"]),
    ]
    it_months = 1 if demand.cost_basis is CostBasis.MONTHLY else demand.months
    it_cents = it_months * int(owed_cents(exact(demand.it_cost_per_node), np.array(row["machines"])))
    spares_cents = int(owed_cents(exact(demand.spares_cost), np.array(1)))
    return sum(_cents(machine, quantity, demand) for machine, quantity in bought) + it_cents + spares_cents


def _row(shape: NamedShape, fleet: Fleet, demand: Demand, parameters: ParameterSet) -> dict[str, Any]:
    balancers = demand.balancers or 0
    balancer = fleet.balancer(demand.balancer)
    proxy, storage = fleet.nodes[shape.proxy], fleet.nodes[shape.storage]
    machines = shape.proxies + shape.storage_nodes + balancers
    mb_s, limit, is_assumed = _throughput(shape, fleet, demand, parameters)
    passes = cluster_mb_s(
        group_mb_s=mb_s, groups=1, balancer_mb_s=balancer_mb_s(balancer.machine, parameters), balancers=balancers
    )
    return {
        "shape": f"{shape.proxies} {proxy.key_name} + {shape.storage_nodes} {storage.key_name}",
        "proxies": shape.proxies,
        "proxy": proxy.key_name,
        "storage_nodes": shape.storage_nodes,
        "storage": storage.key_name,
        "balancers": balancers,
        "balancer": balancer.key_name,
        "machines": machines,
        "mb_s": passes,
        "capacity_gb": shape.storage_nodes * storage.machine.local_storage_gb / float(_raw(demand)),
        **money_of(
            node_cents=_cents(proxy, shape.proxies, A_MONTH) + _cents(storage, shape.storage_nodes, A_MONTH),
            balancer_cents=_cents(balancer, balancers, A_MONTH),
            it_cents=int(owed_cents(exact(demand.it_cost_per_node), np.array(machines))),
        ),
        "limit": "balancers" if passes < mb_s else limit,
        "is_assumed": is_assumed,
    }


def _throughput(shape: NamedShape, fleet: Fleet, demand: Demand, parameters: ParameterSet) -> tuple[float, str, bool]:
    fewer, more = shape.storage_nodes // shape.proxies, shape.storage_nodes % shape.proxies
    outcomes = {
        nodes: group_throughput(
            proxy=fleet.nodes[shape.proxy].machine,
            storage=fleet.nodes[shape.storage].machine,
            nodes=nodes,
            mix=Mix(read_fraction=float(demand.read_share)),
            replicas=float(demand.raw_per_usable),
            parameters=parameters,
        )
        for nodes in {fewer, fewer + 1 if more else fewer}
    }
    total = (shape.proxies - more) * outcomes[fewer].throughput_mb_s
    total += more * outcomes[fewer + 1].throughput_mb_s if more else 0.0
    return total, outcomes[fewer].limit, any(outcome.assumed for outcome in outcomes.values())


def _raw(demand: Demand) -> Fraction:
    """Return the raw gigabytes that one usable gigabyte takes."""
    return demand.raw_per_usable / Fraction(demand.fill_limit)


def _cents(machine: PricedMachine, quantity: int, demand: Demand) -> int:
    return int(Fees([machine], demand).cents(np.array([0]), np.array([quantity]))[0])


def _wrong(code: str, words: str) -> Violation:
    return Violation(code=code, field="compare", words=words)
