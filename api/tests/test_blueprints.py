import pytest

from api.tests.factories import make_blueprint
from api.tests.test_orders import violations
from catalog.models import (
    BlueprintNeed,
    BlueprintPart,
    BlueprintRole,
    BlueprintService,
    ItemCategory,
    Package,
    PackageConfiguration,
)
from catalog.tests.factories import make_location, make_package
from orders.models import BillingOrder, OrderContainer
from orders.tests.factories import PACKAGE

pytestmark = pytest.mark.django_db

LIST = "/api/v1/blueprints"
CLOUD = f"{LIST}/small-cloud"


@pytest.fixture
def blueprints(shop):
    """A solution of two proxies and ten storage nodes, whose system is left to the package, and a preset of a node."""
    PackageConfiguration.objects.filter(category__category_code="os").update(default_item=shop.items["debian"])
    make_blueprint(shop, "small-cloud", ("proxies", 2, "m1.large"), ("storage nodes", 10, "m1.small"))
    make_blueprint(shop, "node", ("node", 1, "m1.small"))


def test_blueprints_are_listed_with_what_they_are_made_of(program, shop, blueprints):
    page = program.get(LIST).json()

    assert (page["count"], [line["key_name"] for line in page["results"]]) == (2, ["node", "small-cloud"])
    assert [line["kind"] for line in page["results"]] == ["preset", "solution"]
    assert page["results"][1] == {
        "key_name": "small-cloud",
        "kind": "solution",
        "name": "Small-cloud",
        "description": "",
        "source": "tests",
        "basis": "assumed",
        "href": CLOUD,
        "roles": [
            role("proxies", quantity=2, parts=[part(shop, "machine_type", "m1.large")]),
            role("storage nodes", quantity=10, parts=[part(shop, "machine_type", "m1.small")]),
        ],
        "services": [],
    }


def role(name, *, quantity, parts, least=1, most=None, optional=False):
    return {
        "name": name,
        "package": PACKAGE,
        "quantity": quantity,
        "least": least,
        "most": most,
        "optional": optional,
        "parts": parts,
    }


def part(shop, category, key_name, count=1):
    item = shop.items[key_name]
    return {
        "category": category,
        "item": key_name,
        "item_id": item.pk,
        "description": item.description,
        "count": count,
    }


def test_blueprints_of_one_package_can_be_asked_for(program, blueprints):
    assert program.get(f"{LIST}?package={PACKAGE}").json()["count"] == 2
    assert program.get(f"{LIST}?package=other").json()["count"] == 0


def test_a_blueprint_is_shown_complete_with_its_price_here(program, shop, blueprints):
    shown = program.get(f"{CLOUD}?location=us-east-1&term=hourly").json()

    assert (shown["valid"], shown["hours_per_month"]) == (True, "720")
    assert (shown["totals"]["monthly"], shown["totals"]["once"], shown["totals"]["hourly"]) == (
        "1036.80",
        "10.00",
        "1.44",
    )
    proxies, storage = shown["roles"]
    assert proxies["parts"] == [part(shop, "machine_type", "m1.large"), part(shop, "os", "debian")]
    assert (proxies["location"], proxies["term"], proxies["totals"]["monthly"]) == ("us-east-1", "hourly", "460.80")
    assert (storage["quantity"], storage["totals"]["monthly"], storage["violations"]) == (10, "576.00", [])


def test_a_role_that_cannot_be_had_on_the_term_is_shown_on_the_other_one(program, blueprints):
    shown = program.get(f"{CLOUD}?term=monthly").json()

    assert {role["term"] for role in shown["roles"]} == {"hourly"}
    assert shown["valid"] is True


def test_a_blueprint_that_breaks_a_rule_says_which(program, shop, blueprints):
    PackageConfiguration.objects.update(default_item=None)

    shown = program.get(f"{LIST}/node?term=hourly").json()

    assert shown["valid"] is False
    assert [each["code"] for each in shown["roles"][0]["violations"]] == ["category_required"]


@pytest.mark.parametrize("path", [f"{LIST}/none", f"{LIST}/small-cloud?location=moon"])
def test_what_cannot_be_had_is_refused(program, blueprints, path):
    answer = program.get(path)

    assert (answer.status_code, answer.json()["code"]) in {(404, "not_found"), (422, "input_refused")}


def test_blueprints_of_a_package_that_is_no_longer_sold_are_gone(program, blueprints):
    Package.objects.update(is_active=False)

    assert program.get(LIST).json()["count"] == 0
    assert program.get(CLOUD).status_code == 404
    assert program.post(f"{CLOUD}/order").status_code == 404


def test_a_solution_is_not_ordered_without_the_role_that_is_no_longer_sold(program, blueprints):
    BlueprintRole.objects.filter(name="proxies").update(package=make_package("old", required=(), locations=()))
    Package.objects.filter(key_name="old").update(is_active=False)

    answers = [
        program.get(CLOUD),
        program.post(f"{CLOUD}/order"),
        program.post(f"{CLOUD}/order", {"roles": [{"name": "proxies", "quantity": 3}]}),
    ]

    assert [(answer.status_code, violations(answer)) for answer in answers] == [
        (422, {("role_not_sold", "roles.proxies")})
    ] * 3
    assert BillingOrder.objects.count() == 0


def test_a_blueprint_is_ordered_in_one_call(program, blueprints):
    answer = program.post(f"{CLOUD}/order", {"location": "us-east-1", "term": "hourly"})

    order = BillingOrder.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"/api/v1/orders/{order.pk}")
    shown = answer.json()
    assert (shown["name"], shown["state"], shown["totals"]["monthly"]) == ("Small-cloud", "draft", "1036.80")
    assert [(item["name"], item["quantity"]) for item in shown["items"]] == [("proxies", 2), ("storage nodes", 10)]
    assert program.post(f"{shown['href']}/verify").json()["valid"] is True


def test_nothing_has_to_be_said_to_order_a_blueprint(program, blueprints):
    answer = program.post(f"{LIST}/node/order")

    assert (answer.status_code, answer.json()["totals"]["monthly"]) == (201, "57.60")


def test_name_numbers_and_host_names_may_be_changed_in_the_same_call(program, blueprints):
    body = {
        "name": "Ours",
        "term": "hourly",
        "roles": [{"name": "storage nodes", "quantity": 3, "host_names": "store-{n}"}],
    }

    shown = program.post(f"{CLOUD}/order", body).json()

    assert (shown["name"], shown["totals"]["monthly"]) == ("Ours", "633.60")
    containers = OrderContainer.objects.order_by("order_item__sequence").values_list("quantity", "host_names")
    assert list(containers) == [(2, ""), (3, "store-{n}")]


def test_a_blueprint_is_ordered_once_for_one_idempotency_key(program, blueprints):
    first, again = (program.post(f"{CLOUD}/order", {}, **{"idempotency-key": "b-1"}) for _ in range(2))

    assert first.json() == again.json()
    assert BillingOrder.objects.count() == 1


def test_everything_wrong_with_an_order_of_a_blueprint_is_named_at_once(program, blueprints):
    roles = [
        {"name": "routers"},
        {"name": "proxies", "quantity": 0, "host_names": "no_name"},
        {"quantity": "many", "colour": 1},
    ]
    body = {"name": " ", "location": "moon", "term": "yearly", "hours_per_month": 745, "roles": roles}

    answer = program.post(f"{CLOUD}/order", body)

    assert answer.status_code == 422
    assert violations(answer) == {
        ("name_length", "name"),
        ("location_not_sold", "location"),
        ("invalid_choice", "term"),
        ("max_value", "hours_per_month"),
        ("role_unknown", "roles[0].name"),
        ("quantity_out_of_range", "roles[1].quantity"),
        ("host_name_invalid", "roles[1].host_names"),
        ("required", "roles[2].name"),
        ("invalid", "roles[2].quantity"),
        ("field_unknown", "roles[2].colour"),
    }
    assert not BillingOrder.objects.exists()


def test_a_blueprint_is_not_ordered_elsewhere_than_asked(program, shop, blueprints):
    make_location("dal05")

    answer = program.post(f"{CLOUD}/order", {"location": "dal05"})

    assert violations(answer) == {("location_not_sold", "location")}
    assert not BillingOrder.objects.exists()


@pytest.fixture
def spread(shop, blueprints):
    """Let two services share the proxies: a database that needs the larger machine, and a queue."""
    roles = {role.name: role for role in BlueprintRole.objects.filter(blueprint__key_name="small-cloud")}
    proxies, blueprint = roles["proxies"], roles["proxies"].blueprint
    storage = roles["storage nodes"]
    own = BlueprintRole.objects.create(
        blueprint=blueprint, name="database", sequence=2, package=shop.package, quantity=0, least=2, is_optional=True
    )
    machine = ItemCategory.objects.get(category_code="machine_type")
    BlueprintPart.objects.create(role=own, category=machine, item=shop.items["m1.small"])
    database = BlueprintService.objects.create(
        role=own, otherwise=proxies, key_name="database", name="Database", shares_up_to=11
    )
    BlueprintNeed.objects.create(service=database, category=machine, item=shop.items["m1.large"])
    BlueprintService.objects.create(role=proxies, agents=storage, key_name="queue", name="Queue", sequence=1)


def test_services_are_listed_with_where_they_stand_and_what_they_need(program, shop, spread):
    line = program.get(f"{LIST}").json()["results"][1]

    assert line["roles"][2] == role(
        "database", quantity=0, least=2, optional=True, parts=[part(shop, "machine_type", "m1.small")]
    )
    assert line["services"] == [
        {
            "key_name": "database",
            "name": "Database",
            "role": "database",
            "otherwise": "proxies",
            "agents": "",
            "shares_up_to": 11,
            "needs": [part(shop, "machine_type", "m1.large")],
        },
        {
            "key_name": "queue",
            "name": "Queue",
            "role": "proxies",
            "otherwise": "",
            "agents": "storage nodes",
            "shares_up_to": None,
            "needs": [],
        },
    ]


def test_the_machines_asked_for_say_where_the_services_stand_and_what_it_costs(program, shop, spread):
    shared = program.get(f"{CLOUD}?term=hourly").json()
    apart = program.get(f"{CLOUD}?term=hourly&machines=database:2,storage nodes:3").json()

    assert [(each["name"], each["services"], each["agents"]) for each in shared["roles"]] == [
        ("proxies", ["database", "queue"], []),
        ("storage nodes", [], ["queue"]),
    ]
    assert [warning["words"] for warning in shared["warnings"]] == [
        "Database still shares the proxies in a whole of 12 machines. Beyond 11 give it a machine of its own."
    ]
    assert [(each["name"], each["quantity"], each["services"]) for each in apart["roles"]] == [
        ("proxies", 2, ["queue"]),
        ("storage nodes", 3, []),
        ("database", 2, ["database"]),
    ]
    assert part(shop, "machine_type", "m1.large") in apart["roles"][2]["parts"], "the database needs it there too"
    assert (shared["totals"]["hourly"], apart["totals"]["hourly"]) == ("1.44", "1.52")
    assert apart["warnings"] == []


def test_the_order_is_of_the_machines_asked_for(program, spread):
    body = {"term": "hourly", "roles": [{"name": "database", "quantity": 2}, {"name": "storage nodes", "quantity": 3}]}

    shown = program.post(f"{CLOUD}/order", body).json()

    assert [(item["name"], item["quantity"]) for item in shown["items"]] == [
        ("proxies", 2),
        ("storage nodes", 3),
        ("database", 2),
    ]
    assert program.post(f"{shown['href']}/verify").json()["valid"] is True


def test_machines_that_a_role_may_not_have_are_refused_all_at_once(program, spread):
    answer = program.get(f"{CLOUD}?machines=database:1,routers:2,storage nodes:many,proxies:0")

    assert answer.status_code == 422
    assert violations(answer) == {
        ("role_out_of_range", "machines[0].quantity"),
        ("role_unknown", "machines[1].name"),
        ("not_whole", "machines[2].quantity"),
        ("quantity_out_of_range", "machines[3].quantity"),
    }
    words = {each["code"]: each["words"] for each in answer.json()["violations"]}
    assert words["role_out_of_range"] == "database: at least 2, or none, not 1."
