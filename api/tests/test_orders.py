import pytest

from core.clock import now
from core.models import OutboxEvent
from orders.models import BillingOrder
from orders.tests.factories import PACKAGE, make_draft, replace_price, role

pytestmark = pytest.mark.django_db

MACHINE = [{"category": "machine_type", "item": "m1.small"}, {"category": "os", "item": "debian"}]
ASKED = {
    "name": "Backups",
    "location": "us-east-1",
    "term": "hourly",
    "hours_per_month": 720,
    "items": [{"name": "storage nodes", "package": PACKAGE, "quantity": 10, "parts": MACHINE}],
}


def violations(answer):
    return {(violation["code"], violation["field"]) for violation in answer.json()["violations"]}


def test_a_draft_is_made_and_priced(program, shop):
    answer = program.post("/api/v1/orders", ASKED)

    order = BillingOrder.objects.get()
    shown = answer.json()
    assert answer.status_code == 201
    assert answer["Location"] == shown["href"] == f"/api/v1/orders/{order.pk}"
    assert (shown["name"], shown["state"], shown["number"]) == ("Backups", "draft", None)
    assert shown["totals"] == {
        "currency": "USD",
        "monthly": "576.00",
        "once": "0.00",
        "hourly": "0.8",
        "over_1_month": "576.00",
        "over_12_months": "6912.00",
        "over_36_months": "20736.00",
        "monthly_at_least": "576.00",
        "once_at_least": "0.00",
        "hourly_at_least": "0.8",
        "unpriced_parts": 0,
    }


def test_an_order_is_shown_as_a_tree_of_items_containers_and_lines(program, draft):
    shown = program.get(f"/api/v1/orders/{draft.pk}").json()

    proxies, storage = shown["items"]
    assert (proxies["name"], proxies["quantity"], proxies["totals"]["monthly"]) == ("proxies", 2, "460.80")
    assert (storage["name"], storage["quantity"], storage["totals"]["monthly"]) == ("storage nodes", 10, "576.00")
    container = proxies["containers"][0]
    assert (container["package"], container["location"], container["term"]) == (PACKAGE, "us-east-1", "hourly")
    line = container["lines"][0]
    assert (line["category"], line["item"], line["rate"]) == ("machine_type", "m1.large", "0.32")
    assert (line["monthly"], line["once"], line["basis"]) == ("460.80", "10.00", "published")
    assert (shown["totals"]["monthly"], shown["totals"]["once"]) == ("1036.80", "10.00")


def test_an_order_with_an_unpriced_part_has_only_a_lower_bound(program, shop, account, ana):
    roles = [role("nodes", 1, "m1.small"), role("riddles", 3, "m9.unpriced")]
    order = make_draft(shop=shop, account=account, user=ana, roles=roles)

    totals = program.get(f"/api/v1/orders/{order.pk}").json()["totals"]

    assert totals["monthly"] is totals["over_12_months"] is None
    assert (totals["monthly_at_least"], totals["unpriced_parts"]) == ("57.60", 1)
    assert (totals["hourly"], totals["hourly_at_least"]) == (None, "0.08")


def test_shape_and_names_of_an_order_are_refused_in_one_round(program, shop):
    items = [
        {"name": "nodes", "package": PACKAGE, "quantity": "many", "parts": [{"category": "os"}], "colour": "red"},
        {"name": "", "package": "no-such", "quantity": 0, "parts": MACHINE},
        {
            "name": "more",
            "package": PACKAGE,
            "host_names": "db_1",
            "parts": [
                {"category": "machine_type", "item": "m1.tiny"},
                {"category": "gpu", "item": "k80", "count": 101},
            ],
        },
    ]

    answer = program.post("/api/v1/orders", {"location": "moon", "term": "yearly", "items": items})

    assert answer.status_code == 422
    assert violations(answer) == {
        ("required", "name"),
        ("location_unknown", "location"),
        ("invalid_choice", "term"),
        ("invalid", "items[0].quantity"),
        ("required", "items[0].parts[0].item"),
        ("field_unknown", "items[0].colour"),
        ("name_length", "items[1].name"),
        ("quantity_out_of_range", "items[1].quantity"),
        ("package_unknown", "items[1].package"),
        ("item_unknown", "items[2].machine_type"),
        ("category_unknown", "items[2].gpu"),
        ("count_out_of_range", "items[2].gpu"),
        ("host_name_invalid", "items[2].host_names"),
    }
    assert all(each["words"].endswith(".") for each in answer.json()["violations"])
    assert not BillingOrder.objects.exists()


def test_an_item_is_either_one_container_or_a_list_of_them(program, shop):
    both = {"name": "a", "quantity": 2, "containers": [{"package": PACKAGE, "parts": MACHINE}]}
    neither, empty = {"name": "b"}, {"name": "c", "containers": []}
    odd = {"name": "d", "containers": ["machine", {"quantity": 1}]}

    answer = program.post("/api/v1/orders", ASKED | {"items": [both, neither, empty, odd]})

    assert violations(answer) == {
        ("belongs_in_container", "items[0].quantity"),
        ("required", "items[1].package"),
        ("required", "items[1].parts"),
        ("item_empty", "items[2].containers"),
        ("invalid", "items[3].containers[0]"),
        ("required", "items[3].containers[1].package"),
        ("required", "items[3].containers[1].parts"),
    }


def test_an_item_is_named_by_its_key_name_or_by_its_id(program, shop):
    part = {"category": "machine_type", "item_id": shop.items["m1.large"].pk}
    named_twice = [part | {"item": "m1.large"}, {"category": "os", "item_id": 10**9}]

    made = program.post("/api/v1/orders", ASKED | {"items": [ASKED["items"][0] | {"parts": [part, MACHINE[1]]}]})
    refused = program.post("/api/v1/orders", ASKED | {"items": [ASKED["items"][0] | {"parts": named_twice}]})

    assert made.json()["items"][0]["containers"][0]["lines"][0]["item"] == "m1.large"
    assert violations(refused) == {("item_named_twice", "items[0].parts[0].item_id"), ("item_unknown", "items[0].os")}


def test_where_and_how_is_said_for_the_order_or_for_each_container(program, shop):
    own = {"package": PACKAGE, "parts": MACHINE, "location": "us-east-1", "term": "hourly"}
    body = {"name": "Backups", "items": [{"name": "nodes", "containers": [own]}]}

    made = program.post("/api/v1/orders", body)
    refused = program.post("/api/v1/orders", body | {"items": [*body["items"], {"name": "more"} | ASKED["items"][0]]})

    assert made.status_code == 201
    assert violations(refused) == {("required", "location"), ("required", "term")}


def test_an_order_is_read_back_as_it_was_sent(program, shop):
    first = {"package": PACKAGE, "quantity": 2, "parts": MACHINE, "host_names": "Web-{nn}"}
    second = {"package": PACKAGE, "quantity": 1, "parts": MACHINE, "host_names": "cache"}
    items = [{"name": "web", "containers": [first, second]}, {"name": "store"} | ASKED["items"][0]]

    made = program.post("/api/v1/orders", ASKED | {"items": items})

    shown = program.get(made["Location"]).json()
    assert made.json() == shown
    assert [item["name"] for item in shown["items"]] == ["web", "storage nodes"]
    containers = [container for item in shown["items"] for container in item["containers"]]
    assert [(each["quantity"], each["host_names"]) for each in containers] == [(2, "web-{nn}"), (1, "cache"), (10, "")]
    assert program.post(f"{made['Location']}/verify").json()["violations"] == []


def test_an_order_beyond_all_sizes_is_refused(program, shop):
    many = {"name": "many", "containers": [{"package": PACKAGE, "parts": MACHINE}] * 300}
    full = {"package": PACKAGE, "parts": [{"category": "os", "item": "debian", "count": 100}] * 100}

    wide = program.post("/api/v1/orders", ASKED | {"items": [many, many]})
    deep = program.post("/api/v1/orders", ASKED | {"items": [{"name": "full", "containers": [full, full]}]})

    assert violations(wide) == {("too_many_containers", "items")}
    assert violations(deep) == {("too_many_lines", "items")}
    assert not BillingOrder.objects.exists()


def test_orders_are_listed_newest_first(program, shop, account, ana):
    first, second = (make_draft(shop=shop, account=account, user=ana) for _ in range(2))

    page = program.get("/api/v1/orders?page_size=1").json()

    assert (page["count"], page["pages"]) == (2, 2)
    assert [line["id"] for line in page["results"]] == [second.pk]
    assert page["results"][0]["totals"]["monthly"] == "1036.80"
    older = program.get("/api/v1/orders?page_size=1&page=2").json()
    assert [line["id"] for line in older["results"]] == [first.pk]


def test_a_valid_draft_is_verified_and_not_changed(program, draft):
    answer = program.post(f"/api/v1/orders/{draft.pk}/verify")

    assert answer.status_code == 200
    assert (answer.json()["valid"], answer.json()["violations"], answer.json()["price_changes"]) == (True, [], [])
    assert answer.json()["totals"]["monthly"] == "1036.80"
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_verifying_names_every_broken_rule(program, shop, account, ana):
    roles = [role("nodes", 1, "m1.small", None), role("riddles", 3, "m9.unpriced")]
    order = make_draft(shop=shop, account=account, user=ana, roles=roles)

    answer = program.post(f"/api/v1/orders/{order.pk}/verify").json()

    assert answer["valid"] is False
    assert {(each["code"], each["field"]) for each in answer["violations"]} == {
        ("category_required", "items[0].containers[0].os"),
        ("unpriced", "items[1].containers[0].machine_type"),
    }


def test_verifying_a_draft_in_a_currency_the_account_left_tells_no_amount(program, draft, account):
    account.currency = "EUR"
    account.save()

    answer = program.post(f"/api/v1/orders/{draft.pk}/verify").json()

    assert [each["code"] for each in answer["violations"]] == ["currency_changed", *["unpriced"] * 4]
    assert (answer["repair"], answer["price_changes"]) == (None, [])
    totals = answer["totals"]
    assert (totals["currency"], totals["unpriced_parts"], totals["monthly_at_least"]) == ("EUR", 4, "0.00")
    assert totals["monthly"] is totals["once"] is totals["hourly"] is totals["over_12_months"] is None


def test_placing_freezes_the_order_at_the_price_that_was_shown(program, draft):
    answer = program.post(f"/api/v1/orders/{draft.pk}/place", {"shown_monthly": "1036.80"})

    assert answer.status_code == 200
    assert (answer.json()["state"], answer.json()["number"]) == ("placed", 1)
    assert answer.json()["placed_by"] == "ana@north.example"
    assert OutboxEvent.objects.filter(kind="order.placed", subject=f"order:{draft.pk}").count() == 1


def test_an_order_that_was_shown_at_another_price_is_not_placed(program, draft):
    answer = program.post(f"/api/v1/orders/{draft.pk}/place", {"shown_monthly": "1000.00"})

    assert (answer.status_code, answer.json()["code"]) == (409, "price_changed")
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_placing_twice_is_refused(program, draft):
    program.post(f"/api/v1/orders/{draft.pk}/place")

    again = program.post(f"/api/v1/orders/{draft.pk}/place")

    assert (again.status_code, again.json()["code"]) == (409, "order_already_placed")


def test_an_order_that_breaks_rules_is_not_placed_and_says_why(program, shop, account, ana):
    order = make_draft(shop=shop, account=account, user=ana, roles=[role("nodes", 1, "m1.small", None)])

    answer = program.post(f"/api/v1/orders/{order.pk}/place")

    assert (answer.status_code, answer.json()["code"]) == (409, "order_invalid")
    assert violations(answer) == {("category_required", "items[0].containers[0].os")}


def test_a_draft_whose_prices_changed_is_refreshed_and_then_placed(program, shop, draft):
    replace_price(shop.items["m1.small"], hourly="0.10", at=now())
    path = f"/api/v1/orders/{draft.pk}"

    verified = program.post(f"{path}/verify").json()
    refused = program.post(f"{path}/place", {"shown_monthly": verified["totals"]["monthly"]})
    refreshed = program.post(f"{path}/refresh").json()
    placed = program.post(f"{path}/place", {"shown_monthly": refreshed["totals"]["monthly"]})

    change = verified["price_changes"][0]
    assert (change["monthly_shown"], change["monthly_today"]) == ("576.00", "720.00")
    assert (refused.status_code, refused.json()["code"]) == (409, "price_changed")
    assert refreshed["totals"]["monthly"] == "1180.80"
    assert (placed.status_code, placed.json()["totals"]["monthly"]) == (200, "1180.80")


def test_a_cancelled_draft_stays_and_is_placed_no_more(program, draft):
    cancelled = program.post(f"/api/v1/orders/{draft.pk}/cancel")

    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    answer = program.post(f"/api/v1/orders/{draft.pk}/place")
    assert (answer.status_code, answer.json()["code"]) == (409, "order_not_draft")


def test_what_was_shown_must_be_an_amount(program, draft):
    answer = program.post(f"/api/v1/orders/{draft.pk}/place", {"shown_monthly": "a lot"})

    assert answer.status_code == 422
    assert violations(answer) == {("invalid", "shown_monthly")}
