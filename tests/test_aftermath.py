"""Whatever a test is about, it fails where it leaves rows that contradict each other, unless it says that it does."""

from types import SimpleNamespace

import pytest

from accounts.tests.factories import make_account, make_member
from orders.models import BillingOrder, OrderLine
from orders.tests.factories import make_draft, make_shop
from tests.aftermath import complaint_about
from tests.plugin import pytest_runtest_call

MISCALCULATED = "line amount = fee × pieces"


@pytest.fixture
def draft(db: None) -> BillingOrder:
    account = make_account()
    return make_draft(shop=make_shop(), account=account, user=make_member(account))


def plant() -> None:
    line = OrderLine.objects.filter(monthly_amount__gt=0).order_by("pk")[0]
    OrderLine.objects.filter(pk=line.pk).update(monthly_amount=1)


def ended(*, marks=(), fixtures=("_django_db_helper",), outcome=None):
    """Take the plugin through the end of a test that passed with this outcome; return what it hands on."""
    item = SimpleNamespace(
        fixturenames=fixtures,
        get_closest_marker=lambda name: None,
        iter_markers=lambda name: [SimpleNamespace(args=tuple(marks))],
    )
    steps = pytest_runtest_call(item)
    next(steps)
    with pytest.raises(StopIteration) as stopped:
        steps.send(outcome)
    return stopped.value.value


def test_rows_that_agree_pass(draft):
    assert complaint_about(excused=()) == ""
    assert ended(outcome="passed") == "passed"


@pytest.mark.breaks_invariants(MISCALCULATED)
def test_a_planted_contradiction_fails_the_test_that_leaves_it(draft):
    plant()

    with pytest.raises(pytest.fail.Exception, match=r"line amount = fee × pieces: line:\d+: Says 1\.00"):
        ended()


@pytest.mark.breaks_invariants(MISCALCULATED)
def test_a_test_that_names_what_it_breaks_passes_and_one_that_names_another_does_not(draft):
    plant()

    assert ended(marks=[MISCALCULATED], outcome="passed") == "passed"
    with pytest.raises(pytest.fail.Exception):
        ended(marks=["numbers have no gaps"])


@pytest.mark.breaks_invariants(MISCALCULATED)
def test_what_is_long_names_the_first_ten_and_counts_the_others(draft):
    line = OrderLine.objects.filter(monthly_amount__gt=0).order_by("pk")[0]
    OrderLine.objects.bulk_create(
        OrderLine(container=line.container, item=line.item, category_code="os", monthly_amount=1, once_amount=1)
        for _ in range(12)
    )

    lines = complaint_about(excused=()).splitlines()

    assert (len(lines), lines[-1]) == (12, "and 14 more")


def test_an_excuse_that_is_no_invariant_is_an_error(draft):
    with pytest.raises(ValueError, match="names no invariant"):
        complaint_about(excused=["numbers have no gap"])


def test_a_test_without_rows_is_not_looked_at(db):
    assert complaint_about(excused=()) == ""
