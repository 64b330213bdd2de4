"""Complete priced servers as machines of a plan: presets with their parts, and servers with their package's defaults.

What the catalogue does not say is not guessed: such a server is left out, with the reason.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count

from accounts.models import Account
from catalog.models import Blueprint, BlueprintRole, Item, Location, Package, PackageConfiguration
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from core.money import Money
from planner.configurations import SERVER, Configuration, Part, configuration_of
from planner.fleet import MOST_FEE, LeftOut, PricedMachine
from simulation.arrays import array_of
from simulation.machines import Machine, network_factor
from simulation.object_disks import object_read_mb_s, object_write_mb_s
from simulation.parameters import ParameterSet
from simulation.scenarios import ScenarioError
from simulation.scores import PLANNING_SUITE, processor_named_in, processor_score, score_compute_units

MB_S_PER_GBPS = 125
TERMS = (Term.HOURLY, Term.MONTHLY)
"""In the order in which they are taken where they cost the same."""


@dataclass(frozen=True)
class CompleteServer:
    """One server with everything that its package requires: a preset, or a server with the package's defaults."""

    key_name: str
    title: str
    package: Package
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class ServerFleet:
    """The servers that can be planned with, and pairs of key name and reason for the others."""

    machines: tuple[PricedMachine, ...]
    left_out: tuple[tuple[str, str], ...]


def servers_of(
    *, account: Account, location: Location, hours_per_month: Decimal, at: datetime, parameters: ParameterSet
) -> ServerFleet:
    """Return every complete server sold to the account at the location, on the term that costs less for these hours.

    The number of queries does not grow with the catalogue.
    """
    machines: list[PricedMachine] = []
    left_out: list[tuple[str, str]] = []
    known: list[tuple[CompleteServer, Machine, tuple[str, ...]]] = []
    for server in _complete_servers(location):
        try:
            known.append((server, *_machine_of(server, parameters)))
        except LeftOut as reason:
            left_out.append((server.key_name, str(reason)))
    questions = [
        ContainerQuestion(server.package, location, term.value, server.parts)
        for server, _, _ in known
        for term in TERMS
    ]
    answers = containers_check(account=account, questions=questions, at=at, hours_per_month=hours_per_month)
    for index, (server, machine, notes) in enumerate(known):
        of_terms = answers[index * len(TERMS) : (index + 1) * len(TERMS)]
        try:
            machines.append(_priced(server, machine, notes, of_terms, account.currency))
        except LeftOut as reason:
            left_out.append((server.key_name, str(reason)))
    return ServerFleet(tuple(machines), tuple(left_out))


def _complete_servers(location: Location) -> list[CompleteServer]:
    packages = Package.objects.filter(
        is_active=True, locations=location, configuration__category__category_code=SERVER
    ).distinct()
    by_pk = {package.pk: package for package in packages}
    defaults = _defaults_of(by_pk.values())
    servers = [*_presets(by_pk, defaults), *_plain_servers(by_pk, defaults)]
    taken: dict[str, CompleteServer] = {}
    for server in servers:
        key_name = server.key_name if server.key_name not in taken else f"{server.package.key_name}:{server.key_name}"
        taken[key_name] = CompleteServer(key_name, server.title, server.package, server.parts)
    return list(taken.values())


def _defaults_of(packages: Collection[Package]) -> Mapping[int, list[Part]]:
    rows = PackageConfiguration.objects.filter(package__in=packages, is_required=True, default_item__isnull=False)
    defaults: dict[int, list[Part]] = defaultdict(list)
    for row in rows.select_related("category", "default_item").prefetch_related("default_item__attributes"):
        if row.default_item:
            defaults[row.package_id].append((row.category.category_code, row.default_item))
    return defaults


def _presets(packages: Mapping[int, Package], defaults: Mapping[int, list[Part]]) -> list[CompleteServer]:
    """Return the blueprints of one role whose package is sold here."""
    presets = Blueprint.objects.annotate(role_count=Count("roles")).filter(role_count=1)
    roles = BlueprintRole.objects.filter(package__in=packages, blueprint__in=presets).select_related("blueprint")
    servers = []
    for role in roles.order_by("blueprint__key_name").prefetch_related("parts__category", "parts__item__attributes"):
        named = [(part.category.category_code, part.item) for part in role.parts.all()]
        parts = _completed(named, defaults.get(role.package_id, []))
        servers.append(
            CompleteServer(role.blueprint.key_name, role.blueprint.name, packages[role.package_id], tuple(parts))
        )
    return servers


def _plain_servers(packages: Mapping[int, Package], defaults: Mapping[int, list[Part]]) -> list[CompleteServer]:
    links = Item.packages.through._default_manager.filter(package__in=packages, item__categories__category_code=SERVER)
    servers = []
    for link in links.select_related("item").prefetch_related("item__attributes").order_by("package_id", "item_id"):
        parts = _completed([(SERVER, link.item)], defaults.get(link.package_id, []))
        title = f"{link.item.description}, as {packages[link.package_id].name} comes"
        servers.append(CompleteServer(link.item.key_name, title, packages[link.package_id], tuple(parts)))
    return servers


def _completed(named: Sequence[Part], defaults: Sequence[Part]) -> list[Part]:
    codes = {code for code, _ in named}
    return [*named, *(part for part in defaults if part[0] not in codes)]


def _machine_of(server: CompleteServer, parameters: ParameterSet) -> tuple[Machine, tuple[str, ...]]:
    """Return the physics of a server with what was taken to be so; raises LeftOut with what is not known."""
    configuration = configuration_of(title=server.title, quantity=1, parts=server.parts)
    units, note = _compute_units(dict(server.parts)[SERVER], parameters)
    if configuration.network_gbps is None:
        raise LeftOut("The catalogue does not say how fast its uplink is.")
    try:
        array = array_of(_array_facts(configuration))
    except ScenarioError as error:
        raise LeftOut(f"Its disks cannot be used: {error}.") from None
    data = configuration.drives[0]
    machine = Machine(
        key_name=server.key_name,
        compute_units=units,
        network_mb_s=configuration.network_gbps * MB_S_PER_GBPS * parameters.factor(network_factor(server.key_name)),
        network_is_assumed=False,
        local_storage_gb=(data.drive_gb or 0) * data.count * array.layout.usable_fraction,
        bursts=False,
        drive_class=array.drive_class,
        disk_write_mb_s=object_write_mb_s(array, parameters),
        disk_read_mb_s=object_read_mb_s(array, parameters),
        compute_units_are_assumed=True,
    )
    apart = [
        f"{group.count} × {group.description} are taken to be a journal apart: their room is not counted."
        for group in configuration.drives[1:]
    ]
    return machine, (note, *apart, *configuration.notes)


def _compute_units(server: Item, parameters: ParameterSet) -> tuple[float, str]:
    facts = {fact.name: fact.value for fact in server.attributes.all()}
    processor = processor_named_in(server.description)
    if processor is None:
        raise LeftOut("Its description names no processor.")
    score = processor_score(processor)
    if score is None:
        raise LeftOut(f"No score of its processor, {processor}, is known in the suite of {PLANNING_SUITE}.")
    count = facts.get("processors", "")
    if not count.isdecimal() or not 1 <= int(count) <= 64:
        raise LeftOut("The catalogue does not say how many processors it has.")
    units = score_compute_units(score, processors=int(count), parameters=parameters)
    note = f"{count} × {score:,} points (suite of {PLANNING_SUITE}) are taken for {units:.1f} ECU."
    return units, note


def _array_facts(configuration: Configuration) -> Mapping[str, object]:
    if not configuration.drives:
        raise LeftOut("It has no disks.")
    data = configuration.drives[0]
    if configuration.raid is None:
        raise LeftOut("The catalogue does not say how its disks are joined.")
    if data.drive_class is None or data.drive_gb is None:
        raise LeftOut(f"The catalogue does not say what kind of disk {data.description} is, or its size.")
    return configuration.array or {}


def _priced(
    server: CompleteServer,
    machine: Machine,
    notes: tuple[str, ...],
    answers: Sequence[ContainerAnswer],
    currency: str,
) -> PricedMachine:
    """Return the server on the cheaper term of those on which it can be ordered as it is; raises LeftOut for none."""
    offers = []
    for term, answer in zip(TERMS, answers, strict=True):
        monthly = [line.price.lasting_monthly for line in answer.lines]
        once = [line.price.once for line in answer.lines]
        if answer.violations or None in monthly or None in once:
            continue
        offers.append(
            PricedMachine(
                machine=machine,
                title=server.title,
                package_key_name=server.package.key_name,
                lines=tuple((line.category_code, line.item.key_name) for line in answer.lines),
                line_fees=tuple(price.amount for price in monthly if price),
                term=term.value,
                line_rates=tuple(line.price.lasting_rate or Decimal(0) for line in answer.lines if term is Term.HOURLY),
                once_fees=tuple(price.amount for price in once if price),
                notes=notes,
            )
        )
    if not offers:
        first, *others = [violation.words for violation in answers[-1].violations] or ["A part is unpriced."]
        more = f" (and {len(others)} more)" if others else ""
        raise LeftOut(f"It cannot be ordered as it is: {first}{more}")
    cheapest = min(offers, key=lambda offer: sum(offer.line_fees))
    if sum(cheapest.line_fees) > MOST_FEE:
        raise LeftOut(f"{server.title} costs more than {Money(Decimal(MOST_FEE), currency)} a month.")
    return cheapest
