"""What a quote binds its buyer to: contract, the fee after a promotion and rates of use, wherever it is read."""

import csv
from copy import deepcopy
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of
from catalog.tests.book_factories import make_promotion
from core.clock import now
from core.errors import RuleBroken
from core.money import Money
from orders.bill_of_materials import alike, bill_as_csv, bill_as_json
from orders.changing import order_refresh_prices
from orders.checking import order_check
from orders.comparing import Row, compared
from orders.configurations import configuration_of
from orders.invariants import quotes_departed_from
from orders.models import BillingOrder, OrderContainer, OrderLine, Quote
from orders.order_drawing import nodes_of
from orders.placing import order_place
from orders.promise_words import use_words
from orders.quote_document import document_of, lines_of
from orders.quote_page import quote_page
from orders.quoting import quote_changes, quote_issue, quote_reissue, quote_share, quote_withdraw
from orders.selectors import order_tree
from orders.sharing import configuration_share
from orders.tests.factories import NOW, make_draft, make_item, replace_price, role

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(days=3)
USE = "250 GB a month included in each, beyond it 0.10 USD for each unit used"


@pytest.fixture
def traffic(shop):
    """Traffic at 0.10 for each GB beyond 250 a month."""
    item = make_item(shop.package, shop.items["debian"].categories.get(), "traffic", hourly="0")
    item.prices.update(usage_rate=Decimal("0.10"))
    item.capacity, item.units = Decimal(250), "GB"
    item.save()
    return item


@pytest.fixture
def bound(shop, traffic, account, ana):
    """A draft of 2 servers with traffic, bound for 12 months: 57.60 a month for 3 months, then 115.20."""
    make_promotion("Spring", is_off_once=False, percent_off=Decimal(50), lasts_months=3)
    draft = make_draft(shop=shop, account=account, user=ana, roles=[role("servers", 2, "m1.small", "traffic")])
    OrderContainer.objects.update(contract_months=12)
    return draft


def tree_of(order):
    return order_tree(order_id=order.pk, account_id=order.account_id)


def issue(order, user, *, at=NOW, **shown):
    return quote_issue(order_id=order.pk, account_id=order.account_id, user=user, now=at, **shown)


def change_rate(item, rate, *, at):
    old = item.prices.get(valid_to=None)
    new = replace_price(item, hourly=f"{old.hourly_recurring_fee}", at=at)
    item.prices.filter(pk=new.pk).update(usage_rate=Decimal(rate))


def text_of(answer):
    return " ".join(answer.content.decode().split())


def boxes(node):
    return [(node.words, node.note), *(box for child in node.children for box in boxes(child))]


def test_the_document_of_a_quote_keeps_contract_promotion_and_use(bound, ana):
    quote = issue(bound, ana)

    (container,) = quote.document["items"][0]["containers"]
    server, traffic = container["lines"]
    assert (container["contract_months"], container["usage_units"]) == (12, {"traffic": "GB"})
    assert (server["monthly_amount"], server["regular_monthly_amount"], server["promotion_months"]) == (
        "57.600000",
        "115.200000",
        3,
    )
    assert (traffic["usage_tiers"], traffic["usage_allowance"]) == ([[0, "0.100000"]], "250.0000")
    assert list(quotes_departed_from()) == []


def test_an_order_that_lost_its_allowance_departs_from_its_quote(bound, ana):
    quote = issue(bound, ana)
    line = OrderLine.objects.get(key_name="traffic")
    OrderLine.objects.filter(pk=line.pk).update(usage_allowance=None)

    departed = list(quotes_departed_from())
    OrderLine.objects.filter(pk=line.pk).update(usage_allowance=250)

    words = f"Promised usage_allowance 250.0000, and line {line.pk} of its order says None."
    assert departed == [(f"quote:{quote.pk}", words)]


def test_the_page_of_a_quote_says_contract_promotion_and_use(bound, ana):
    quote = issue(bound, ana, at=now())

    (container,) = quote_page(quote, now=now()).containers
    page = text_of(client_of(ana).get(reverse("quote-detail", args=[quote.pk])))
    shared = quote_share(quote_id=quote.pk, account_id=bound.account_id, user=ana, now=now())
    stranger = text_of(client_of(None).get(reverse("quote-shared", args=[shared.share_token])))

    assert container.contract == "contract of 12 months"
    assert [line.notes for line in container.lines] == [("then $115.20 a month after 3 months",), (USE,)]
    for words in ("contract of 12 months", "then $115.20 a month after 3 months", USE):
        assert words in page, words
        assert words in stranger, words


def test_a_quote_of_before_this_was_kept_is_still_read(bound, ana):
    quote = issue(bound, ana)
    for item in quote.document["items"]:
        for container in item["containers"]:
            del container["contract_months"], container["usage_units"]
            for line in container["lines"]:
                del line["usage_allowance"]
    quote.save()

    (container,) = quote_page(quote, now=NOW).containers

    assert (container.contract, container.lines[1].notes) == ("", ("0.10 USD for each unit used",))
    assert bill_as_json(quote.document)["parts"][0]["contract_months"] is None
    assert (
        Row("Contract", "–", "contract of 12 months") in compared(quote.document, document_of(tree_of(bound)))[0].rows
    )
    assert list(quotes_departed_from()) == []


def test_the_bill_of_materials_has_contract_promotion_and_use(bound):
    document = document_of(tree_of(bound))

    header, server, traffic = csv.reader(StringIO(bill_as_csv(document)))
    parts = bill_as_json(document)["parts"]

    assert header[14:19] == [
        "contract (months)",
        "promotion (months)",
        "recurring fee of one after the promotion (USD)",
        "owed for all after the promotion (USD a month)",
        "use",
    ]
    assert server[14:16] == ["12", "3"]
    assert [Decimal(cell) for cell in server[16:18]] == [Decimal("0.08"), Decimal("115.20")]
    assert (server[18], traffic[18]) == ("", USE)
    assert (parts[0]["contract_months"], parts[0]["promotion_months"], parts[0]["regular_monthly_amount"]) == (
        12,
        3,
        "115.20",
    )
    assert parts[1]["use"] == USE


def test_a_comparison_marks_contract_promotion_and_use(bound):
    one = document_of(tree_of(bound))
    other = deepcopy(one)
    (container,) = other["items"][0]["containers"]
    container["contract_months"] = None
    container["lines"][0] |= {"regular_fee": None, "promotion_months": None}
    container["lines"][1]["usage_tiers"] = [[0, "0.500000"]]

    rows = [row for row in compared(one, other)[0].rows if row.is_different]

    assert rows == [
        Row("Contract", "contract of 12 months", "none"),
        Row("Machine type", "The m1.small (then 0.08 USD an hour each after 3 months)", "The m1.small"),
        Row("Operating system", f"The traffic ({USE})", f"The traffic ({USE.replace('0.10', '0.50')})"),
    ]


def test_the_drawing_has_contract_promotion_and_use(bound):
    drawn = boxes(nodes_of(tree_of(bound)))

    assert ("2 × Virtual server", "N. Virginia, hourly, contract of 12 months") in drawn
    assert ("then $115.20 a month after 3 months", "after the promotion") in drawn
    assert ("0.10 USD for each unit used", "use, 250 GB a month included in each") in drawn


def test_the_page_of_a_shared_configuration_says_contract_promotion_and_use(bound, account, ana):
    found = configuration_of(reference=f"order:{bound.pk}", account=account, at=now())
    shared = configuration_share(
        account=account, name=found.name, asked=found.asked, document=found.document, user=ana, now=now(), valid_days=7
    )

    page = text_of(client_of(None).get(reverse("configuration-shared", args=[shared.token])))

    for words in ("contract of 12 months", "then $115.20 a month after 3 months", USE):
        assert words in page, words


def test_use_that_costs_nothing_is_not_spoken_of_and_tiers_are():
    tiers = [[0, "0.10"], [1000, "0.08"]]

    assert use_words(tiers=[], allowance=Decimal(250), unit="GB", currency="USD") == ""
    assert use_words(tiers=tiers, allowance=Decimal("1500.5000"), unit="", currency="USD") == (
        "1,500.5 a month included in each, beyond it 0.10 USD for each unit used, 0.08 USD beyond 1,000"
    )


@pytest.mark.parametrize(
    ("change", "use_today"),
    [
        ("rate", "250 GB a month included in each, beyond it 0.50 USD for each unit used"),
        ("allowance", "100 GB a month included in each, beyond it 0.10 USD for each unit used"),
    ],
    ids=["rate", "allowance"],
)
def test_another_rate_of_use_or_allowance_is_shown_and_not_placed(bound, traffic, ana, change, use_today):
    order_refresh_prices(order_id=bound.pk, account_id=bound.account_id, now=NOW)
    if change == "rate":
        change_rate(traffic, "0.50", at=NOW + timedelta(days=1))
    else:
        traffic.capacity = Decimal(100)
        traffic.save()

    (found,) = order_check(order_id=bound.pk, account_id=bound.account_id, now=LATER).price_changes
    with pytest.raises(RuleBroken) as refused:
        order_place(order_id=bound.pk, account_id=bound.account_id, user=ana, now=LATER, shown_monthly=Decimal("57.60"))

    assert (found.description, found.monthly_shown, found.monthly_today) == (
        "The traffic",
        Money(Decimal("0.00"), "USD"),
        Money(Decimal("0.00"), "USD"),
    )
    assert (found.use_shown, found.use_today) == (USE, use_today)
    assert refused.value.code == "price_changed"
    assert f"use of The traffic: {USE} then, {use_today} now" in refused.value.words
    assert BillingOrder.objects.get().state == "draft"
    line = OrderLine.objects.get(key_name="traffic")
    assert (line.usage_tiers, line.usage_allowance) == ([[0, "0.100000"]], Decimal(250))


def test_the_page_of_a_draft_shows_another_rate_of_use(bound, traffic, ana):
    order_refresh_prices(order_id=bound.pk, account_id=bound.account_id, now=now())
    change_rate(traffic, "0.50", at=now() - timedelta(minutes=1))

    page = text_of(client_of(ana).get(reverse("order-detail", args=[bound.pk])))

    assert "1 price changed since this draft was last shown." in page
    assert f"use: {USE} → {USE.replace('0.10', '0.50')}" in page


def test_a_part_paid_once_that_a_colleague_adds_is_not_placed_unseen(draft, ana):
    who = {"order_id": draft.pk, "account_id": draft.account_id, "user": ana, "now": NOW}
    seen = {"shown_monthly": Decimal("1036.80"), "shown_once": Decimal("10.00")}
    page = client_of(ana).get(reverse("order-detail", args=[draft.pk])).content.decode()
    OrderLine.objects.filter(key_name="debian").first().item.prices.update(setup_fee=Decimal("7.00"))
    order_refresh_prices(order_id=draft.pk, account_id=draft.account_id, now=NOW)

    for attempt in (order_place, quote_issue):
        with pytest.raises(RuleBroken) as refused:
            attempt(**who, **seen)
        assert refused.value.code == "price_changed"
        assert "$10.00 once then, $94.00 once now" in refused.value.words

    assert page.count('name="shown_once" value="10.00"') == 2
    assert (BillingOrder.objects.get().state, Quote.objects.count()) == ("draft", 0)
    assert order_place(**who, **(seen | {"shown_once": Decimal("94.00")})).state == "placed"


def test_a_page_that_showed_another_total_once_places_and_quotes_nothing(draft, ana):
    answers = [
        client_of(ana).post(
            reverse(name, args=[draft.pk]), {"shown_monthly": "1036.80", "shown_once": "3.00", "valid_days": "30"}
        )
        for name in ("order-place", "quote-issue")
    ]

    assert [answer.status_code for answer in answers] == [409, 409]
    assert all("$3.00 once then, $10.00 once now" in text_of(answer) for answer in answers)
    assert BillingOrder.objects.get().state == "draft"


def test_a_replaced_quote_is_compared_by_what_it_promised_itself(draft, shop, ana):
    old = issue(draft, ana)
    replace_price(shop.items["m1.small"], hourly="0.10", at=NOW + timedelta(days=1))
    new = quote_reissue(quote_id=old.pk, account_id=draft.account_id, user=ana, now=LATER)
    old.refresh_from_db()

    (change,) = quote_changes(quote=old, at=LATER)

    assert (change.description, str(change.monthly_shown), str(change.monthly_today)) == (
        "The m1.small",
        "$576.00",
        "$720.00",
    )
    assert quote_changes(quote=old, at=NOW) == ()
    assert quote_changes(quote=new, at=LATER) == ()
    assert OrderLine.objects.get(key_name="m1.small").monthly_amount == Decimal("720.00")


def test_a_withdrawn_quote_whose_order_has_other_lines_says_that_it_moved_on(draft, ana):
    quote = issue(draft, ana, at=now())
    quote_withdraw(quote_id=quote.pk, account_id=draft.account_id, user=ana, now=now())
    OrderContainer.objects.filter(order_item__name="proxies").update(quantity=3)
    order_refresh_prices(order_id=draft.pk, account_id=draft.account_id, now=now())
    quote.refresh_from_db()

    page = text_of(client_of(ana).get(reverse("quote-detail", args=[quote.pk])))

    assert quote_changes(quote=quote, at=now()) is None
    assert "The order has other lines than this quote by now, so its prices are not compared with those of" in page


def test_the_prices_of_today_on_the_page_are_those_of_now(draft, shop, ana):
    at = now()
    quote = issue(draft, ana, at=at)
    replace_price(shop.items["m1.small"], hourly="0.10", at=at + timedelta(minutes=1))

    page = text_of(client_of(ana).get(reverse("quote-detail", args=[quote.pk]), {"on": f"{at.date()}"}))

    assert "Nothing would cost anything else at the prices of" in page


def with_disks(document, count):
    """Return a document whose first container has so many equal drives, each in its own slot."""
    changed = deepcopy(document)
    container = changed["items"][0]["containers"][0]
    drive = container["lines"][0] | {"key_name": "hdd", "description": "1 TB", "category_code": "disk"}
    slots = ("First", "Second", "Third", "Fourth")[:count]
    container["lines"][1:1] = [drive | {"category_name": f"{slot} disk"} for slot in slots]
    return changed


@pytest.mark.parametrize("is_turned", [False, True])
def test_two_disks_beside_four_stand_beside_the_first_two(draft, is_turned):
    plain = document_of(tree_of(draft))
    pair = [with_disks(plain, 2), with_disks(plain, 4)]

    rows = compared(*(reversed(pair) if is_turned else pair))[0].rows

    disks = [row for row in rows if "disk" in row.label]
    beside = ("2 × 1 TB", "–") if is_turned else ("–", "2 × 1 TB")
    assert disks == [
        Row("First disk … Second disk", "2 × 1 TB", "2 × 1 TB"),
        Row("Third disk … Fourth disk", *beside),
    ]
    assert [row.label for row in rows][-4:] == [
        "Machine type",
        "First disk … Second disk",
        "Third disk … Fourth disk",
        "Operating system",
    ]


def test_lines_whose_rates_differ_are_told_apart_although_their_amounts_agree(draft, ana):
    quote = issue(draft, ana)
    container = quote.document["items"][0]["containers"][0]
    line = container["lines"][0]
    container["lines"].append(line | {"hourly_recurring_fee": "0.320001", "category_name": "Spare"})

    (shown, *_) = quote_page(quote, now=NOW).containers

    assert [(each.count, each.rate) for each in shown.lines] == [(1, "0.32"), (1, "0.00"), (1, "0.320001")]
    assert [len(group) for group in alike(lines_of(quote.document)[:2] * 2)] == [2, 2]


def test_lines_of_an_order_whose_rates_of_use_differ_are_told_apart(draft):
    line = OrderLine.objects.get(key_name="debian", container__order_item__name="proxies")
    line.pk, line.category_name, line.usage_tiers = None, "Spare", [[0, "0.10"]]
    line.save()

    node = next(tree_of(draft).containers)

    assert [(group.category_words, group.count) for group in node.groups] == [
        ("Machine type", 1),
        ("Operating system", 1),
        ("Spare", 1),
    ]
