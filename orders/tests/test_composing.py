"""Putting composed containers into drafts."""

from dataclasses import replace
from decimal import Decimal

import pytest

from accounts.tests.factories import make_account, make_partner
from catalog.pricing import Term
from core.errors import InputRefused, RuleBroken
from core.models import AuditEntry
from orders.changing import container_remove
from orders.checking import order_check
from orders.composing import (
    Choice,
    Composition,
    Spot,
    container_change,
    container_copy,
    containers_add,
    order_compose,
)
from orders.models import BillingOrder, OrderContainer, OrderLine
from orders.placing import order_place
from orders.removing import composition_of, removal_of
from orders.selectors import order_tree
from orders.tests.factories import NOW, replace_price


def composed(shop, machine="m1.small", *, name="web servers", quantity=2, hosts="", system="debian"):
    choices = [Choice("machine_type", "Machine type", shop.items[machine])]
    choices += [Choice("os", "Operating system", shop.items[system])] if system else []
    return Composition(name, shop.package, shop.location, Term.HOURLY, quantity, hosts, tuple(choices))


def compose(account, user, *compositions, name="Shop", hours="720"):
    return order_compose(
        account=account, user=user, name=name, hours_per_month=Decimal(hours), compositions=compositions, now=NOW
    )


def add(order, *compositions, spot=None):
    return containers_add(order_id=order.pk, account_id=order.account_id, compositions=compositions, now=NOW, spot=spot)


def tree_of(order):
    return order_tree(order_id=order.pk, account_id=order.account_id)


def contents(order):
    return [
        (item.item.name, [node.container.quantity for node in item.containers], str(item.totals.monthly))
        for item in tree_of(order).items
    ]


def container(order, number=0):
    return list(tree_of(order).containers)[number].container


def test_a_composed_container_begins_a_draft_priced_as_of_now(shop, account, ana):
    order = compose(account, ana, composed(shop, "m1.large", quantity=3), hours="100")

    assert contents(order) == [("web servers", [3], "$96.00")]
    assert str(tree_of(order).totals.once) == "$15.00"
    assert order_check(order_id=order.pk, account_id=account.pk, now=NOW).is_valid
    assert [entry.to_state for entry in AuditEntry.objects.filter(subject=order.subject)] == ["draft"]


def test_containers_of_one_name_stand_in_one_item_and_others_in_their_own(shop, account, ana):
    order = compose(account, ana, composed(shop))

    add(order, composed(shop, "m1.large", name="Web Servers", quantity=1), composed(shop, name="cache", quantity=4))

    assert contents(order) == [("web servers", [2, 1], "$345.60"), ("cache", [4], "$230.40")]


def test_adding_leaves_the_amounts_of_the_other_lines_as_they_were_shown(shop, account, ana):
    order = compose(account, ana, composed(shop))
    replace_price(shop.items["m1.small"], hourly="0.10", at=NOW)

    add(order, composed(shop, name="cache", quantity=1))

    assert contents(order) == [("web servers", [2], "$115.20"), ("cache", [1], "$72.00")]
    changes = order_check(order_id=order.pk, account_id=account.pk, now=NOW).price_changes
    assert [change.field for change in changes] == ["items[0].containers[0].machine_type"]


def test_a_choice_that_breaks_rules_is_kept_and_named(shop, account, ana):
    order = compose(account, ana, composed(shop, system=None))

    check = order_check(order_id=order.pk, account_id=account.pk, now=NOW)

    assert [(violation.code, violation.field) for violation in check.violations] == [
        ("category_required", "items[0].containers[0].os")
    ]
    with pytest.raises(RuleBroken) as refusal:
        order_place(order_id=order.pk, account_id=account.pk, user=ana, now=NOW, shown_monthly=None)
    assert refusal.value.code == "order_invalid"


def test_what_cannot_be_stored_is_refused_all_at_once_and_nothing_is_made(shop, account, ana):
    wrong = composed(shop, name=" ", quantity=0, hosts="-x")

    with pytest.raises(InputRefused) as refusal:
        compose(account, ana, wrong, name="", hours="800")

    assert [violation.code for violation in refusal.value.violations] == [
        "name_length",
        "hours_out_of_range",
        "name_length",
        "quantity_out_of_range",
        "host_name_invalid",
    ]
    assert BillingOrder.objects.count() == 0


def test_a_changed_container_is_what_is_composed_now(shop, account, ana):
    order = compose(account, ana, composed(shop))
    before = container(order)
    replace_price(shop.items["m1.large"], hourly="0.30", at=NOW)

    container_change(
        order_id=order.pk,
        container_id=before.pk,
        account_id=account.pk,
        composition=composed(shop, "m1.large", name="app servers", quantity=1, hosts="APP-{n}"),
        now=NOW,
    )

    assert contents(order) == [("app servers", [1], "$216.00")]
    assert container(order).pk == before.pk
    assert container(order).host_names == "app-{n}"
    assert OrderLine.objects.count() == 2


def test_a_container_renamed_to_another_item_moves_there_and_leaves_no_empty_item(shop, account, ana):
    order = compose(account, ana, composed(shop), composed(shop, name="cache", quantity=1))
    cache = container(order, 1)

    container_change(
        order_id=order.pk,
        container_id=cache.pk,
        account_id=account.pk,
        composition=composed(shop, name="web servers", quantity=1),
        now=NOW,
    )

    assert contents(order) == [("web servers", [2, 1], "$172.80")]


def test_one_of_two_containers_renamed_gets_an_item_of_its_own(shop, account, ana):
    order = compose(account, ana, composed(shop), composed(shop, quantity=1))

    container_change(
        order_id=order.pk,
        container_id=container(order, 1).pk,
        account_id=account.pk,
        composition=composed(shop, name="cache", quantity=1),
        now=NOW,
    )

    assert contents(order) == [("web servers", [2], "$115.20"), ("cache", [1], "$57.60")]


def test_a_copy_stands_beside_the_original_without_its_host_names(shop, account, ana):
    order = compose(account, ana, composed(shop, hosts="web-{n}"))

    container_copy(order_id=order.pk, container_id=container(order).pk, account_id=account.pk, now=NOW)

    assert contents(order) == [("web servers", [2, 2], "$230.40")]
    assert [node.container.host_names for node in tree_of(order).containers] == ["web-{n}", ""]
    assert order_check(order_id=order.pk, account_id=account.pk, now=NOW).is_valid


@pytest.mark.parametrize("number", [0, 1, 2])
def test_what_was_removed_comes_back_where_it_stood(shop, account, ana, number):
    order = compose(
        account,
        ana,
        composed(shop, hosts="web-{n}"),
        composed(shop, "m1.large", quantity=1),
        composed(shop, name="cache", quantity=4),
    )
    before = contents(order)
    pk = container(order, number).pk
    removal = removal_of(order_id=order.pk, container_id=pk, account_id=account.pk)
    container_remove(order_id=order.pk, container_id=pk, account_id=account.pk, now=NOW)
    assert contents(order) != before

    add(order, composition_of(removal), spot=Spot(removal.item_sequence, removal.sequence))

    assert contents(order) == before
    assert container(order).host_names == "web-{n}"


def test_host_names_given_twice_or_in_the_wrong_number_keep_an_order_from_being_placed(shop, account, ana):
    order = compose(
        account,
        ana,
        composed(shop, hosts="web-1 web-1"),
        composed(shop, quantity=1, hosts="WEB-1"),
        composed(shop, name="cache", quantity=3, hosts="cache-1"),
    )

    check = order_check(order_id=order.pk, account_id=account.pk, now=NOW)

    assert [(violation.code, violation.field) for violation in check.violations] == [
        ("host_name_repeated", "items[0].containers[0].host_names"),
        ("host_name_repeated", "items[0].containers[1].host_names"),
        ("host_names_count", "items[1].containers[0].host_names"),
    ]


def test_a_draft_in_another_currency_takes_todays_prices_before_more_is_added(shop, account, ana):
    order = compose(account, ana, composed(shop))
    account.currency = "EUR"
    account.save()

    with pytest.raises(RuleBroken) as refusal:
        add(order, composed(shop))

    assert refusal.value.code == "currency_changed"
    assert OrderContainer.objects.count() == 1


def ways_to_compose(order, shop):
    who = {"order_id": order.pk, "now": NOW}
    pk = container(order).pk
    return [
        lambda account_id: containers_add(**who, account_id=account_id, compositions=[composed(shop)]),
        lambda account_id: container_change(
            **who, account_id=account_id, container_id=pk, composition=composed(shop, quantity=9)
        ),
        lambda account_id: container_copy(**who, account_id=account_id, container_id=pk),
    ]


@pytest.mark.parametrize("way", range(3))
def test_a_placed_order_takes_nothing_more(shop, account, ana, way):
    order = compose(account, ana, composed(shop))
    act = ways_to_compose(order, shop)[way]
    order_place(order_id=order.pk, account_id=account.pk, user=ana, now=NOW, shown_monthly=None)

    with pytest.raises(RuleBroken) as refusal:
        act(account.pk)

    assert refusal.value.code == "order_already_placed"
    assert contents(order) == [("web servers", [2], "$115.20")]


@pytest.mark.parametrize("way", range(3))
def test_another_account_finds_no_draft_to_add_to(shop, account, ana, way):
    order = compose(account, ana, composed(shop))
    stranger = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")

    with pytest.raises(BillingOrder.DoesNotExist):
        ways_to_compose(order, shop)[way](stranger.pk)

    assert contents(order) == [("web servers", [2], "$115.20")]


def test_a_container_of_another_order_is_neither_changed_nor_copied(shop, account, ana):
    order, other = compose(account, ana, composed(shop)), compose(account, ana, composed(shop))
    foreign = container(other).pk

    for act in (
        lambda: container_copy(order_id=order.pk, container_id=foreign, account_id=account.pk, now=NOW),
        lambda: container_change(
            order_id=order.pk,
            container_id=foreign,
            account_id=account.pk,
            composition=replace(composed(shop), quantity=7),
            now=NOW,
        ),
    ):
        with pytest.raises(OrderContainer.DoesNotExist):
            act()

    assert contents(other) == [("web servers", [2], "$115.20")]
