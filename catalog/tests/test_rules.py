"""What makes a container orderable, told all at once."""

from datetime import UTC, datetime

import pytest

from accounts.models import Account
from accounts.tests.factories import make_account
from catalog.models import ItemRule, Package
from catalog.pricing import Term
from catalog.services import ContainerQuestion, containers_check
from catalog.tests.factories import make_item, make_location, make_package, make_price

NOW = datetime(2026, 3, 1, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Package:
    """Return a package with a machine type at 0.08 an hour and a free system; both are required, a disk is not."""
    machine, system = make_item("m1.small"), make_item("ubuntu", category_code="os")
    disk = make_item("disk", category_code="disk0")
    make_price(machine, hourly="0.08")
    make_price(system, hourly="0")
    make_price(disk, hourly="0.01", monthly="5")
    return make_package(items=[machine, system, disk], required=["machine_type", "os"], optional=["disk0"])


def check(package, choices, *, term=Term.HOURLY, location=None):
    items = {item.key_name: item for item in package.items.all()}
    question = ContainerQuestion(
        package=package,
        location=location or make_location(),
        term=term,
        choices=[(code, items[item] if isinstance(item, str) else item) for code, item in choices],
    )
    return containers_check(account=Account.objects.first() or make_account(), questions=[question], at=NOW)[0]


def broken(answer):
    return [(violation.code, violation.field) for violation in answer.violations]


SMALL = [("machine_type", "m1.small"), ("os", "ubuntu")]


def test_a_complete_container_breaks_no_rule_and_is_priced(server):
    answer = check(server, SMALL)

    assert answer.violations == ()
    assert [(line.category_code, line.price.monthly.text) for line in answer.lines] == [
        ("machine_type", "57.60"),
        ("os", "0.00"),
    ]


def test_each_missing_required_category_is_named_with_its_words(server):
    server.configuration.filter(category__category_code="os").update(error_words="Choose a system; Linux is free.")

    answer = check(server, [])

    assert broken(answer) == [("category_required", "machine_type"), ("category_required", "os")]
    assert [violation.words for violation in answer.violations] == [
        "Machine type is missing. Choose one.",
        "Choose a system; Linux is free.",
    ]


def test_two_prices_where_one_is_allowed_are_too_many(server):
    answer = check(server, [*SMALL, ("os", "ubuntu")])

    assert broken(answer) == [("quantity_limit", "os")]
    assert answer.violations[0].words == "Os: 2 chosen, 1 allowed. Remove 1."


def test_an_item_of_another_package_is_refused(server):
    stranger = make_item("m9.huge")
    make_price(stranger, hourly="9")

    answer = check(server, [("machine_type", stranger), ("os", "ubuntu")])

    assert broken(answer) == [("item_not_in_package", "machine_type")]


def test_an_item_cannot_fill_a_category_that_is_not_its_own(server):
    answer = check(server, [("machine_type", "ubuntu"), ("os", "ubuntu")])

    assert broken(answer) == [("item_not_in_category", "machine_type")]


def test_a_category_that_the_package_does_not_ask_for_is_refused(server):
    gpu = make_item("gpu", category_code="gpu0")
    make_price(gpu, hourly="1")
    server.items.add(gpu)

    answer = check(server, [*SMALL, ("gpu0", gpu)])

    assert broken(answer) == [("category_unknown", "gpu0")]


def test_a_package_is_not_sold_everywhere(server):
    answer = check(server, SMALL, location=make_location("eu-west-1"))

    assert broken(answer) == [("location_not_sold", "location")]


def test_a_retired_package_is_not_sold(server):
    server.is_active = False

    answer = check(server, SMALL)

    assert broken(answer) == [("package_not_sold", "package")]


def test_an_item_without_a_price_on_the_term_cannot_be_ordered(server):
    answer = check(server, [*SMALL, ("disk0", "disk")], term=Term.MONTHLY)

    assert broken(answer) == [("unpriced", "machine_type"), ("unpriced", "os")]
    assert [line.price.is_unpriced for line in answer.lines] == [True, True, False]


def test_an_unknown_term_is_told_once_and_prices_nothing(server):
    answer = check(server, SMALL, term="weekly")

    assert broken(answer) == [("term_unknown", "term")]
    assert [line.price.monthly for line in answer.lines] == [None, None]


def test_an_item_may_require_another_one(server):
    machine, disk = server.items.get(key_name="m1.small"), server.items.get(key_name="disk")
    ItemRule.objects.create(item=machine, kind=ItemRule.Kind.REQUIRES, other=disk)

    assert broken(check(server, SMALL)) == [("requires", "machine_type")]
    assert broken(check(server, [*SMALL, ("disk0", disk)])) == []


def test_two_items_may_not_stand_beside_each_other(server):
    ItemRule.objects.create(
        item=server.items.get(key_name="ubuntu"),
        kind=ItemRule.Kind.CONFLICTS,
        other=server.items.get(key_name="disk"),
    )

    assert broken(check(server, [*SMALL, ("disk0", "disk")])) == [("conflicts", "os")]
    assert broken(check(server, SMALL)) == []


def test_all_broken_rules_are_told_at_once(server):
    answer = check(
        server, [("disk0", "disk"), ("disk0", "disk"), ("tape", "disk")], location=make_location("mars"), term="weekly"
    )

    assert broken(answer) == [
        ("location_not_sold", "location"),
        ("term_unknown", "term"),
        ("category_required", "machine_type"),
        ("category_required", "os"),
        ("quantity_limit", "disk0"),
        ("category_unknown", "tape"),
        ("item_not_in_category", "tape"),
    ]
    assert all("." in violation.words for violation in answer.violations)


def test_many_containers_take_no_more_queries_than_one(server, django_assert_max_num_queries):
    choices = [(item.categories.get().category_code, item) for item in server.items.all()]
    question = ContainerQuestion(server, make_location(), Term.HOURLY, choices)
    account = make_account()

    with django_assert_max_num_queries(8):
        answers = containers_check(account=account, questions=[question] * 50, at=NOW)

    assert [len(answer.lines) for answer in answers] == [3] * 50
