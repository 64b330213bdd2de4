"""What an order takes of limited items, and gives back when it is given up."""

from decimal import Decimal

import pytest

from accounts.tests.factories import make_member
from catalog.models import Stock
from core.errors import RuleBroken
from orders.approving import approval_decide
from orders.fulfilment.cancelling import order_cancel_placed, resource_cancel
from orders.models import ApprovalPolicy, BillingOrder, OrderLine, Resource
from orders.placing import order_place
from orders.quoting import quote_accept, quote_issue
from orders.tests.factories import NOW

pytestmark = pytest.mark.django_db


def limit(shop, key_name, quantity):
    Stock.objects.create(item=shop.items[key_name], location=shop.location, quantity_left=quantity)


def left():
    return dict(Stock.objects.values_list("item__key_name", "quantity_left"))


def place(order, user):
    return order_place(order_id=order.pk, account_id=order.account_id, user=user, now=NOW, shown_monthly=None)


def test_placing_takes_what_each_machine_holds_and_cancelling_gives_it_back(draft, ana, shop):
    limit(shop, "m1.small", 30)
    limit(shop, "debian", 12)

    order = place(draft, ana)
    taken = left()
    order_cancel_placed(order_id=order.pk, account_id=order.account_id, user=ana, now=NOW)

    assert taken == {"m1.small": 20, "debian": 0}
    assert left() == {"m1.small": 30, "debian": 12}


def test_a_machine_that_is_cancelled_alone_gives_back_its_own_part_once(draft, ana, shop):
    limit(shop, "m1.small", 10)
    order = place(draft, ana)
    one = Resource.objects.filter(container__lines__key_name="m1.small").first()

    resource_cancel(resource_uuid=one.uuid, account_id=order.account_id, user=ana, now=NOW)
    after_one = left()
    order_cancel_placed(order_id=order.pk, account_id=order.account_id, user=ana, now=NOW)

    assert after_one == {"m1.small": 1}
    assert left() == {"m1.small": 10}


def test_a_rejected_order_gives_everything_back(draft, ana, shop, account):
    ApprovalPolicy.objects.create(account=account, order_limit=Decimal(0))
    limit(shop, "m1.small", 10)
    order = place(draft, ana)
    taken = left()
    paul = make_member(account, email="paul@north.example", role="approver")

    approval_decide(order_id=order.pk, account_id=account.pk, user=paul, role="approver", is_approved=False, now=NOW)

    assert taken == {"m1.small": 0}
    assert left() == {"m1.small": 10}


def test_an_order_for_more_than_is_left_is_refused_and_takes_nothing(draft, ana, shop):
    limit(shop, "m1.small", 9)

    with pytest.raises(RuleBroken) as refusal:
        place(draft, ana)

    assert [violation.code for violation in refusal.value.violations] == ["stock_short"]
    assert left() == {"m1.small": 9}
    assert BillingOrder.objects.get().state == "draft"


def test_an_accepted_quote_takes_stock_too_and_is_refused_where_it_has_run_out(draft, ana, shop):
    quote = quote_issue(order_id=draft.pk, account_id=draft.account_id, user=ana, now=NOW)
    limit(shop, "m1.small", 9)
    line = OrderLine.objects.get(key_name="m1.small")

    with pytest.raises(RuleBroken) as refusal:
        quote_accept(quote_id=quote.pk, account_id=draft.account_id, user=ana, now=NOW)

    assert refusal.value.code == "stock_short"
    assert refusal.value.violations[0].field == f"items[1].containers[0].{line.category_code}"
    quote.refresh_from_db()
    assert (quote.accepted_at, left()) == (None, {"m1.small": 9})
    Stock.objects.update(quantity_left=10)
    assert quote_accept(quote_id=quote.pk, account_id=draft.account_id, user=ana, now=NOW).state == "placed"
    assert left() == {"m1.small": 0}
