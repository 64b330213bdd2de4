"""Rules between things: rows that anybody can add, and what each of them refuses, in words."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Account
from accounts.tests.factories import make_account
from catalog.models import Item, ItemRule, Package, PackageConfiguration, Stock
from catalog.services import ContainerQuestion, containers_check
from catalog.tests.factories import make_category, make_group, make_item, make_location, make_package, make_price

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SLOTS = [f"disk{number}" for number in range(8)]
pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Package:
    """Return a package of a server with two processors, disks, RAID levels, systems and add-ons, all with prices."""
    items = [
        priced("box", "server", "100", processors="2", cores="8", disk_slots="8"),
        priced("big-box", "server", "300", processors="4", cores="32", disk_slots="8"),
        priced("sata", "disk0", "20", storage_space_gb="1000"),
        priced("ssd", "disk0", "80", storage_space_gb="400"),
        priced("no-raid", "disk_controller", "0"),
        priced("raid", "disk_controller", "50"),
        priced("linux", "os", "0"),
        priced("windows", "os", "30"),
        priced("panel", "addon", "10"),
        priced("backup", "backup", "5"),
    ]
    package = make_package(
        "server", items=items, required=["server"], optional=["disk_controller", "os", "addon", "backup", *SLOTS]
    )
    package.configuration.filter(category__category_code__in=SLOTS[1:]).update(same_items_as=make_category("disk0"))
    return package


def priced(key_name: str, category_code: str, monthly: str, **attributes: str) -> Item:
    item = make_item(key_name, category_code=category_code, attributes=attributes)
    make_price(item, monthly=monthly)
    return item


def rule(package: Package, key_name: str, kind: str, **fields):
    return ItemRule.objects.create(item=package.items.get(key_name=key_name), kind=kind, **fields)


def ask(package: Package, *choices: tuple[str, str], quantity: int = 1, location=None):
    items = {item.key_name: item for item in package.items.all()}
    question = ContainerQuestion(
        package=package,
        location=location or make_location(),
        term="monthly",
        choices=[(code, items[key]) for code, key in choices],
        quantity=quantity,
        wants_repairs=True,
    )
    return containers_check(account=Account.objects.first() or make_account(), questions=[question], at=NOW)[0]


def told(answer):
    return [(violation.code, violation.field, violation.words) for violation in answer.violations]


def repairs(answer):
    return [repair.words if repair else None for repair in answer.repairs]


def disks(*key_names: str) -> list[tuple[str, str]]:
    return list(zip(SLOTS, key_names, strict=False))


BOX = ("server", "box")
RAID = ("disk_controller", "raid")


def test_an_item_may_require_something_of_a_category(server):
    rule(server, "panel", "requires", other_category=make_category("os"))

    answer = ask(server, BOX, ("addon", "panel"))

    assert told(answer) == [("requires", "addon", "panel requires a choice for Os. Add one, or choose another item.")]
    assert repairs(answer) == ["Add linux: no charge"]
    assert answer.required == {"server", "os"}
    assert told(ask(server, BOX, ("addon", "panel"), ("os", "windows"))) == []


def test_a_category_may_require_an_item(server):
    ItemRule.objects.create(
        category=make_category("addon"), kind="requires", other=server.items.get(key_name="windows")
    )

    answer = ask(server, BOX, ("addon", "panel"), ("os", "linux"))

    assert told(answer) == [("requires", "addon", "panel requires windows. Add it, or choose another item.")]
    assert repairs(answer) == ["Leave out panel: $10.00 less a month"]


def test_an_item_may_conflict_with_all_of_a_category(server):
    rule(server, "linux", "conflicts", other_category=make_category("addon"))

    answer = ask(server, BOX, ("os", "linux"), ("addon", "panel"))

    assert told(answer) == [("conflicts", "os", "linux cannot stand beside panel. Remove one of the two.")]
    assert repairs(answer) == ["Leave out panel: $10.00 less a month"]


def test_two_categories_may_conflict(server):
    ItemRule.objects.create(category=make_category("addon"), kind="conflicts", other_category=make_category("backup"))

    answer = ask(server, BOX, ("addon", "panel"), ("backup", "backup"))

    assert told(answer) == [("conflicts", "addon", "panel cannot stand beside backup. Remove one of the two.")]
    assert repairs(answer) == ["Leave out panel: $10.00 less a month"]


def test_an_item_may_be_barred_from_a_location(server):
    far = make_location("far")
    server.locations.add(far)
    rule(server, "windows", "conflicts", location=far)

    answer = ask(server, BOX, ("os", "windows"), location=far)

    assert told(answer) == [
        ("location_conflict", "os", "windows cannot be had in far. Choose another item, or another location.")
    ]
    assert repairs(answer) == ["Leave out windows: $30.00 less a month"]
    assert told(ask(server, BOX, ("os", "windows"))) == []


def test_a_bundle_fills_the_category_of_what_it_includes_and_brings_its_conflicts(server):
    bundle = priced("bundle", "addon", "25")
    server.items.add(bundle)
    server.configuration.filter(category__category_code="os").update(is_required=True)
    rule(server, "bundle", "includes", other=server.items.get(key_name="windows"))
    rule(server, "backup", "conflicts", other=server.items.get(key_name="windows"))
    rule(server, "box", "requires", other=server.items.get(key_name="windows"))

    assert told(ask(server, BOX, ("addon", "bundle"))) == []
    assert [code for code, *_ in told(ask(server, BOX, ("addon", "panel")))] == ["category_required"]
    assert told(ask(server, BOX, ("addon", "bundle"), ("backup", "backup"))) == [
        ("conflicts", "backup", "backup cannot stand beside bundle. Remove one of the two.")
    ]


@pytest.mark.parametrize(
    ("machine", "words"),
    [
        ("box", []),
        (
            "big-box",
            ["windows needs at most 2 processors; here are 4 processors. Choose another item, or another machine."],
        ),
    ],
)
def test_an_item_may_want_a_small_machine(server, machine, words):
    rule(server, "windows", "capacity", restriction="PROCESSOR", maximum=2)

    answer = ask(server, ("server", machine), ("os", "windows"))

    assert [violation.words for violation in answer.violations] == words


def test_an_item_may_want_a_large_machine_and_gets_it(server):
    rule(server, "windows", "capacity", restriction="CORE", minimum=16)
    server.configuration.filter(category__category_code="os").update(is_required=True)
    server.items.remove(server.items.get(key_name="linux"))

    answer = ask(server, BOX, ("os", "windows"))

    assert told(answer) == [
        (
            "capacity",
            "os",
            "windows needs at least 16 cores; here are 8 cores. Choose another item, or another machine.",
        )
    ]
    assert repairs(answer) == ["Take big-box instead of box: $200.00 more a month"]


def test_storage_that_is_wanted_is_added_disk_by_disk(server):
    rule(server, "panel", "capacity", restriction="STORAGE_SPACE", minimum=2500)

    answer = ask(server, BOX, ("addon", "panel"), ("disk0", "ssd"))

    assert [violation.code for violation in answer.violations] == ["capacity"]
    assert repairs(answer) == ["Add 3 × sata: $60.00 more a month"]


RAID_LEVELS = {
    "1": {"minimum": 2, "maximum": 2, "equality": "all"},
    "5": {"minimum": 3, "equality": "all"},
    "6": {"minimum": 4, "equality": "all"},
    "10": {"minimum": 4, "multiple_of": 2, "equality": "each_multiple"},
    "50": {"minimum": 6, "multiple_of": 2, "equality": "all"},
    "60": {"minimum": 8, "multiple_of": 2, "equality": "all"},
}


@pytest.mark.parametrize(
    ("level", "fitting", "failing"),
    [
        ("1", [2], [1, 3, 4]),
        ("5", [3, 4, 8], [1, 2]),
        ("6", [4, 5, 8], [1, 3]),
        ("10", [4, 6, 8], [1, 2, 3, 5, 7]),
        ("50", [6, 8], [3, 5, 7]),
        ("60", [8], [4, 6, 7]),
    ],
)
def test_a_raid_level_takes_so_many_disks(server, level, fitting, failing):
    rule(server, "raid", "drives", **RAID_LEVELS[level])

    for count in fitting:
        assert told(ask(server, BOX, RAID, *disks(*["sata"] * count))) == [], count
    for count in failing:
        answer = ask(server, BOX, RAID, *disks(*["sata"] * count))
        assert [(code, field) for code, field, _ in told(answer)] == [("drives", "disk_controller")], count


def test_raid_10_takes_pairs_of_equal_disks_and_the_missing_ones_are_added(server):
    rule(server, "raid", "drives", **RAID_LEVELS["10"])

    three = ask(server, BOX, RAID, *disks("sata", "sata", "sata"))
    mixed = ask(server, BOX, RAID, *disks("sata", "sata", "sata", "ssd"))
    pairs = ask(server, BOX, RAID, *disks("sata", "ssd", "sata", "ssd"))

    assert told(three)[0][2] == (
        "raid needs an even number of disks, at least 4, equal in pairs; there are 3. "
        "Change the disks, or choose another item."
    )
    assert repairs(three) == ["Add sata: $20.00 more a month"]
    assert repairs(mixed) == ["Add sata and ssd: $100.00 more a month"]
    assert told(pairs) == []


def test_mixed_disks_where_all_must_be_equal_lose_the_odd_one(server):
    rule(server, "raid", "drives", **RAID_LEVELS["5"])

    answer = ask(server, BOX, RAID, *disks("sata", "sata", "ssd"))

    assert [violation.code for violation in answer.violations] == ["drives"]
    assert repairs(answer) == ["Take sata instead of ssd: $60.00 less a month"]


def test_disks_that_do_not_fit_the_chassis_go_or_the_chassis_grows(server):
    small = priced("small-box", "server", "50", disk_slots="2")
    server.items.add(small)
    rule(server, "raid", "drives", **RAID_LEVELS["10"])

    answer = ask(server, ("server", "small-box"), RAID, *disks("sata", "sata", "sata", "sata"))

    assert [violation.code for violation in answer.violations] == ["disk_slots", "disk_slots"]
    assert answer.repair.words == "Take box instead of small-box: $50.00 more a month"


@pytest.mark.parametrize(("quantity", "codes"), [(2, []), (3, ["stock_short"])])
def test_stock_is_counted_over_all_pieces_and_slots(server, quantity, codes):
    Stock.objects.create(item=server.items.get(key_name="ssd"), location=make_location(), quantity_left=4)

    answer = ask(server, BOX, *disks("ssd", "ssd"), quantity=quantity)

    assert [violation.code for violation in answer.violations] == codes


def test_an_item_that_ran_out_is_replaced_by_the_cheapest_that_is_left(server):
    Stock.objects.create(item=server.items.get(key_name="box"), location=make_location(), quantity_left=3)

    answer = ask(server, BOX, quantity=5)

    assert told(answer) == [
        (
            "stock_short",
            "server",
            "box: 3 left in us-east-1, 5 asked for. Order fewer, or choose another item or location.",
        )
    ]
    assert repairs(answer) == ["Take big-box instead of box: $1,000.00 more a month"]


def test_what_only_a_missing_category_can_settle_is_told_once(server):
    """A price by processors, a rule that wants a system, a RAID level: each waits for what is missing."""
    server.configuration.filter(category__category_code__in=["os", "disk0"]).update(is_required=True)
    windows = server.items.get(key_name="windows")
    windows.prices.all().delete()
    for processors, fee in ((2, "30"), (4, "60")):
        make_price(
            windows,
            monthly=fee,
            restriction="PROCESSOR",
            restriction_minimum=processors,
            restriction_maximum=processors,
        )
    rule(server, "panel", "requires", other_category=make_category("os"))
    rule(server, "windows", "capacity", restriction="CORE", minimum=4)
    rule(server, "raid", "drives", **RAID_LEVELS["10"])

    without_server = ask(server, ("os", "windows"), ("disk0", "sata"))
    without_system_and_disk = ask(server, BOX, RAID, ("addon", "panel"))

    assert [(code, field) for code, field, _ in told(without_server)] == [("category_required", "server")]
    assert repairs(without_server) == ["Add box: $100.00 more a month"]
    assert [(code, field) for code, field, _ in told(without_system_and_disk)] == [
        ("category_required", "os"),
        ("category_required", "disk0"),
    ]
    assert repairs(without_system_and_disk) == ["Add linux: no charge", "Add 4 × sata: $80.00 more a month"]


def test_the_cheapest_is_the_cheapest_where_it_is_ordered(server):
    group = make_group(1)
    far = make_location("far", groups=[group])
    server.locations.add(far)
    make_price(server.items.get(key_name="sata"), monthly="90", group=group)
    server.configuration.filter(category__category_code="disk0").update(is_required=True)

    assert repairs(ask(server, BOX)) == ["Add sata: $20.00 more a month"]
    assert repairs(ask(server, BOX, location=far)) == ["Add ssd: $80.00 more a month"]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "requires"},
        {"kind": "requires", "location": True},
        {"kind": "requires", "other": True, "other_category": True},
        {"kind": "includes", "other_category": True},
        {"kind": "capacity", "minimum": 1},
        {"kind": "capacity", "restriction": "CORE"},
        {"kind": "capacity", "restriction": "CORE", "minimum": 3, "maximum": 2},
        {"kind": "conflicts", "other": True, "restriction": "CORE"},
        {"kind": "conflicts", "other": True, "minimum": 2},
        {"kind": "drives", "minimum": 2, "multiple_of": 1},
        {"kind": "drives", "other": True},
        {"kind": "conflicts", "other": True, "category": True},
        {"kind": "conflicts", "other": True, "item": None},
    ],
)
def test_the_database_takes_no_rule_without_a_meaning(server, fields):
    row = {
        "other": server.items.get(key_name="ssd"),
        "other_category": make_category("os"),
        "category": make_category("os"),
        "location": make_location(),
    }
    values = {name: row[name] if value is True else value for name, value in fields.items()}

    with pytest.raises(IntegrityError), transaction.atomic():
        ItemRule.objects.create(**{"item": server.items.get(key_name="sata"), **values})

    assert ItemRule.objects.count() == 0


def test_a_rule_stands_once(server):
    rule(server, "raid", "drives", minimum=2)

    with pytest.raises(IntegrityError), transaction.atomic():
        rule(server, "raid", "drives", minimum=4)

    assert ItemRule.objects.get().minimum == 2


def test_repairs_of_many_containers_take_no_more_queries_than_those_of_one(server, django_assert_num_queries):
    PackageConfiguration.objects.filter(category__category_code="os").update(is_required=True)
    items = {item.key_name: item for item in server.items.all()}
    question = ContainerQuestion(server, make_location(), "monthly", [("server", items["box"])], wants_repairs=True)
    account = make_account()

    for count in (1, 50):
        with django_assert_num_queries(5):
            answers = containers_check(account=account, questions=[question] * count, at=NOW)
        assert [answer.repair.words for answer in answers] == ["Add linux: no charge"] * count
