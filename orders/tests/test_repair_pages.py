"""Repairs on the order's page: beside the part that they concern, and one button for all."""

import re

import pytest
from django.urls import reverse

from accounts.models import Role
from accounts.tests.factories import client_of, make_account, make_member, make_partner
from orders.models import BillingOrder, OrderLine
from orders.tests.factories import make_draft, role


@pytest.fixture
def broken(shop, account, ana):
    """A draft of two containers; in one a system is missing, in the other a price and a system."""
    roles = [role("proxies", 1, "m1.large", system=None), role("odd ones", 3, "m9.unpriced", system=None)]
    return make_draft(shop=shop, account=account, user=ana, roles=roles)


def page_of(client, order):
    return client.get(reverse("order-detail", args=[order.pk])).content.decode()


def repair(client, order, **data):
    return client.post(reverse("order-repair", args=[order.pk]), data, follow=True)


def test_every_problem_stands_beside_its_part_with_a_button_that_repairs_it(broken, ana):
    page = page_of(client_of(ana), broken)

    second = page[page.index('id="items-1-containers-0"') :]
    assert "3 things keep this order from being placed." in page
    assert "Repair all 3" in page
    assert [int(number) for number in re.findall(r'form="repair-(\d+)"', second[: second.index("tree-total")])] == [
        2,
        3,
    ]
    assert ">Take The m1.small instead of The m9.unpriced</button>" in second
    for number in (1, 2, 3):
        assert page.count(f'id="repair-{number}"') == 1


def test_one_click_repairs_one_problem(broken, ana):
    answer = repair(client_of(ana), broken, problem="category_required items[0].containers[0].os")

    assert "2 things are left to settle." in answer.content.decode()
    assert list(OrderLine.objects.filter(category_code="os").values_list("key_name", flat=True)) == ["debian"]


def test_one_click_repairs_everything(broken, ana):
    page = repair(client_of(ana), broken).content.decode()

    assert "Nothing is in the way now." in page
    assert "Place this order" in page
    assert "$403.20" in page


def test_one_click_leaves_a_promotion_code_out_that_counts_for_nothing(draft, ana):
    BillingOrder.objects.update(promotion_code="WINTER")

    before = page_of(client_of(ana), draft)
    answer = repair(client_of(ana), draft, problem="promotion_unknown promotion_code")

    assert ">Leave the promotion code out</button>" in before
    assert "Nothing is in the way now." in answer.content.decode()
    assert BillingOrder.objects.get().promotion_code == ""


def test_a_repair_that_is_not_needed_any_more_says_so(broken, ana):
    repair(client_of(ana), broken)

    answer = repair(client_of(ana), broken, problem="category_required items[0].containers[0].os")

    assert answer.status_code == 409
    assert "There is no such problem with this order any more" in answer.content.decode()


def test_a_viewer_sees_the_problems_and_repairs_nothing(broken, account):
    viewer = client_of(make_member(account, email="vera@north.example", role=Role.VIEWER))
    before = list(OrderLine.objects.values())

    page = page_of(viewer, broken)

    assert "Operating system is missing. Choose one." in page
    assert 'class="repair' not in page
    assert repair(viewer, broken).status_code == 403
    assert list(OrderLine.objects.values()) == before


def test_another_partners_buyer_finds_nothing_to_repair(broken):
    harbor = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    bo = client_of(make_member(harbor, email="bo@harbor.example"), host="harbor.localhost")
    before = list(OrderLine.objects.values())

    assert repair(bo, broken).status_code == 404
    assert list(OrderLine.objects.values()) == before
