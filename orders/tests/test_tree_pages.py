"""An order drawn as its tree, as a bill of materials, and beside another one."""

import csv
import re
from dataclasses import replace
from decimal import Decimal
from io import StringIO

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of
from orders.bill_of_materials import bill_as_csv, bill_as_json, parts_of
from orders.comparing import Row, compared
from orders.models import OrderContainer, OrderLine
from orders.order_drawing import MOST_CONTAINERS, drawing_of, nodes_of
from orders.quote_document import document_of
from orders.quoting import quote_issue
from orders.selectors import order_tree
from orders.tests.factories import NOW, PROXIES, STORAGE_NODES, make_draft, role

pytestmark = pytest.mark.django_db


def tree_of(order):
    return order_tree(order_id=order.pk, account_id=order.account_id)


def kinds_down(node):
    """Return the kinds of boxes on the way from the root down the first children."""
    return [node.kind, *(kinds_down(node.children[0]) if node.children else [])]


def test_the_tree_goes_from_the_order_down_to_the_prices(draft):
    node = nodes_of(tree_of(draft))

    assert kinds_down(node) == ["order", "item", "container", "package", "category", "part", "price"]
    assert (node.money, [item.money for item in node.children]) == (
        "$1,036.80 a month",
        ["$460.80 a month", "$576.00 a month"],
    )
    container = node.children[0].children[0]
    assert (container.words, container.note) == ("2 × Virtual server", "N. Virginia, hourly")
    price = container.children[0].children[0].children[0].children[0]
    assert (price.words, price.money) == ("$0.32 an hour each", "$460.80")


def test_each_box_is_drawn_and_its_words_are_escaped(draft):
    OrderLine.objects.filter(key_name="m1.large").update(description="<script>alert(1)</script>")

    node = nodes_of(tree_of(draft))
    picture = drawing_of(node)

    assert picture.count('<g class="order-node ') == node.size == 1 + 2 + 2 + 2 + 4 * 3
    assert picture.count('<path class="order-branch"') == node.size - 1
    assert "<script>" not in picture
    assert max(float(x) for x in re.findall(r' width="(\d+)"', picture)) <= 358


@pytest.mark.breaks_invariants("line amount = fee × pieces")
def test_equal_containers_are_one_box_and_many_unlike_ones_are_counted(draft):
    container = OrderContainer.objects.filter(order_item__name="proxies").get()
    lines = list(container.lines.all())
    for number in range(300):
        container.pk = None
        container.quantity = 2 if number < 100 else number
        container.save()
        OrderLine.objects.bulk_create(OrderLine(**_values(line), container=container) for line in lines)

    proxies = next(child for child in nodes_of(tree_of(draft)).children if child.words == "proxies")

    assert len(proxies.children) == MOST_CONTAINERS + 1
    assert proxies.children[0].words == "101 containers of 2 × Virtual server"
    assert proxies.children[-1].words == f"and {301 - 101 - (MOST_CONTAINERS - 1)} more containers"
    assert proxies.children[-1].children == ()


def _values(line):
    return {field.attname: getattr(line, field.attname) for field in line._meta.fields
            if field.name not in ("id", "container")}  # fmt: skip


def test_the_bill_has_a_row_for_each_part_with_units_in_its_headers(draft):
    header, *rows = csv.reader(StringIO(bill_as_csv(document_of(tree_of(draft)))))

    assert header[10:14] == [
        "recurring fee of one (USD an hour on hourly terms, a month on monthly terms)",
        "fee paid once for one (USD)",
        "owed for all (USD a month, 720.00 hours)",
        "owed once for all (USD)",
    ]
    assert rows[0][:10] == [
        *("proxies", "virtual-server", "us-east-1", "hourly", "2", "Machine type", "m1.large", "The m1.large", "1", "2")
    ]
    assert sum(Decimal(row[12]) for row in rows) == Decimal("1036.80")
    assert sum(Decimal(row[13]) for row in rows) == Decimal("10.00")


def test_words_of_the_buyer_are_no_formulas(shop, account, ana):
    order = make_draft(shop=shop, account=account, user=ana, roles=[role("=1+1", 1, "m1.small")])

    _, row, *_ = csv.reader(StringIO(bill_as_csv(document_of(tree_of(order)))))

    assert row[0] == "'=1+1"


def test_an_unpriced_part_has_no_price_in_the_bill(shop, account, ana):
    order = make_draft(shop=shop, account=account, user=ana, roles=[role("odd", 1, "m9.unpriced")])

    part = bill_as_json(document_of(tree_of(order)))["parts"][0]

    assert (part["item"], part["monthly_amount"], part["once_amount"]) == ("m9.unpriced", None, None)


def test_equal_lines_are_one_row_with_their_count(draft):
    line = OrderLine.objects.get(key_name="m1.large")
    OrderLine.objects.create(**_values(line) | {"category_code": "spare", "category_name": "Spare"},
                             container=line.container)  # fmt: skip

    part = parts_of(document_of(tree_of(draft)))[0]

    assert (part.category, part.count, part.total_count) == ("Machine type … Spare", 2, 4)
    assert part.monthly == "921.60"


def test_the_files_are_those_of_the_order_and_of_the_quote(draft, account, ana):
    quote = quote_issue(order_id=draft.pk, account_id=account.pk, user=ana, now=NOW)
    client = client_of(ana)

    for name, arguments, expected in (
        ("order-bill", [draft.pk], document_of(tree_of(draft))),
        ("quote-bill", [quote.pk], quote.document),
    ):
        text, data = client.get(reverse(f"{name}-csv", args=arguments)), client.get(
            reverse(f"{name}-json", args=arguments)
        )  # fmt: skip
        assert text.content.decode() == bill_as_csv(expected)
        assert data.json() == bill_as_json(expected)
        assert text["Content-Disposition"].endswith('-materials.csv"')


def test_two_configurations_differ_exactly_where_something_was_changed(shop, account, ana):
    one = make_draft(shop=shop, account=account, user=ana)
    other = make_draft(
        shop=shop,
        account=account,
        user=ana,
        roles=[STORAGE_NODES, replace(PROXIES, parts=(("machine_type", "m1.small"), ("os", "debian")))],
    )

    sections = compared(document_of(tree_of(one)), document_of(tree_of(other)))

    different = [(section.name, row) for section in sections for row in section.rows if row.is_different]
    assert different == [
        ("proxies", Row("Machine type", "The m1.large", "The m1.small")),
        ("Total", Row("A month", "$1,036.80", "$691.20")),
        ("Total", Row("Once", "$10.00", "$0.00")),
        ("Total", Row("Over 36 months", "$37,334.80", "$24,883.20")),
    ]


def test_a_configuration_beside_itself_does_not_differ_and_one_part_more_stands_beside_nothing(shop, account, ana):
    one = document_of(tree_of(make_draft(shop=shop, account=account, user=ana)))
    fewer = document_of(tree_of(make_draft(shop=shop, account=account, user=ana, roles=[PROXIES])))

    assert not any(row.is_different for section in compared(one, one) for row in section.rows)
    left_over = next(section for section in compared(one, fewer) if section.name == "storage nodes")
    assert Row("Pieces", "10", "–") in left_over.rows


def test_the_pages_show_the_tree_and_the_comparison(draft, shop, account, ana):
    other = make_draft(shop=shop, account=account, user=ana, roles=[PROXIES])
    client = client_of(ana)

    tree = client.get(reverse("order-tree", args=[draft.pk])).content.decode()
    choice = client.get(reverse("order-compare")).content.decode()
    beside = client.get(f"{reverse('order-compare')}?a={draft.pk}&b={other.pk}").content.decode()

    assert '<svg class="order-drawing"' in tree
    assert "Choose two configurations to set side by side" in choice
    assert re.search(rf"Draft {draft.pk}: {draft.name} and Draft {other.pk}: {other.name} differ in \d+ places", beside)


@pytest.mark.parametrize("other", ["999999", "x", "9" * 40])
def test_what_is_not_an_order_of_the_account_cannot_be_compared(draft, ana, other):
    assert client_of(ana).get(f"{reverse('order-compare')}?a={draft.pk}&b={other}").status_code == 404
