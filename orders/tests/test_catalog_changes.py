"""The catalogue moves on: what was placed or quoted stays word for word, price for price."""

import shutil
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.db.models import Model

from accounts.tests.factories import make_account, make_member
from catalog.blueprints import Role
from catalog.loading import SHIPPED, catalog_load_folder
from catalog.models import Item, ItemPrice, Location
from catalog.pricing import HOURS_PER_MONTH, Term
from core.clock import now
from orders.drafting import order_draft
from orders.models import BillingOrder, OrderLine, Quote
from orders.placing import order_place
from orders.quoting import quote_accept, quote_issue
from orders.selectors import order_tree

pytestmark = pytest.mark.django_db

EC2 = SHIPPED / "ec2-2012-04"


@pytest.fixture
def order() -> BillingOrder:
    catalog_load_folder(folder=EC2, now=now())
    account = make_account()
    nodes = Role(
        name="storage nodes",
        package_key_name="ec2-virtual-server",
        quantity=10,
        parts=(("machine_type", "m1.medium"), ("os", "debian-6")),
    )
    return order_draft(
        account=account,
        user=make_member(account),
        name="Backups",
        roles=[nodes],
        location=Location.objects.get(key_name="us-east-1"),
        term=Term.HOURLY,
        hours_per_month=HOURS_PER_MONTH,
        now=now(),
    )


def load_a_dearer_catalogue(folder: Path) -> None:
    """Load the catalogue again with every price doubled and every description in other words."""
    copy = Path(shutil.copytree(EC2, folder / "later"))
    prices = copy / "prices.csv"
    header, *rows = prices.read_text().splitlines()
    column = header.split(",").index("hourly_recurring_fee")
    prices.write_text("\n".join([header, *(doubled(row, column) for row in rows)]) + "\n")
    items = copy / "items.csv"
    items.write_text(items.read_text().replace("Standard", "Dearer"))
    before = ItemPrice.objects.filter(valid_to=None).count()
    catalog_load_folder(folder=copy, now=now())
    assert ItemPrice.objects.filter(valid_to=None).count() == before
    assert ItemPrice.objects.exclude(valid_to=None).exists()


def doubled(row: str, column: int) -> str:
    cells = row.split(",")
    if cells[column]:
        cells[column] = str(Decimal(cells[column]) * 2)
    return ",".join(cells)


def frozen() -> list[list[dict[str, object]]]:
    models: tuple[type[Model], ...] = (BillingOrder, OrderLine, Quote)
    return [list(model._default_manager.order_by("pk").values()) for model in models]


def test_an_import_changes_no_placed_order(order, tmp_path):
    placed = order_place(
        order_id=order.pk, account_id=order.account_id, user=order.created_by, now=now(), shown_monthly=None
    )
    before, monthly = frozen(), order_tree(order_id=placed.pk, account_id=placed.account_id).totals.monthly

    load_a_dearer_catalogue(tmp_path)

    assert frozen() == before
    assert order_tree(order_id=placed.pk, account_id=placed.account_id).totals.monthly == monthly
    assert Item.objects.get(key_name="m1.medium").description == "Dearer Medium"
    assert OrderLine.objects.get(key_name="m1.medium").description == "Standard Medium"


def test_an_import_between_quote_and_acceptance_changes_no_line_of_the_order(order, tmp_path):
    quote = quote_issue(order_id=order.pk, account_id=order.account_id, user=order.created_by, now=now())
    before = frozen()[1]
    load_a_dearer_catalogue(tmp_path)

    later = now() + timedelta(hours=1)
    placed = quote_accept(quote_id=quote.pk, account_id=order.account_id, user=order.created_by, now=later)

    assert frozen()[1] == before
    tree = order_tree(order_id=placed.pk, account_id=placed.account_id)
    assert tree.totals.monthly.known.text == quote.document["totals"]["monthly"]
