"""Price book, promotion and contract from the draft to the placed order: frozen, counted, and told."""

from decimal import Decimal

import pytest

from accounts.tests.factories import client_of
from catalog.models import Promotion, PromotionUse
from catalog.tests.book_factories import make_book, make_promotion, make_rule
from catalog.tests.factories import make_price
from core.errors import RuleBroken
from orders.changing import order_change, order_refresh_prices
from orders.checking import order_check
from orders.models import BillingOrder, OrderContainer, OrderLine
from orders.placing import order_place
from orders.quoting import quote_accept, quote_issue, quote_withdraw
from orders.selectors import order_tree
from orders.tests.factories import NOW, make_draft, make_shop

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop():
    return make_shop()


@pytest.fixture
def draft(shop, account, ana):
    return make_draft(shop=shop, account=account, user=ana)


def refreshed(draft):
    order_refresh_prices(order_id=draft.pk, account_id=draft.account_id, now=NOW)
    return order_tree(order_id=draft.pk, account_id=draft.account_id)


def place(draft, ana):
    return order_place(order_id=draft.pk, account_id=draft.account_id, user=ana, now=NOW, shown_monthly=None)


def with_code(draft, code):
    containers = OrderContainer.objects.filter(order_item__order=draft)
    order_change(
        order_id=draft.pk,
        account_id=draft.account_id,
        name=draft.name,
        quantities={container.pk: container.quantity for container in containers},
        promotion_code=code,
        now=NOW,
    )


def priced_lines():
    return OrderLine.objects.exclude(monthly_amount=0).exclude(monthly_amount=None)


def test_an_order_is_priced_by_its_partners_book_and_keeps_why(draft):
    before = refreshed(draft).totals.monthly.known.amount
    make_rule(make_book(draft.account.partner, name="Ours"), "+50")

    after = refreshed(draft)

    assert after.totals.monthly.known.amount == before * Decimal("1.5")
    for line in priced_lines():
        assert "price_book" in [step["rule"] for step in line.price_steps]


def test_a_promotion_that_ends_is_counted_for_its_months_only_and_frozen_with_the_fee_after_it(draft, ana):
    regular = refreshed(draft).totals.monthly.known.amount
    promotion = make_promotion("Spring", code="SPRING", is_off_once=False, percent_off=Decimal(50), lasts_months=3)
    with_code(draft, " spring ")

    order = place(draft, ana)

    tree = order_tree(order_id=order.pk, account_id=order.account_id)
    assert order.promotion_code == "SPRING"
    assert tree.totals.monthly.known.amount == regular / 2
    once = tree.totals.once.known.amount
    assert tree.totals.over_one_month.known.amount == once + regular / 2
    assert tree.totals.over_one_year.known.amount == once + regular / 2 * 3 + regular * 9
    for line in priced_lines():
        assert (line.promotion_id, line.promotion_months) == (promotion.pk, 3)
        assert line.regular_fee == line.hourly_recurring_fee * 2
        assert line.regular_monthly_amount == line.monthly_amount * 2
    assert PromotionUse.objects.get().subject == order.subject
    assert Promotion.objects.get().used == 1


def test_a_placed_order_keeps_its_price_when_book_and_promotion_end(draft, ana):
    book = make_book(draft.account.partner)
    make_rule(book, "+50")
    make_promotion()
    refreshed(draft)
    order = place(draft, ana)
    frozen = list(OrderLine.objects.order_by("pk").values())

    book.rules.update(valid_to=NOW)
    Promotion.objects.update(valid_to=NOW)

    assert list(OrderLine.objects.order_by("pk").values()) == frozen
    assert order_tree(order_id=order.pk, account_id=order.account_id).totals.is_exact


def test_an_unknown_code_keeps_the_order_from_being_placed_and_says_so(draft, ana):
    with_code(draft, "WINTER")

    violations = order_check(order_id=draft.pk, account_id=draft.account_id, now=NOW).violations

    assert [(each.code, each.field) for each in violations] == [("promotion_unknown", "promotion_code")]
    with pytest.raises(RuleBroken, match="There is no promotion “WINTER” now"):
        place(draft, ana)
    assert BillingOrder.objects.get().state == "draft"


def test_the_last_use_is_given_to_one_order_and_the_next_is_told(shop, account, ana):
    first, second = (make_draft(shop=shop, account=account, user=ana) for _ in range(2))
    make_promotion(code="SPRING", use_limit=1)
    with_code(first, "SPRING")
    with_code(second, "SPRING")

    place(first, ana)

    with pytest.raises(RuleBroken, match="The promotion “SPRING” is used up"):
        place(second, ana)
    assert (Promotion.objects.get().used, PromotionUse.objects.count()) == (1, 1)


def test_a_quote_holds_the_last_use_of_a_promotion_until_it_is_withdrawn(shop, account, ana):
    promotion = make_promotion(code="SPRING", use_limit=1)
    quoted, other = (make_draft(shop=shop, account=account, user=ana) for _ in range(2))
    with_code(quoted, "SPRING")
    with_code(other, "SPRING")
    quote = quote_issue(order_id=quoted.pk, account_id=account.pk, user=ana, now=NOW)

    with pytest.raises(RuleBroken):
        place(other, ana)
    promotion.refresh_from_db()
    used_while_quoted = promotion.used
    quote_withdraw(quote_id=quote.pk, account_id=account.pk, user=ana, now=NOW)
    place(other, ana)

    promotion.refresh_from_db()
    assert (used_while_quoted, promotion.used) == (1, 1)
    assert PromotionUse.objects.get().subject == other.subject


def test_accepting_a_quote_counts_its_promotion_no_second_time(draft, account, ana):
    promotion = make_promotion(code="SPRING", use_limit=1)
    with_code(draft, "SPRING")
    quote = quote_issue(order_id=draft.pk, account_id=account.pk, user=ana, now=NOW)

    order = quote_accept(quote_id=quote.pk, account_id=account.pk, user=ana, now=NOW)

    promotion.refresh_from_db()
    assert (order.number, promotion.used) == (1, 1)


def test_a_contract_of_the_container_takes_its_price(draft, shop):
    item = shop.items["m1.small"]
    make_price(item, hourly="0.01", term_months=12)
    before = refreshed(draft)
    OrderContainer.objects.update(contract_months=24)

    after = refreshed(draft)

    line = OrderLine.objects.filter(item=item).get()
    assert line.hourly_recurring_fee == Decimal("0.01")
    assert "contract" in [step["rule"] for step in line.price_steps]
    assert after.totals.monthly.known.amount < before.totals.monthly.known.amount


def test_the_page_of_a_draft_takes_a_code_and_tells_why_each_line_costs_what_it_does(draft, ana):
    make_promotion("Spring", code="SPRING", is_off_once=False, lasts_months=3)
    client = client_of(ana)
    quantities = {f"quantity-{container.pk}": container.quantity for container in OrderContainer.objects.all()}

    client.post(
        f"/orders/{draft.pk}/update/",
        {"name": draft.name, "promotion_code": "spring", **quantities},
    )

    page = client.get(f"/orders/{draft.pk}/").content.decode()
    assert 'value="SPRING"' in page
    assert "Why this price" in page
    assert "Promotion “Spring”, 20 % off each month on everything" in page
    assert "a month after 3 months" in page
