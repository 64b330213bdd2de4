"""Verifying what somebody names before anything of it is stored."""

from dataclasses import replace
from decimal import Decimal

import pytest

from accounts.tests.factories import make_account, make_partner
from catalog.models import Location
from catalog.pricing import HOURS_PER_MONTH, Term
from core.errors import InputRefused
from orders.asked import ContainerAsked, DraftAsked, ItemAsked, PartAsked
from orders.checking import order_check
from orders.drafting import draft_asked, draft_check, draft_problems
from orders.models import BillingOrder, OrderLine
from orders.selectors import order_sums, order_tree
from orders.tests.factories import NOW, PACKAGE

SMALL = (PartAsked("machine_type", "m1.small"), PartAsked("os", "debian"))
LARGE = (PartAsked("machine_type", "m1.large"), PartAsked("os", "debian"))


def container(number, parts=SMALL, **changes):
    return ContainerAsked(f"items[0].containers[{number}]", PACKAGE, changes.pop("quantity", 1), parts, **changes)


def order(*containers, **changes):
    items = (ItemAsked("items[0]", "cloud", containers),)
    return replace(DraftAsked("Backups", HOURS_PER_MONTH, items, "us-east-1", Term.HOURLY), **changes)


def found(problems):
    return [(problem.code, problem.field) for problem in problems]


def test_a_check_prices_every_container_and_stores_nothing(shop, account):
    check = draft_check(account=account, asked=order(container(0, LARGE, quantity=2), container(1)), now=NOW)

    assert (check.problems, check.violations) == ((), ())
    assert [str(node.totals.monthly) for node in check.tree.containers] == ["$460.80", "$57.60"]
    assert (str(check.tree.totals.monthly), str(check.tree.totals.once)) == ("$518.40", "$10.00")
    assert check.tree.hourly.known.amount == Decimal("0.72")
    assert not BillingOrder.objects.exists()
    assert not OrderLine.objects.exists()


def test_a_check_comes_to_what_the_draft_comes_to(shop, account, ana):
    asked = order(container(0, LARGE, quantity=7), container(1, quantity=3), hours_per_month=Decimal("333.33"))

    check = draft_check(account=account, asked=asked, now=NOW)
    draft = draft_asked(account=account, user=ana, asked=asked, now=NOW)

    stored = order_tree(order_id=draft.pk, account_id=account.pk)
    assert check.tree.totals == stored.totals == order_sums([draft])[draft.pk].totals
    assert check.tree.hourly == stored.hourly == order_sums([draft])[draft.pk].hourly
    assert order_check(order_id=draft.pk, account_id=account.pk, now=NOW).hourly == stored.hourly


def test_rules_look_at_what_can_be_read_while_problems_name_the_rest(shop, account):
    containers = (
        container(0, SMALL[:1]),
        container(1, (PartAsked("machine_type", "m1.tiny"),)),
        container(2, SMALL[:1], is_readable=False),
    )

    check = draft_check(account=account, asked=order(*containers, name=None, hours_per_month=None), now=NOW)

    assert found(check.problems) == [("item_unknown", "items[0].containers[1].machine_type")]
    assert found(check.violations) == [("category_required", "items[0].containers[0].os")]


def test_host_names_given_twice_are_named_across_containers(shop, account):
    asked = order(container(0, host_names="web-{n}", quantity=2), container(1, host_names="web-2"))

    assert found(draft_check(account=account, asked=asked, now=NOW).violations) == [
        ("host_name_repeated", "items[0].containers[1].host_names")
    ]


def test_everything_is_refused_at_once_and_nothing_stored(shop, account, ana):
    asked = order(
        container(0, quantity=0, location_key_name="moon", host_names="_"),
        container(1, (PartAsked("gpu", "k80", 0), PartAsked("os", 10**9))),
        name=" ",
        location_key_name="mars",
    )
    expected = [
        ("name_length", "name"),
        ("location_unknown", "location"),
        ("location_unknown", "items[0].containers[0].location"),
        ("quantity_out_of_range", "items[0].containers[0].quantity"),
        ("host_name_invalid", "items[0].containers[0].host_names"),
        ("category_unknown", "items[0].containers[1].gpu"),
        ("count_out_of_range", "items[0].containers[1].gpu"),
        ("item_unknown", "items[0].containers[1].os"),
    ]

    with pytest.raises(InputRefused) as refusal:
        draft_asked(account=account, user=ana, asked=asked, now=NOW)

    assert found(refusal.value.violations) == found(draft_problems(asked)) == expected
    assert found(draft_check(account=account, asked=asked, now=NOW).problems) == expected
    assert not BillingOrder.objects.exists()


def test_a_draft_has_its_containers_where_and_how_they_were_asked_for(shop, account, ana):
    shop.package.locations.add(Location.objects.create(key_name="dal05", name="Dallas", source="tests"))
    own = container(1, location_key_name="dal05", term=Term.MONTHLY, host_names="DB-{n}", quantity=2)

    draft = draft_asked(account=account, user=ana, asked=order(container(0), own), now=NOW)

    nodes = list(order_tree(order_id=draft.pk, account_id=account.pk).containers)
    assert [(node.container.location.key_name, node.container.term, node.container.host_names) for node in nodes] == [
        ("us-east-1", "hourly", ""),
        ("dal05", "monthly", "db-{n}"),
    ]


def test_sums_of_orders_take_one_query_whatever_their_number(shop, account, ana, django_assert_num_queries):
    drafts = [draft_asked(account=account, user=ana, asked=order(container(0)), now=NOW) for _ in range(3)]
    empty = draft_asked(account=account, user=ana, asked=order(items=()), now=NOW)

    with django_assert_num_queries(1):
        sums = order_sums([*drafts, empty])

    assert [str(sums[each.pk].totals.monthly) for each in (*drafts, empty)] == ["$57.60", "$57.60", "$57.60", "$0.00"]


def test_prices_are_those_of_the_account_that_asks(shop):
    account = make_account(partner=make_partner("Harbor"), name="Bluewater Bank")
    account.currency = "EUR"

    check = draft_check(account=account, asked=order(container(0)), now=NOW)

    assert str(check.tree.totals.monthly) == "≥ €0.00, 2 parts unpriced"
    assert {code for code, _ in found(check.violations)} == {"unpriced"}
