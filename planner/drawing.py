"""A cluster as a picture and in words: its roles with their counts, what stands behind what, and what limits it."""

from collections.abc import Mapping, Sequence
from typing import Any

from core import units
from planner.demand import Demand
from planner.rows import Row

Json = dict[str, Any]

LIMITED_BY = {"balancers": "balancers", "proxies": "proxy", "storage": "storage"}
"""How the words of a limit begin, by the role that sets it."""


def roles_words(row: Row) -> str:
    """Return the roles of a shape with their counts."""
    parts = [
        _counted(row["balancers"], "balancer", "balancers"),
        _counted(row["proxies"], "proxy", "proxies"),
        _counted(row["storage_nodes"], "storage node", "storage nodes"),
    ]
    return ", ".join(part for part in parts if part)


def drawing(row: Row, demand: Demand, *, balancer_mb_s: float) -> list[Json]:
    """Return the roles of the picture: balancers, proxies, storage nodes, with the one that sets the limit marked."""
    roles = [
        *_in_front(row, demand, balancer_mb_s=balancer_mb_s),
        _role("proxies", "proxy", row["proxies"], row["proxy"], f"{row['nodes_per_proxy']} storage nodes behind each"),
        _role("storage", "storage node", row["storage_nodes"], row["storage"], copies_words(demand)),
    ]
    for role in roles:
        if row["limit"].startswith(LIMITED_BY[role["key"]]):
            role["limits"] = f"limits: {row['limit']}"
    return roles


def drawing_of_mix(mix: Row, demand: Demand, *, balancer_mb_s: float) -> list[Json]:
    """Return the roles of a mix: its storage types stand beside each other, each behind proxies of its own."""
    roles = [
        *_in_front(mix, demand, balancer_mb_s=balancer_mb_s),
        _role("proxies", "proxy", mix["proxies"], mix["proxy"], copies_words(demand)),
    ]
    for place, (key_name, count) in enumerate(mix["storages"].items()):
        role = _role("storage", "storage node", count, key_name, _behind_words(mix, key_name))
        roles.append(role | {"is_beside": place > 0})
    if mix["limit"] == "balancers":
        roles[0]["limits"] = "limits: balancers"
    return roles


def equipment_of(fleet: Mapping[str, Any]) -> dict[str, str]:
    """Return the disks and the uplink of each machine in words, as the plan's kept fleet tells; those of older versions
    do not."""
    machines = (*fleet["balancers"], *fleet["nodes"])
    return {machine["machine"]["key_name"]: machine.get("equipment", "") for machine in machines}


def equipped(roles: Sequence[Json], equipment: Mapping[str, str]) -> list[Json]:
    """Return the roles with the disks and the uplink of their machines."""
    return [role | {"equipment": equipment.get(role["machine_type"], "")} for role in roles]


def equipment_cells(row: Row, equipment: Mapping[str, str]) -> Json:
    """Return the disks and the uplink of a row's machines as cells of a table; those of a mix stand in one."""
    storages = row["storages"] if "storages" in row else (row["storage"],)
    told = [equipment.get(key_name, "") for key_name in storages]
    return {
        "proxy_equipment": equipment.get(row["proxy"], ""),
        "storage_equipment": " + ".join(words for words in told if words),
    }


def copies_words(demand: Demand) -> str:
    """Return how often everything is kept: "three copies of everything"."""
    if demand.erasure_data is not None and demand.erasure_parity is not None:
        return f"erasure code {demand.erasure_data} + {demand.erasure_parity}"
    count = {1: "one copy", 2: "two copies", 3: "three copies"}.get(demand.replicas, f"{demand.replicas} copies")
    return f"{count} of everything"


def _behind_words(mix: Row, key_name: str) -> str:
    """Say how nodes of a type stand behind proxies: "5 behind each of 4 proxies, 10 behind 1 proxy"."""
    groups = [group for group in mix["groups"] if group["storage"] == key_name]
    return ", ".join(
        f"{group['nodes_per_proxy']} behind {'each of ' if group['proxies'] > 1 else ''}"
        f"{_counted(group['proxies'], 'proxy', 'proxies')}"
        for group in groups
    )


def _in_front(row: Row, demand: Demand, *, balancer_mb_s: float) -> list[Json]:
    if not row["balancers"]:
        return []
    note = f"each passes {units.throughput_words(balancer_mb_s)}"
    return [_role("balancers", "balancer", row["balancers"], demand.balancer, note)]


def _role(key: str, noun: str, count: int, machine_type: str, note: str) -> Json:
    label = noun if count == 1 else "proxies" if noun == "proxy" else f"{noun}s"
    return {"key": key, "label": label, "count": count, "machine_type": machine_type, "note": note}


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}" if count else ""
