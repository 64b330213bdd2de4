"""So many rows of everything that a list can show, made in bulk: each is called "Many 0007" or the like."""

from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Model

from accounts.models import Account, ApiKey, User
from catalog.book_models import PriceBook, PriceBookRule, Scope
from catalog.choices import Driver
from catalog.models import (
    Blueprint,
    BlueprintPart,
    BlueprintRole,
    CatalogLoad,
    Item,
    ItemAttribute,
    ItemCategory,
    ItemPrice,
    Location,
    Package,
    PackageConfiguration,
)
from core.bulk import statistics_refresh
from jobs.models import Run
from orders.models import (
    Approval,
    BillingOrder,
    BillingOrderItem,
    Invoice,
    OrderContainer,
    OrderLine,
    Quote,
    Resource,
    ResourceState,
    SharedConfiguration,
    UsageRecord,
)
from orders.states import OrderState
from planner.demand import Demand, Goal
from planner.models import (
    Advice,
    ImportedScore,
    ImportedScoreTable,
    Measurement,
    MeasurementFile,
    Plan,
    Simulation,
)

LONG_AGO = datetime(2012, 3, 6, tzinfo=UTC)
CATEGORY = "machine_type"
PACKAGE = "many"


def name_of(number: int) -> str:
    return f"Many {number:04}"


def make_many(count: int, *, order: BillingOrder, user: User) -> None:
    """Make so many of everything for the account of an order, and some items in the order itself."""
    account, location = order.account, Location.objects.get()
    items = _items(count)
    package = _packages(count, items, location)
    _prices(count, items)
    _blueprints(count, package, items)
    waiting = _approvals(count, order, user)
    orders = _orders(count, order, user)
    _lines([*waiting, *orders, *[order] * (1 + count // 50)], package, location, items[0])
    _quotes(orders, order, user)
    _shared(count, account, user)
    _resources(count, order)
    _usage(order)
    _plans(count, account, user, location)
    _simulations(count, account, user)
    _measurement_files(count, account, user)
    _advice(count, account, user)
    _invoices(count, account)
    _keys(count, account, user)
    _price_books(items, account)
    _score_tables(count, account, user)
    statistics_refresh("accounts", "catalog", "jobs", "orders", "planner")


def _all(model: type[Model], rows: list[dict[str, Any]]) -> list[Any]:
    return model._default_manager.bulk_create([model(**row) for row in rows])


def _items(count: int) -> list[Item]:
    category = ItemCategory.objects.create(category_code=CATEGORY, name="Machine type")
    items = _all(
        Item,
        [
            {"source": "many", "external_id": f"{n:05}", "key_name": f"many-{n:04}", "description": name_of(n)}
            for n in range(count)
        ],
    )
    _all(Item.categories.through, [{"item_id": item.pk, "itemcategory_id": category.pk} for item in items])
    _all(
        ItemAttribute,
        [
            {"item": item, "name": "compute_units", "value": "2", "source": "tests", "basis": "assumed"}
            for item in items
        ],
    )
    return items


def _packages(count: int, items: list[Item], location: Location) -> Package:
    """Make one package of all items, and as many with one item each."""
    packages = _all(
        Package,
        [
            {"source": "many", "external_id": f"{n:05}", "key_name": f"many-{n:04}", "name": name_of(n)}
            for n in range(count)
        ],
    )
    large = Package.objects.create(source="many", external_id="all", key_name=PACKAGE, name="Everything")
    places = _all(
        Location,
        [{"key_name": f"many-{n:04}", "name": name_of(n), "source": "tests"} for n in range(count)],
    )
    links = Package.locations.through
    _all(links, [{"package_id": each.pk, "location_id": location.pk} for each in [large, *packages]])
    _all(
        links,
        [{"package_id": one.pk, "location_id": place.pk} for one, place in zip(packages, places, strict=True)],
    )
    held = [(large, item) for item in items] + list(zip(packages, items, strict=True))
    _all(Package.items.through, [{"package_id": one.pk, "item_id": item.pk} for one, item in held])
    category = ItemCategory.objects.get()
    _all(
        PackageConfiguration,
        [{"package": each, "category": category, "is_required": True} for each in [large, *packages]],
    )
    return large


def _prices(count: int, items: list[Item]) -> None:
    """Give each item a price, and the first one a long history."""
    usual = {"source": "tests", "basis": "assumed", "hourly_recurring_fee": "0.1", "recurring_fee": "70"}
    _all(ItemPrice, [{"item": item, "external_id": "1", "valid_from": LONG_AGO, **usual} for item in items])
    _all(
        ItemPrice,
        [
            {
                "item": items[0],
                "external_id": f"old-{n}",
                "valid_from": LONG_AGO.replace(year=1900),
                "valid_to": LONG_AGO.replace(year=1901),
                **usual,
                "source": name_of(n),
            }
            for n in range(count)
        ],
    )
    CatalogLoad.objects.create(source="tests", digest="d", loaded_at=LONG_AGO)


def _blueprints(count: int, package: Package, items: list[Item]) -> None:
    category = ItemCategory.objects.get()
    blueprints = _all(
        Blueprint, [{"key_name": f"many-{n:04}", "name": name_of(n), "source": "tests"} for n in range(count)]
    )
    roles = _all(BlueprintRole, [{"blueprint": each, "name": "servers", "package": package} for each in blueprints])
    _all(
        BlueprintPart,
        [{"role": role, "category": category, "item": item} for role, item in zip(roles, items, strict=True)],
    )


def _orders(count: int, like: BillingOrder, user: User) -> list[BillingOrder]:
    return _all(
        BillingOrder,
        [
            {
                "account": like.account,
                "partner": like.partner,
                "name": name_of(n),
                "currency": like.currency,
                "created_by": user,
                "created_at": LONG_AGO,
            }
            for n in range(count)
        ],
    )


def _lines(orders: list[BillingOrder], package: Package, location: Location, item: Item) -> None:
    """Put two containers with two lines each into every order."""
    named = _all(BillingOrderItem, [{"order": order, "name": order.name} for order in orders])
    containers = _all(
        OrderContainer,
        [
            {"order_item": each, "package": package, "location": location, "term": "hourly", "sequence": n}
            for each in named
            for n in range(2)
        ],
    )
    _all(
        OrderLine,
        [
            {
                "container": container,
                "category_code": CATEGORY,
                "category_name": "Machine type",
                "item": item,
                "key_name": item.key_name,
                "description": item.description,
            }
            for container in containers
            for _ in range(2)
        ],
    )


def _quotes(orders: list[BillingOrder], like: BillingOrder, user: User) -> None:
    document = like.quotes.get().document
    _all(
        Quote,
        [
            {
                "order": order,
                "partner": order.partner,
                "number": number,
                "currency": order.currency,
                "document": {**document, "name": order.name},
                "issued_by": user,
                "issued_at": LONG_AGO,
                "expires_at": LONG_AGO.replace(year=2100),
            }
            for number, order in enumerate(orders, start=100)
        ],
    )


def _approvals(count: int, like: BillingOrder, user: User) -> list[BillingOrder]:
    """Make orders that are placed and wait for approval."""
    orders = _all(
        BillingOrder,
        [
            {
                "account": like.account,
                "partner": like.partner,
                "name": name_of(n),
                "number": 100 + n,
                "state": OrderState.PENDING_APPROVAL,
                "currency": like.currency,
                "created_by": user,
                "created_at": LONG_AGO,
                "placed_by": user,
                "placed_at": LONG_AGO,
            }
            for n in range(count)
        ],
    )
    _all(
        Approval,
        [
            {"order": order, "reason": "tests", "token": f"many-{order.pk}", "requested_at": LONG_AGO}
            for order in orders
        ],
    )
    return orders


def _resources(count: int, order: BillingOrder) -> None:
    container = OrderContainer.objects.filter(order_item__order=order).order_by("pk")[0]
    _all(
        Resource,
        [
            {
                "account": order.account,
                "container": container,
                "index": 1000 + n,
                "host_name": f"many-{n:04}",
                "driver": Driver.MANUAL,
                "state": ResourceState.PROVISIONING,
                "ordered_at": LONG_AGO,
                "begun_at": LONG_AGO,
            }
            for n in range(count)
        ],
    )


def _usage(order: BillingOrder) -> None:
    resources = Resource.objects.filter(container__order_item__order=order, index__gte=1000).order_by("pk")
    line = OrderLine.objects.filter(container__order_item__order=order).order_by("pk")[0]
    row = {"order_line": line, "month": LONG_AGO.date().replace(day=1), "recorded_by": "meter", "recorded_at": LONG_AGO}
    _all(UsageRecord, [{**row, "resource": resource, "quantity": 1} for resource in resources])


def _runs(count: int, kind: str, account: Account, user: User) -> list[Run]:
    return _all(
        Run,
        [
            {
                "kind": kind,
                "account_id": account.pk,
                "created_by": user.email,
                "seed": n,
                "progress_total": 1,
                "created_at": LONG_AGO,
            }
            for n in range(count)
        ],
    )


def _shared(count: int, account: Account, user: User) -> None:
    row = {"account": account, "currency": "USD", "asked": {}, "document": {}, "shared_by": user, "shared_at": LONG_AGO}
    until = datetime(2099, 1, 1, tzinfo=UTC)
    _all(
        SharedConfiguration,
        [{**row, "name": name_of(n), "token": f"many-{n:04}", "expires_at": until} for n in range(count)],
    )


def _plans(count: int, account: Account, user: User, location: Location) -> None:
    demand = Demand(goal=Goal.MINIMISE_COST).as_json()
    _all(
        Plan,
        [
            {
                "account": account,
                "created_by": user,
                "created_at": LONG_AGO,
                "location": location,
                "demand": demand,
                "words": name_of(n),
                "run": run,
            }
            for n, run in enumerate(_runs(count, "plan", account, user))
        ],
    )


def _advice(count: int, account: Account, user: User) -> None:
    _all(
        Advice,
        [
            {
                "account": account,
                "created_by": user,
                "created_at": LONG_AGO,
                "kind": "raid",
                "demand": {},
                "words": name_of(n),
                "run": run,
            }
            for n, run in enumerate(_runs(count, "advice", account, user))
        ],
    )


def _measurement_files(count: int, account: Account, user: User) -> None:
    row = {"account": account, "uploaded_by": user, "uploaded_at": LONG_AGO, "file_name": "a.csv", "kind": "plain"}
    files = _all(MeasurementFile, [{**row, "name": name_of(n), "sha256": f"many-{n:04}"} for n in range(count)])
    value = {"configuration": "a", "label": "a", "metric": "value", "value": 1.0, "parameter_set": "2026-11"}
    _all(Measurement, [{**value, "file": file} for file in files])


def _simulations(count: int, account: Account, user: User) -> None:
    _all(
        Simulation,
        [
            {
                "account": account,
                "created_by": user,
                "created_at": LONG_AGO,
                "name": name_of(n),
                "workload": "block_io",
                "scenario": {},
                "parameter_set": "tests",
                "run": run,
            }
            for n, run in enumerate(_runs(count, "simulation", account, user))
        ],
    )


def _invoices(count: int, account: Account) -> None:
    _all(
        Invoice,
        [
            {
                "account": account,
                "partner": account.partner,
                "number": 1000 + n,
                "month": date(1900 + n // 12, n % 12 + 1, 1),
                "currency": "USD",
                "issued_at": LONG_AGO,
                "net": 1,
                "tax": 0,
            }
            for n in range(count)
        ],
    )


def _keys(count: int, account: Account, user: User) -> None:
    _all(
        ApiKey,
        [
            {
                "account": account,
                "user": user,
                "name": name_of(n),
                "prefix": f"k{n:07}",
                "digest": "d",
                "created_at": LONG_AGO,
            }
            for n in range(count)
        ],
    )


def _score_tables(count: int, account: Account, user: User) -> None:
    """Make many tables, and many scores in the one that there is."""
    table = ImportedScoreTable.objects.get(partner=account.partner)
    _all(ImportedScore, [{"table": table, "processor": name_of(n), "score": 1.0 + n} for n in range(count)])
    row = {"partner": account.partner, "version": "1", "source": "a test", "imported_by": user, "imported_at": LONG_AGO}
    _all(ImportedScoreTable, [{**row, "suite": name_of(n)} for n in range(count)])


def _price_books(items: list[Item], account: Account) -> None:
    """Make as many books, which have ended, as there are items, and a rule for each item in the book that holds."""
    book = PriceBook.objects.get(partner=account.partner)
    usual = {"kind": PriceBookRule.Kind.DISCOUNT, "percent": 1, "scope": Scope.ITEM, "valid_from": LONG_AGO}
    _all(PriceBookRule, [{"book": book, "item": item, **usual} for item in items])
    ended = {"currency": "USD", "valid_from": LONG_AGO, "valid_to": LONG_AGO.replace(year=2013)}
    _all(PriceBook, [{"partner": account.partner, "name": name_of(n), **ended} for n in range(len(items))])
