"""Filling a workload's form from a configuration: a machine, a blueprint's role, or a container of an order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from catalog.models import BlueprintRole, Item, Package
from orders.models import OrderContainer
from planner.configurations import (
    MACHINE_TYPE,
    SERVER,
    Configuration,
    configuration_of,
    parts_of_container,
    parts_of_machine,
    parts_of_role,
)
from planner.simulations.fields import Workload
from simulation.machines import EC2_2012_04

RECENT_CONTAINERS = 20
LONGEST_ID = 18
MACHINES = [SERVER, MACHINE_TYPE]
Facts = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """Something whose configuration can be simulated: where to find it, and what it is called."""

    key: str
    words: str


@dataclass(frozen=True)
class Filled:
    """What a configuration says of a workload's fields, as typed, and the labels of those it leaves open."""

    title: str
    words: dict[str, str]
    unknown: tuple[str, ...]
    notes: tuple[str, ...]


def sources_of(*, account_id: int) -> list[tuple[str, list[Source]]]:
    """Return what may be simulated in groups: the account's latest order containers, blueprints, and packages."""
    of_machines = Q(package__configuration__category__category_code__in=MACHINES)
    containers = OrderContainer.objects.filter(of_machines, order_item__order__account_id=account_id).distinct()
    latest = containers.select_related("order_item__order", "package").order_by("-pk")[:RECENT_CONTAINERS]
    roles = BlueprintRole.objects.filter(of_machines).select_related("blueprint").distinct()
    return [
        ("From an order", [_container_source(container) for container in latest]),
        ("Blueprints", [Source(f"role:{role.pk}", str(role)) for role in roles]),
        ("Machines with the defaults of their package", _machines()),
    ]


def configuration_from(*, key: str, account_id: int) -> Configuration | None:
    """Return the configuration of a source's key; None for what is not there or belongs to another account."""
    kind, _, name = key.partition(":")
    number = int(name) if name.isascii() and name.isdecimal() and len(name) < LONGEST_ID else 0
    if kind == "machine" and (found := _machine(name)):
        item, package = found
        parts = parts_of_machine(item, package)
        return configuration_of(title=f"{package.name}: {item.description}", quantity=1, parts=parts)
    roles = BlueprintRole.objects.select_related("blueprint", "package")
    if kind == "role" and (role := roles.filter(pk=number).first()):
        return configuration_of(title=str(role), quantity=max(role.quantity, role.least), parts=parts_of_role(role))
    containers = OrderContainer.objects.filter(order_item__order__account_id=account_id)
    containers = containers.select_related("order_item__order", "package")
    if kind == "container" and (container := containers.filter(pk=number).first()):
        parts = parts_of_container(container)
        return configuration_of(title=_container_words(container), quantity=container.quantity, parts=parts)
    return None


def filled_from(configuration: Configuration, workload: Workload) -> Filled:
    """Return what the configuration says of the workload's fields; those of the machine that it does not say are open.

    A virtual machine is told by its compute units, a bare-metal one by its cores.
    """
    facts = _facts(configuration, workload.key)
    words = {}
    unknown = []
    for field in workload.fields:
        if field.path not in facts:
            continue
        value = facts[field.path]
        words[field.path] = "" if value is None else field.words(value)
        if value is None and not _is_told_otherwise(field.path, configuration):
            unknown.append(field.label)
    return Filled(configuration.title, words, tuple(unknown), (*configuration.notes, *_set_aside(configuration)))


def _facts(configuration: Configuration, workload: str) -> Facts:
    if workload == "block_io":
        return _array_facts(configuration, "array")
    if workload in ("kv_store", "document_store"):
        return _node_facts(configuration) | ({"nodes": configuration.quantity} if configuration.quantity > 1 else {})
    if workload == "object_store":
        known = configuration.machine_type in EC2_2012_04
        return {"storage": configuration.machine_type if known else None}
    if workload == "build":
        return {"vcpus": configuration.cores, "ram_gb": configuration.ram_gb}
    if workload == "raid":
        count = configuration.drives[0].count if configuration.drives else None
        return {"raid": configuration.raid, "drives": count}
    return {"vcpus": configuration.cores} if workload == "replicated_write" else {}


def _node_facts(configuration: Configuration) -> Facts:
    is_by_units = _is_by_units(configuration)
    return {
        "node.platform": configuration.platform,
        "node.cores": None if is_by_units else configuration.cores,
        "node.compute_units": configuration.compute_units if is_by_units else None,
        "node.ram_gb": configuration.ram_gb,
        "node.network_gbps": configuration.network_gbps,
        **_array_facts(configuration, "node.array"),
    }


def _array_facts(configuration: Configuration, parent: str) -> Facts:
    data = configuration.drives[0] if configuration.drives else None
    return {
        f"{parent}.drive_class": data.drive_class if data else None,
        f"{parent}.drives": data.count if data else None,
        f"{parent}.raid": configuration.raid,
        f"{parent}.drive_gb": data.drive_gb if data else None,
    }


def _is_by_units(configuration: Configuration) -> bool:
    """Whether the machine is told by its compute units: a virtual core may be any share of a real one."""
    return configuration.platform == "virtual" and configuration.compute_units is not None


def _is_told_otherwise(path: str, configuration: Configuration) -> bool:
    """Whether a field is empty because the machine is told by the other one of a pair."""
    if path == "node.cores":
        return _is_by_units(configuration)
    return path == "node.compute_units" and not _is_by_units(configuration)


def _set_aside(configuration: Configuration) -> Sequence[str]:
    others = configuration.drives[1:]
    words = ", ".join(f"{group.count} × {group.description}" for group in others)
    return [f"The data lies on the largest drives; {words} are left aside."] if others else []


def _machines() -> list[Source]:
    links = Package.items.through.objects.filter(
        package__is_active=True, item__categories__category_code__in=MACHINES
    ).select_related("package", "item")
    return [
        Source(f"machine:{link.package.key_name}/{link.item.key_name}", f"{link.package.name}: {link.item.description}")
        for link in links.order_by("package__name", "item__description").distinct()
    ]


def _machine(name: str) -> tuple[Item, Package] | None:
    package_key_name, _, key_name = name.partition("/")
    package = Package.objects.filter(key_name=package_key_name, is_active=True).first()
    items = Item.objects.filter(packages=package, key_name=key_name, categories__category_code__in=MACHINES)
    item = items.prefetch_related("attributes").distinct().first() if package else None
    return (item, package) if item and package else None


def _container_source(container: OrderContainer) -> Source:
    return Source(f"container:{container.pk}", _container_words(container))


def _container_words(container: OrderContainer) -> str:
    item = container.order_item
    return f"{item.order}: {item.name}, {container.quantity} × {container.package.name}"
