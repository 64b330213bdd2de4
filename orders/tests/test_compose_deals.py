"""A contract, a promotion code and a bundle in the composer: what they make of it, and what the draft then holds."""

from decimal import Decimal

import pytest
from django.http import QueryDict
from django.urls import reverse

from accounts.tests.factories import client_of
from catalog.models import ItemRule
from catalog.shelves import shelf_of
from catalog.tests.book_factories import make_promotion
from catalog.tests.factories import make_price
from core.clock import now
from orders.checking import order_check
from orders.compose_address import asked_in
from orders.compose_page import page_of
from orders.composer import compose
from orders.drafts import draft_for
from orders.models import BillingOrder, OrderContainer, OrderLine
from orders.placing import order_place
from orders.tests.compose_shop import make_server_shop
from orders.tests.factories import NOW

WHOLE = "package=server&location=dal05&term=monthly&choice-server=small&choice-os=debian&choice-disk0=sata"


@pytest.fixture
def shop(db):
    return make_server_shop()


@pytest.fixture
def spring(shop):
    return make_promotion("Spring", code="SPRING", is_off_once=False, percent_off=Decimal(50))


@pytest.fixture
def contract(shop):
    """Who commits to the small machine for a year or longer pays 80 a month instead of 100."""
    return make_price(shop.items["small"], monthly="80", hourly="0.15", term_months=12)


@pytest.fixture
def look(shop, account):
    def look(query, draft=None):
        shelf = shelf_of(key_name=shop.package.key_name)
        return compose(asked=asked_in(QueryDict(query)), shelf=shelf, account=account, draft=draft, at=NOW)

    return look


@pytest.fixture
def buyer(shop, ana):
    return client_of(ana)


def post(client, query):
    return client.post(reverse("compose-add"), QueryDict(query).copy())


def errors_of(composed):
    return {name: words for name, words in page_of(composed)["field_errors"].items() if words}


def option_fee(composed, code, key_name):
    return composed.options.category(code).option(key_name).price.fees.recurring_fee


def test_a_promotion_code_makes_the_choices_and_the_sum_cheaper(look, spring):
    plain, composed = look(WHOLE), look(f"{WHOLE}&code=spring")

    assert (str(plain.totals.monthly), str(composed.totals.monthly)) == ("$117.40", "$58.70")
    assert option_fee(composed, "disk0", "ssd") * 2 == option_fee(plain, "disk0", "ssd")
    assert composed.problems == ()
    assert composed.asked.code == "spring"


def test_a_wrong_code_is_named_beside_its_field_with_the_click_that_leaves_it_out(look, spring):
    composed = look(f"{WHOLE}&code=winter")

    words = "There is no promotion “WINTER” now. Check the code, or leave it out."
    assert [(each.code, each.field) for each in composed.problems] == [("promotion_unknown", "code")]
    assert errors_of(composed) == {"code": words}
    click = page_of(composed)["field_repairs"]["code"]
    assert click.words == "Leave the code out"
    assert look(click.url.partition("?")[2]).problems == ()
    assert str(composed.totals.monthly) == "$117.40"


def test_a_code_that_is_too_long_cannot_be_kept(look):
    composed = look(f"{WHOLE}&code={'x' * 41}")

    assert composed.composition is None
    assert [each.field for each in composed.refusals] == ["code"]
    assert list(errors_of(composed)) == ["code"]


def test_a_new_draft_takes_the_code_and_the_prices_that_were_shown(look, spring, buyer, account):
    post(buyer, f"{WHOLE}&name=web&code=spring")

    order = BillingOrder.objects.get()
    check = order_check(order_id=order.pk, account_id=account.pk, now=NOW)
    assert order.promotion_code == "SPRING"
    assert (check.violations, check.price_changes) == ((), ())
    assert str(check.totals.monthly) == "$58.70"


def test_what_joins_a_draft_is_shown_at_the_code_of_the_draft(look, spring, buyer, account):
    post(buyer, f"{WHOLE}&name=web&code=spring")
    order = BillingOrder.objects.get()

    composed = look(WHOLE, draft=draft_for(order_id=order.pk, account_id=account.pk))
    page = buyer.get(f"{reverse('compose')}?{WHOLE}&order={order.pk}").content.decode()

    assert str(composed.totals.monthly) == "$58.70"
    assert "code" not in composed.form.fields
    assert 'SPRING <span class="unit">in this order</span>' in page


def test_a_contract_of_its_length_or_longer_takes_its_price(look, contract):
    monthly = {months: str(look(f"{WHOLE}&contract={months}").totals.monthly) for months in ("", "11", "12", "36")}

    assert monthly == {"": "$117.40", "11": "$117.40", "12": "$97.40", "36": "$97.40"}
    assert option_fee(look(f"{WHOLE}&contract=12"), "server", "small") == 80


@pytest.mark.parametrize("typed", ["0", "121", "soon", "1.5"])
def test_a_contract_of_no_length_is_refused_beside_its_field_and_kept_there(look, contract, typed):
    composed = look(f"{WHOLE}&contract={typed}")

    assert composed.composition is None
    assert [each.field for each in composed.refusals] == ["contract"]
    assert list(errors_of(composed)) == ["contract"]
    assert composed.form["contract"].value() == typed


def test_nobody_is_asked_for_a_contract_where_none_changes_a_price(look, shop):
    assert "contract" not in look(WHOLE).form.fields
    assert "contract" in look(f"{WHOLE}&contract=12").form.fields


def test_a_container_keeps_its_contract_when_it_is_changed_copied_removed_and_put_back(contract, buyer):
    post(buyer, f"{WHOLE}&name=web&contract=24")
    order, container = BillingOrder.objects.get(), OrderContainer.objects.get()
    page = buyer.get(f"{reverse('compose')}?order={order.pk}&container={container.pk}").content.decode()

    buyer.post(reverse("container-copy", args=[order.pk, container.pk]))
    buyer.post(reverse("container-remove", args=[order.pk, container.pk]))
    buyer.post(reverse("container-restore", args=[order.pk]))

    assert 'name="contract" value="24"' in page
    assert list(OrderContainer.objects.values_list("contract_months", flat=True)) == [24, 24]
    assert "a contract of 24 months" in buyer.get(reverse("order-detail", args=[order.pk])).content.decode()


@pytest.fixture
def bundle(shop):
    """The monitor brings the backup and a second disk along."""
    for key_name in ("backup", "ssd"):
        ItemRule.objects.create(item=shop.items["monitor"], kind="includes", other=shop.items[key_name])


def test_the_parts_of_a_bundle_stand_under_it_in_the_summary(look, bundle, buyer):
    query = f"{WHOLE}&name=web&choice-addon=monitor"

    (found,) = look(query).bundles
    page = buyer.get(f"{reverse('compose')}?{query}").content.decode()

    assert (found.description, found.included) == ("monitor", ("backup", "ssd"))
    assert look(WHOLE).bundles == ()
    assert "monitor includes</p>" in page
    assert "<li>backup</li><li>ssd</li></ul>" in page


def test_an_order_names_the_parts_of_a_bundle_as_they_were_when_it_was_placed(bundle, buyer, account, ana):
    post(buyer, f"{WHOLE}&name=web&choice-addon=monitor")
    order = BillingOrder.objects.get()
    order_place(order_id=order.pk, account_id=account.pk, user=ana, now=now(), shown_monthly=None)

    ItemRule.objects.filter(kind="includes").delete()

    page = buyer.get(reverse("order-detail", args=[order.pk])).content.decode()
    assert OrderLine.objects.get(key_name="monitor").included == ["Includes backup.", "Includes ssd."]
    assert OrderLine.objects.get(key_name="debian").included == []
    assert '<span class="muted tree-note d-block">Includes backup.</span>' in page
