"""Repairing a draft: what verify offers, one click or one request does."""

import pytest

from accounts.tests.factories import make_account, make_partner
from catalog.blueprints import Role
from catalog.models import ItemRule, Stock
from catalog.tests.book_factories import make_promotion
from catalog.tests.factories import make_location
from core.errors import RuleBroken
from orders.checking import order_check
from orders.documents import from_document, part_rows, to_document
from orders.json_patch import patch_apply
from orders.models import BillingOrder, OrderContainer, OrderLine
from orders.placing import order_place
from orders.repairing import order_repair
from orders.selectors import order_tree
from orders.tests.factories import NOW, PACKAGE, PROXIES, make_draft, role


@pytest.fixture
def broken(shop, account, ana):
    """A draft with three things wrong: two systems missing, and a machine without a price."""
    roles = [role("proxies", 1, "m1.large", system=None), PROXIES, role("odd ones", 3, "m9.unpriced", system=None)]
    return make_draft(shop=shop, account=account, user=ana, roles=roles)


def check(order):
    return order_check(order_id=order.pk, account_id=order.account_id, now=NOW)


def repair(order, only=None):
    return order_repair(order_id=order.pk, account_id=order.account_id, now=NOW, only=only)


def tree_of(order):
    return order_tree(order_id=order.pk, account_id=order.account_id)


def items_of(order):
    return [[line.line.key_name for line in node.lines] for node in tree_of(order).containers]


def test_each_violation_comes_with_its_repair_in_words_and_as_a_patch(broken, shop):
    found = check(broken)

    debian, small = shop.items["debian"], shop.items["m1.small"]
    assert [(each.field, each.repair.words, list(each.repair.patch)) for each in found.violations] == [
        (
            "items[0].containers[0].os",
            "Add The debian: no charge",
            [{
                "op": "add",
                "path": "/items/0/containers/0/parts/-",
                "value": {"category": "os", "item_id": debian.pk, "count": 1},
            }],
        ),
        (
            "items[2].containers[0].os",
            "Add The debian: no charge",
            [{
                "op": "add",
                "path": "/items/2/containers/0/parts/-",
                "value": {"category": "os", "item_id": debian.pk, "count": 1},
            }],
        ),
        (
            "items[2].containers[0].machine_type",
            "Take The m1.small instead of The m9.unpriced",
            [
                {"op": "test", "path": "/items/2/containers/0/parts/0/category", "value": "machine_type"},
                {
                    "op": "replace",
                    "path": "/items/2/containers/0/parts/0",
                    "value": {"category": "machine_type", "item_id": small.pk, "count": 1},
                },
            ],
        ),
    ]  # fmt: skip


def test_repairing_everything_makes_verify_pass_and_keeps_the_rest(broken):
    left = repair(broken)

    assert left.violations == ()
    assert left.is_valid
    assert items_of(broken) == [["m1.large", "debian"], ["m1.large", "debian"], ["m1.small", "debian"]]
    assert check(broken).price_changes == ()
    assert str(tree_of(broken).totals.monthly) == "$864.00"


def test_of_one_container_without_its_required_categories_each_is_named_and_repaired(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[Role("empty", PACKAGE, 2, ())])

    found = check(draft)
    mended = patch_apply(to_document(tree_of(draft)), found.repair.patch)
    left = repair(draft)

    assert {(each.code, each.field) for each in found.violations} == {
        ("category_required", "items[0].containers[0].machine_type"),
        ("category_required", "items[0].containers[0].os"),
    }
    assert all(each.repair for each in found.violations)
    assert left.violations == check(draft).violations == ()
    assert [sorted(keys) for keys in items_of(draft)] == [["debian", "m1.small"]]
    assert mended == to_document(tree_of(draft))


@pytest.mark.parametrize(("code", "problem"), [("WINTER", "promotion_unknown"), ("SPRING", "promotion_used_up")])
def test_a_promotion_code_that_counts_for_nothing_is_left_out_by_its_repair(draft, code, problem):
    make_promotion(code="SPRING", use_limit=1, used=1)
    BillingOrder.objects.update(promotion_code=code)
    lines = list(OrderLine.objects.values())

    found = check(draft)
    (violation,) = found.violations
    left = repair(draft, only={(problem, "promotion_code")})

    assert (violation.code, violation.repair.words) == (problem, "Leave the promotion code out")
    assert violation.repair.patch == found.repair.patch == ({"op": "remove", "path": "/promotion_code"},)
    assert left.violations == ()
    assert BillingOrder.objects.get().promotion_code == ""
    assert list(OrderLine.objects.values()) == lines


def test_repairing_everything_leaves_a_bad_promotion_code_out_too(broken):
    BillingOrder.objects.update(promotion_code="WINTER")

    found = check(broken)
    left = repair(broken)

    assert found.repair.patch[-1] == {"op": "remove", "path": "/promotion_code"}
    assert left.violations == ()
    assert BillingOrder.objects.get().promotion_code == ""
    assert items_of(broken) == [["m1.large", "debian"], ["m1.large", "debian"], ["m1.small", "debian"]]


def test_an_empty_order_is_told_that_nothing_repairs_it(shop, account, ana):
    draft = make_draft(shop=shop, account=account, user=ana, roles=[])

    with pytest.raises(RuleBroken) as refusal:
        repair(draft, only={("order_empty", "items")})

    assert refusal.value.code == "nothing_to_repair"


def test_repairing_one_thing_leaves_the_others(broken):
    left = repair(broken, only={("category_required", "items[0].containers[0].os")})

    assert [(each.code, each.field) for each in left.violations] == [
        ("category_required", "items[2].containers[0].os"),
        ("unpriced", "items[2].containers[0].machine_type"),
    ]
    assert items_of(broken) == [["m1.large", "debian"], ["m1.large", "debian"], ["m9.unpriced"]]


def test_the_whole_repair_is_a_patch_of_the_document_that_verify_answers(broken):
    found = check(broken)

    mended = patch_apply(to_document(tree_of(broken)), found.repair.patch)

    repair(broken)
    assert mended == to_document(tree_of(broken))


def test_a_document_says_everything_about_what_is_ordered(broken):
    asked = from_document(to_document(tree_of(broken)))

    for container, node in zip(asked.containers, tree_of(broken).containers, strict=True):
        assert container.field == node.field
        assert container.package_key_name == node.container.package.key_name
        assert (container.quantity, container.term) == (node.container.quantity, node.container.term)
        assert [(part.category_code, part.item, part.count) for part in container.parts] == [
            (row.category_code, row.item_id, row.count) for row in part_rows(line.line for line in node.lines)
        ]


def test_where_nothing_is_wrong_nothing_is_repaired(draft):
    before = list(OrderLine.objects.values())

    with pytest.raises(RuleBroken) as refusal:
        repair(draft)

    assert refusal.value.code == "nothing_to_repair"
    assert list(OrderLine.objects.values()) == before


def test_a_violation_that_is_not_there_is_not_repaired(broken):
    before = list(OrderLine.objects.values())

    with pytest.raises(RuleBroken) as refusal:
        repair(broken, only={("category_required", "items[1].containers[0].os")})

    assert refusal.value.code == "nothing_to_repair"
    assert list(OrderLine.objects.values()) == before


def test_a_placed_order_is_not_repaired(draft, ana):
    order_place(order_id=draft.pk, account_id=draft.account_id, user=ana, now=NOW, shown_monthly=None)

    with pytest.raises(RuleBroken) as refusal:
        repair(draft)

    assert refusal.value.code == "order_already_placed"


def test_another_account_cannot_repair_it(broken):
    other = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    before = list(OrderLine.objects.values())

    with pytest.raises(BillingOrder.DoesNotExist):
        order_repair(order_id=broken.pk, account_id=other.pk, now=NOW)

    assert list(OrderLine.objects.values()) == before


def test_host_names_are_mended_as_near_to_what_was_typed_as_can_be(draft):
    proxies, nodes = OrderContainer.objects.order_by("pk")
    proxies.host_names, nodes.host_names = "web-{n}", "db-1 web-2 db-1"
    proxies.save()
    nodes.save()

    codes = [(each.code, each.field) for each in check(draft).violations]
    left = repair(draft)

    assert codes == [
        ("host_names_count", "items[1].containers[0].host_names"),
        ("host_name_repeated", "items[1].containers[0].host_names"),
    ]
    assert left.violations == ()
    nodes.refresh_from_db()
    assert nodes.host_names == "db-1 db-2 db-3 db-4 db-5 db-6 db-7 db-8 db-9 db-10"


def test_a_package_that_is_not_sold_there_moves_to_where_it_is(draft, shop):
    far = make_location("mars")
    OrderContainer.objects.update(location=far)

    found = check(draft)
    left = repair(draft)

    assert [each.code for each in found.violations] == ["location_not_sold", "location_not_sold"]
    assert [each.repair.words for each in found.violations] == ["Order it in N. Virginia", "Order it in N. Virginia"]
    assert left.violations == ()
    assert {container.location for container in OrderContainer.objects.all()} == {shop.location}


def test_the_containers_of_an_order_share_what_is_left_in_stock(shop, account, ana):
    Stock.objects.create(item=shop.items["m1.small"], location=shop.location, quantity_left=12)
    draft = make_draft(
        shop=shop,
        account=account,
        user=ana,
        roles=[role("nodes", 10, "m1.small"), role("more", 2, "m1.small"), role("too many", 1, "m1.small")],
    )

    found = check(draft)

    assert [(each.code, each.field, each.words) for each in found.violations] == [
        (
            "stock_short",
            "items[2].containers[0].machine_type",
            "The m1.small: 0 left in N. Virginia, 1 asked for. Order fewer, or choose another item or location.",
        )
    ]
    assert found.violations[0].repair.words == "Take The m1.large instead of The m1.small: $172.80 more a month"
    assert repair(draft).violations == ()


def test_fewer_are_ordered_where_nothing_else_takes_the_place_of_what_is_short(shop, account, ana):
    for key in ("m1.small", "m1.large"):
        Stock.objects.create(item=shop.items[key], location=shop.location, quantity_left=4)
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("nodes", 10, "m1.small")])
    OrderContainer.objects.update(host_names=" ".join(f"n{number}" for number in range(10)))

    (short,) = check(draft).violations
    left = repair(draft)

    assert short.repair.words == "Order 4 of it; name them n0 n1 n2 n3"
    assert left.violations == ()
    assert OrderContainer.objects.get().quantity == 4


def test_what_cannot_be_repaired_says_so_by_having_no_repair(broken, shop):
    shop.package.is_active = False
    shop.package.save()

    found = check(broken)

    assert {each.code for each in found.violations} >= {"package_not_sold", "category_required"}
    assert {each.repair for each in found.violations} == {None}
    assert found.repair is None


def test_repairs_of_many_containers_take_no_more_queries_than_those_of_one(
    shop, account, ana, django_assert_max_num_queries
):
    ItemRule.objects.create(item=shop.items["m1.large"], kind="requires", other=shop.items["centos"])
    bad = role("bad", 1, "m1.large", system=None)
    small = make_draft(shop=shop, account=account, user=ana, roles=[bad])
    large = make_draft(shop=shop, account=account, user=ana, roles=[bad] * 12)

    with django_assert_max_num_queries(20) as queries_of_one:
        found = check(small)
    with django_assert_max_num_queries(len(queries_of_one)):
        check(large)

    assert [each.repair.words for each in found.violations] == ["Add The centos: no charge"]
