"""Complete priced servers as machines of a plan: presets with their parts, and servers with their package's defaults.

What the catalogue does not say is not guessed: such a server is left out, with the reason.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import cache

from django.db.models import Count

from accounts.models import Account
from catalog.models import Blueprint, BlueprintRole, Item, Location, Package, PackageConfiguration
from catalog.pricing import Term
from catalog.services import ContainerAnswer, ContainerQuestion, containers_check
from core.money import Money
from planner.configurations import MB_S_PER_GBPS, SERVER, Configuration, Part, configuration_of
from planner.fleet import MOST_FEE, LeftOut, PricedMachine
from planner.server_dominance import without_dominated
from planner.server_menus import Menu, menus_of
from planner.server_variants import ServerVariant, Speeds, layouts_of, worth_planning
from simulation.arrays import Array, array_of
from simulation.machines import Machine, network_factor
from simulation.object_disks import object_read_mb_s, object_write_mb_s
from simulation.object_store import processor_mb_s
from simulation.parameters import ParameterSet
from simulation.scenarios import ScenarioError
from simulation.scores import PLANNING_SUITE, processor_named_in, processor_score, score_compute_units

MOST_VARIANTS = 250
"""Layouts that are planned with of one server, the cheapest of those that are worth it; more would only slow a plan."""
TERMS = (Term.HOURLY, Term.MONTHLY)
"""In the order in which they are taken where they cost the same."""


@dataclass(frozen=True)
class CompleteServer:
    """One server with everything that its package requires: a preset, a plain server with the package's defaults, or
    (`is_variant`) one with another uplink and other disks."""

    key_name: str
    title: str
    package: Package
    parts: tuple[Part, ...]
    is_plain: bool = False
    is_variant: bool = False
    terms: tuple[Term, ...] = TERMS


@dataclass(frozen=True)
class ServerFleet:
    """The servers that can be planned with, those that may balance, and pairs of key name and reason for others."""

    machines: tuple[PricedMachine, ...]
    balancers: tuple[PricedMachine, ...]
    left_out: tuple[tuple[str, str], ...]


def servers_of(
    *,
    account: Account,
    location: Location,
    hours_per_month: Decimal,
    at: datetime,
    parameters: ParameterSet,
    keep: Collection[str] = (),
) -> ServerFleet:
    """Return every complete server sold to the account at the location, on the term that costs less for these hours.

    Layouts whose key names are to be kept are there even where others are as good as they are. The number of queries
    does not grow with the catalogue.
    """
    speeds = disk_speeds(parameters)
    sold = _complete_servers(location)
    menus = menus_of(
        _plain_by_package(sold), account=account, location=location, at=at, hours_per_month=hours_per_month
    )
    layouts, left_out = _variants(sold, menus, parameters, speeds, keep)
    machines: list[PricedMachine] = []
    known: list[tuple[CompleteServer, _Described]] = []
    for server in [*sold, *layouts]:
        try:
            known.append((server, _described(server, parameters, speeds)))
        except LeftOut as reason:
            left_out.append((server.key_name, str(reason)))
    questions = [
        ContainerQuestion(server.package, location, term.value, server.parts)
        for server, _ in known
        for term in server.terms
    ]
    answers = iter(containers_check(account=account, questions=questions, at=at, hours_per_month=hours_per_month))
    for server, described in known:
        of_terms = [next(answers) for _ in server.terms]
        try:
            machines.append(_priced(server, described, of_terms, account.currency))
        except LeftOut as reason:
            if not server.is_variant:
                left_out.append((server.key_name, str(reason)))
    variants = {server.key_name for server, _ in known if server.is_variant}
    kept = without_dominated(machines, variants=variants - set(keep), parameters=parameters)
    balancers = (machine for machine in kept if machine.is_proxy or machine.key_name not in variants)
    return ServerFleet(tuple(kept), tuple(balancers), tuple(left_out))


def disk_speeds(parameters: ParameterSet) -> Speeds:
    """Return what tells the MB/s that an array takes and gives of objects; each is worked out once."""

    @cache
    def of_layout(array: Array) -> tuple[float, float]:
        return object_write_mb_s(array, parameters), object_read_mb_s(array, parameters)

    return lambda array: of_layout(replace(array, drive_gb=None))


def _plain_by_package(servers: Iterable[CompleteServer]) -> Mapping[int, list[Sequence[Part]]]:
    found: dict[int, list[Sequence[Part]]] = defaultdict(list)
    for server in servers:
        if server.is_plain:
            found[server.package.pk].append(server.parts)
    return found


def _variants(
    servers: Iterable[CompleteServer],
    menus: Mapping[int, Menu],
    parameters: ParameterSet,
    speeds: Speeds,
    keep: Collection[str],
) -> tuple[list[CompleteServer], list[tuple[str, str]]]:
    """Return the further layouts of the plain servers whose processors are known, as far as they are worth it or to be
    kept, and of which servers there are too many."""
    plain, layouts = [], []
    for server in servers:
        if not server.is_plain:
            continue
        try:
            units, _ = _compute_units(dict(server.parts)[SERVER], parameters)
        except LeftOut:
            continue
        plain.append(server)
        layouts.append(
            layouts_of(
                server.parts,
                menus[server.package.pk],
                processor_mb_s=processor_mb_s(units, parameters),
                speeds=speeds,
            )
        )
    found, left_out = [], []
    for server, every, rows in zip(plain, layouts, worth_planning(layouts), strict=True):
        if len(rows) > MOST_VARIANTS:
            words = f"The {MOST_VARIANTS} cheapest of its {len(rows)} layouts that are worth it are planned with."
            left_out.append((f"{server.key_name}, other layouts", words))
        worth = rows[:MOST_VARIANTS]
        found += [_laid_out(server, variant) for variant in map(every.variant, worth) if variant]
        others = sorted(set(range(len(every.needs))).difference(worth)) if keep else []
        further = [_laid_out(server, variant) for variant in map(every.variant, others) if variant]
        found += [layout for layout in further if layout.key_name in keep]
    return found, left_out


def _laid_out(server: CompleteServer, variant: ServerVariant) -> CompleteServer:
    return CompleteServer(
        key_name=f"{server.key_name}+{variant.slug}",
        title=f"{dict(server.parts)[SERVER].description} with {variant.words}",
        package=server.package,
        parts=variant.parts,
        is_variant=True,
        terms=(variant.term,),
    )


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
        taken[key_name] = replace(server, key_name=key_name)
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
        package = packages[link.package_id]
        servers.append(CompleteServer(link.item.key_name, title, package, tuple(parts), is_plain=True))
    return servers


def _completed(named: Sequence[Part], defaults: Sequence[Part]) -> list[Part]:
    codes = {code for code, _ in named}
    return [*named, *(part for part in defaults if part[0] not in codes)]


@dataclass(frozen=True)
class _Described:
    """What is known of a server before its price: its physics, its disks and uplink, what is taken to be so."""

    machine: Machine
    raid: str
    equipment: str
    notes: tuple[str, ...]


def _described(server: CompleteServer, parameters: ParameterSet, speeds: Speeds) -> _Described:
    """Return what is known of a server; raises LeftOut with what is not."""
    configuration = configuration_of(title=server.title, quantity=1, parts=server.parts)
    units, note = _compute_units(dict(server.parts)[SERVER], parameters)
    if configuration.network_gbps is None:
        raise LeftOut("The catalogue does not say how fast its uplink is.")
    try:
        array = array_of(_array_facts(configuration))
    except ScenarioError as error:
        raise LeftOut(f"Its disks cannot be used: {error}.") from None
    data = configuration.drives[0]
    takes, gives = speeds(array)
    machine = Machine(
        key_name=server.key_name,
        compute_units=units,
        network_mb_s=configuration.network_gbps * MB_S_PER_GBPS * parameters.factor(network_factor(server.key_name)),
        network_is_assumed=False,
        local_storage_gb=(data.drive_gb or 0) * data.count * array.layout.usable_fraction,
        bursts=False,
        drive_class=array.drive_class,
        disk_write_mb_s=takes,
        disk_read_mb_s=gives,
        compute_units_are_assumed=True,
    )
    apart = [
        f"{group.count} × {group.description} are taken to be a journal apart: their room is not counted."
        for group in configuration.drives[1:]
    ]
    notes = (note, *apart, *configuration.notes)
    return _Described(machine, array.layout.raid, configuration.equipment_words, notes)


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
    server: CompleteServer, described: _Described, answers: Sequence[ContainerAnswer], currency: str
) -> PricedMachine:
    """Return the server on the cheaper term of those on which it can be ordered as it is; raises LeftOut for none."""
    offers = []
    for term, answer in zip(server.terms, answers, strict=True):
        monthly = [line.price.lasting_monthly for line in answer.lines]
        once = [line.price.once for line in answer.lines]
        if answer.violations or None in monthly or None in once:
            continue
        offers.append(
            PricedMachine(
                machine=described.machine,
                title=server.title,
                package_key_name=server.package.key_name,
                lines=tuple((line.category_code, line.item.key_name) for line in answer.lines),
                line_fees=tuple(price.amount for price in monthly if price),
                term=term.value,
                line_rates=tuple(line.price.lasting_rate or Decimal(0) for line in answer.lines if term is Term.HOURLY),
                once_fees=tuple(price.amount for price in once if price),
                notes=described.notes,
                raid=described.raid,
                equipment=described.equipment,
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
