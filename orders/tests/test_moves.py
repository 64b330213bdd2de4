"""Every service in every state: it makes exactly its move, or none, and where it refuses no row has changed."""

import inspect
import pkgutil
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction

import orders
from core.errors import RuleBroken
from orders.fulfilment.states import RESOURCE_MOVES
from orders.models import BillingOrder, Resource
from orders.states import ALLOWED_MOVES, OrderState
from orders.tests.move_services import SERVICES, Service
from orders.tests.move_worlds import WORLDS, Moves, Rows, World, everything_stored, moves_of, world_called

REFUSED = "refused"
DRIVERS = sorted({service.driver for service in SERVICES.values()})
ORDER_MOVES = {(str(before), str(after)) for before, afters in ALLOWED_MOVES.items() for after in afters}
MACHINE_MOVES = {(str(before), str(after)) for before, afters in RESOURCE_MOVES.items() for after in afters}
NO_ROOM_FOR_A_SERVICE = (".tests", ".migrations", ".management")
NAMES_AN_ORDER = {"order_id", "quote_id", "resource_uuid", "parameters", "answers"}
NO_SERVICE_CANCELS_A_QUOTED_ORDER = {(OrderState.QUOTED, OrderState.CANCELLED)}
"""Its quote is withdrawn first."""


@dataclass(frozen=True)
class Outcome:
    """What came of a call: refused or the states that the order went through, and the kinds of rows that changed."""

    said: str | tuple[str, ...]
    changed: list[str]


def outcome_of(service: Service, world: World, before: Rows) -> Outcome:
    """Call a service and say what came of it; afterwards everything is as it was."""
    machine = world.resource
    history = [len(moves_of(each.subject)) for each in (world.order, machine) if each]
    with transaction.atomic():
        try:
            service.call(world)
            is_refused = False
        except (RuleBroken, ObjectDoesNotExist):
            is_refused = True
        after = everything_stored()
        moves = moves_of(world.order.subject)[history[0] :]
        require_along(moves, ORDER_MOVES, start=world.order.state, end=BillingOrder.objects.get().state)
        if machine:
            moves_of_machine = moves_of(machine.subject)[history[1] :]
            end = Resource.objects.get(pk=machine.pk).state
            require_along(moves_of_machine, MACHINE_MOVES, start=machine.state, end=end)
        transaction.set_rollback(True)
    said = REFUSED if is_refused else tuple(to_state for _, to_state in moves)
    return Outcome(said, [label for label in after if after[label] != before[label]])


def require_along(moves: Moves, allowed: set[tuple[str, str]], *, start: str, end: str) -> None:
    """Audited moves are those of the table, begin where the row was and lead, without a gap, to where it is."""
    path = [start, *(to_state for _, to_state in moves)]
    assert list(moves) == list(pairwise(path))
    assert path[-1] == end
    assert set(moves) <= allowed


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("name", WORLDS)
def test_each_service_makes_its_move_or_leaves_no_trace(db, name, driver):
    world = world_called(name, driver=driver)
    before = everything_stored()
    services = {called: service for called, service in SERVICES.items() if service.driver == driver}

    outcomes = {called: outcome_of(service, world, before) for called, service in services.items()}

    expected = {
        called: service.moves.get(name, REFUSED if service.refuses else ()) for called, service in services.items()
    }
    assert {called: outcome.said for called, outcome in outcomes.items()} == expected
    idle = {called: outcome.changed for called, outcome in outcomes.items() if name not in services[called].moves}
    assert {called: changed for called, changed in idle.items() if changed} == {}
    assert everything_stored() == before


def test_the_services_make_every_move_of_the_table_and_no_other():
    allowed = {(before, after) for before, afters in ALLOWED_MOVES.items() for after in afters}

    made = set()
    for service in SERVICES.values():
        for name, chain in service.moves.items():
            path = [WORLDS[name][0], *chain]
            made |= set(pairwise(path))

    assert made == allowed - NO_SERVICE_CANCELS_A_QUOTED_ORDER


def test_no_service_of_an_order_is_missing_here():
    found = set()
    for module in pkgutil.walk_packages(orders.__path__, "orders."):
        if any(part in module.name for part in NO_ROOM_FOR_A_SERVICE):
            continue
        for name, function in inspect.getmembers(import_module(module.name), inspect.isfunction):
            takes = set(inspect.signature(function).parameters)
            is_public = function.__module__ == module.name and not name.startswith("_")
            if is_public and "now" in takes and takes & NAMES_AN_ORDER:
                found.add(inspect.unwrap(function).__qualname__)

    assert found <= {inspect.unwrap(service.function).__qualname__ for service in SERVICES.values()}
