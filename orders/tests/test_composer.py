"""What an address of the composer comes to: choices, prices, problems and the clicks that settle them."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.http import QueryDict

from catalog.shelves import shelf_of
from catalog.tests.factories import make_item, make_price
from orders.checking import order_check
from orders.compose_address import Pick, asked_in
from orders.compose_page import page_of
from orders.composer import NotSoldAnywhere, compose
from orders.composing import order_compose
from orders.drafts import Draft
from orders.tests.compose_shop import make_blueprint, make_server_shop
from orders.tests.factories import NOW

QUERIES = 6
"""Package, items, prices and presets; then facts and prices of what is chosen."""
WHOLE = "package=server&location=dal05&term=monthly&choice-server=small&choice-os=debian&choice-disk0=sata"


@pytest.fixture
def shop(db):
    return make_server_shop()


@pytest.fixture
def look(shop, account):
    def look(query, draft=None):
        shelf = shelf_of(key_name=shop.package.key_name)
        return compose(asked=asked_in(QueryDict(query)), shelf=shelf, account=account, draft=draft, at=NOW)

    return look


def codes(composed):
    return [(problem.code, problem.field) for problem in composed.problems]


def rows_of(composed):
    blocks = page_of(composed)["blocks"]
    return {row.category.category_code: row for block in blocks for row in (block.row, *block.spare)}


def test_a_whole_choice_has_its_price_for_one_and_for_all(look):
    composed = look(f"{WHOLE}&quantity=3&choice-disk1=ssd")

    assert composed.problems == ()
    assert str(composed.each.monthly) == "$200.78"
    assert str(composed.totals.monthly) == "$602.34"
    assert str(composed.totals.once) == "$75.00"
    assert str(composed.totals.over_one_year) == "$7,303.08"


def test_hourly_is_counted_by_the_hours_of_the_address(look):
    composed = look(WHOLE.replace("monthly", "hourly") + "&hours=100&quantity=2")

    assert str(composed.totals.monthly) == "$45.20"
    assert composed.hourly_rate == Decimal("0.452")


def test_the_first_look_takes_what_is_usual_and_names_the_rest_as_missing(look):
    composed = look("package=server")

    assert composed.asked.picks == {"os": (Pick("debian"),)}
    assert (composed.place.key_name, composed.term.value, composed.quantity) == ("ams01", "monthly", 1)
    assert codes(composed) == [("category_required", "server"), ("category_required", "disk0")]
    assert composed.is_unfinished
    assert composed.composition is not None


def test_a_choice_of_nothing_stays_nothing(look):
    assert look("package=server&choice=none").asked.picks == {}


def test_without_a_term_it_is_the_one_on_which_more_is_offered(look, shop):
    for number in range(9):
        item = make_item(f"hourly-{number}", category_code="addon")
        make_price(item, hourly="1")
        shop.package.items.add(item)

    assert look("package=server").term.value == "hourly"


def test_everything_wrong_is_named_at_once_with_its_field(look):
    composed = look(
        "package=server&location=mars&term=weekly&quantity=none&hosts=-x&name=+&hours=9999"
        "&choice-server=gone&choice-addon=backup&count-addon=7&choice-disk0=mystery&choice-colour=red"
    )

    assert codes(composed) == [
        ("typed", "quantity"),
        ("typed", "hours"),
        ("typed", "name"),
        ("typed", "hosts"),
        ("location_not_sold", "location"),
        ("term_unknown", "term"),
        ("item_unknown", "server"),
        ("category_unknown", "colour"),
        ("category_required", "server"),
        ("category_required", "os"),
        ("quantity_limit", "addon"),
        ("unpriced", "disk0"),
    ]
    assert composed.composition is None
    assert not composed.totals.is_exact
    assert all(problem.words for problem in composed.problems)


@pytest.mark.parametrize(
    "count", ["0", "-1", "101", "1e3", "٣", "9" * 30, "0000000011999999999", "000000001" + "1" * 5000]
)
def test_a_number_of_items_that_is_none_is_refused(look, count):
    composed = look(f"{WHOLE}&choice-addon=backup&count-addon={count}")

    assert codes(composed) == [("count_out_of_range", "addon")]
    assert composed.composition is None
    assert composed.asked.picks["addon"] == (Pick("backup", count),)


def test_an_item_counts_as_often_as_it_is_chosen(look):
    composed = look(f"{WHOLE}&choice-addon=backup&count-addon=2&choice-addon=monitor&count-addon=1")

    assert composed.problems == ()
    assert [(line.description, line.count, str(line.totals.monthly)) for line in composed.lines[3:]] == [
        ("backup", 2, "$18.00"),
        ("monitor", 1, "$5.00"),
    ]
    assert len(composed.composition.choices) == 6


def test_an_item_whose_key_name_repeats_is_told_apart_by_its_id(look, shop):
    twin = make_item("twin", category_code="addon")
    twin.key_name = "backup"
    twin.save()
    make_price(twin, monthly="11")
    shop.package.items.add(twin)

    composed = look(f"{WHOLE}&choice-addon=backup~{twin.pk}")

    assert str(composed.totals.monthly) == "$128.40"
    assert composed.asked.picks["addon"] == (Pick(f"backup~{twin.pk}"),)
    assert codes(look(f"{WHOLE}&choice-addon=backup")) == [("item_unknown", "addon")]


def test_the_address_with_an_id_becomes_the_short_one(look, shop):
    composed = look(f"{WHOLE}&choice-addon=backup~{shop.items['backup'].pk}")

    assert "choice-addon=backup&" in composed.asked.query() + "&"


def test_the_page_marks_what_is_required_and_opens_the_first_that_is_missing(look):
    rows = rows_of(look("package=server"))

    assert [code for code, row in rows.items() if row.is_required] == ["server", "os", "disk0"]
    assert [code for code, row in rows.items() if row.is_open] == ["server"]
    (problem,) = rows["disk0"].problems
    assert problem.words == "Disk0 is missing. Choose one."
    assert problem.repair.words == "Add sata: $17.40 more a month"


def test_options_are_sorted_by_price_and_those_not_offered_say_why(look):
    disks = rows_of(look(WHOLE))["disk0"].options

    assert [(row.option.item.key_name, row.option.is_offered, row.is_chosen) for row in disks] == [
        ("sata", True, True),
        ("ssd", True, False),
        ("mystery", False, False),
    ]
    assert disks[2].option.why_not == "Not offered on monthly terms. Unpriced."


def test_an_option_that_is_not_offered_stays_chosen_until_something_else_is(look):
    rows = rows_of(look(WHOLE.replace("debian", "windows").replace("monthly", "hourly")))

    assert rows["os"].is_open
    assert [problem.words for problem in rows["os"].problems] == [
        "windows has no price on hourly terms in dal05. Choose another item, term or location."
    ]
    assert [row.is_chosen for row in rows["os"].options] == [False, True]


def test_a_search_shows_what_suits_it_and_what_is_chosen(look):
    row = rows_of(look(f"{WHOLE}&find-disk0=SS"))["disk0"]

    assert [shown.option.item.key_name for shown in row.options] == ["sata", "ssd"]
    assert row.is_open


def test_empty_slots_are_folded_and_those_beyond_the_chassis_not_shown(look):
    small = [(block.row.category.category_code, len(block.spare)) for block in page_of(look(WHOLE))["blocks"]]
    large = [
        (block.row.category.category_code, len(block.spare))
        for block in page_of(look(WHOLE.replace("small", "large")))["blocks"]
    ]

    assert small == [("server", 0), ("os", 0), ("disk0", 0), ("disk1", 0), ("addon", 0)]
    assert large == [("server", 0), ("os", 0), ("disk0", 0), ("disk1", 1), ("addon", 0)]


@pytest.mark.parametrize(
    ("query", "words", "broken", "left"),
    [
        (
            WHOLE.replace("debian", "windows").replace("monthly", "hourly"),
            "Take debian instead of windows",
            "unpriced",
            [],
        ),
        (WHOLE.replace("&choice-os=debian", ""), "Add debian: no charge", "category_required", []),
        (f"{WHOLE}&choice-disk2=ssd", "Leave out ssd: $83.38 less a month", "disk_slots", []),
        (
            f"{WHOLE}&choice-addon=backup&count-addon=5",
            "Leave out 2 × backup: $18.00 less a month",
            "quantity_limit",
            [],
        ),
    ],
)
def test_one_click_settles_a_problem(look, query, words, broken, left):
    composed = look(query)
    (problem,) = page_of(composed)["problems"]

    assert [code for code, _ in codes(composed)] == [broken]
    assert problem.repair.words == words
    assert codes(look(problem.repair.url.partition("?")[2])) == left


def test_one_click_settles_everything_that_can_be_settled(look):
    page = page_of(look("package=server&choice-server=large"))

    assert page["repair_of_all"].words == "Settle these 2"
    assert look(page["repair_of_all"].url.partition("?")[2]).problems == ()
    assert page_of(look(WHOLE))["repair_of_all"] is None


@pytest.mark.parametrize(
    ("wrong", "words", "codes_before"),
    [
        ("&hosts=web-1+web-2", "Name them web-1", ["host_names_count"]),
        ("&quantity=2&hosts=web+web", "Name them web web-1", ["host_name_repeated"]),
        ("&choice-addon=gone", "Leave it out", ["item_unknown"]),
        ("&choice-colour=red", "Leave it out", ["category_unknown"]),
        ("&choice-addon=backup&count-addon=x", "Take one", ["count_out_of_range"]),
    ],
)
def test_one_click_settles_what_was_typed_wrong(look, wrong, words, codes_before):
    composed = look(f"{WHOLE}{wrong}")
    (problem,) = page_of(composed)["problems"]

    assert [code for code, _ in codes(composed)] == codes_before
    assert problem.repair.words == words
    assert look(problem.repair.url.partition("?")[2]).problems == ()


def test_a_wrong_place_term_and_item_are_settled_at_once(look):
    page = page_of(look("package=server&location=mars&term=weekly&choice-server=gone&choice-os=debian"))

    assert [problem.repair.words for problem in page["problems"]] == [
        "Take ams01",
        "Bill it monthly",
        "Add small",
        "Add small: $100.00 more a month",
        "Add sata: $17.40 more a month",
    ]
    assert look(page["repair_of_all"].url.partition("?")[2]).problems == ()


def test_what_is_marked_as_required_is_what_the_check_asks_for(look):
    """Flip every category: with it empty the check must complain just where the page says that it is required."""
    rows = rows_of(look(f"{WHOLE}&choice-disk1=ssd&choice-addon=backup"))
    picks = {code: f"&choice-{code}={row.chosen[0].pick.value}" for code, row in rows.items() if row.chosen}

    for code, row in rows.items():
        rest = "".join(pick for each, pick in picks.items() if each != code)
        composed = look(f"package=server&location=dal05&term=monthly{rest}")
        assert bool(composed.problems) == row.is_required, code


def test_host_names_of_other_containers_of_the_draft_are_taken(look, account, ana, shop):
    composed = look(f"{WHOLE}&hosts=db-1")
    order = order_compose(
        account=account, user=ana, name="x", hours_per_month=Decimal(100), compositions=[composed.composition], now=NOW
    )
    draft = Draft(order, ("x",), frozenset({"db-1"}))

    again = look(f"{WHOLE}&hosts=db-{{n}}&quantity=2", draft=draft)

    assert codes(again) == [("host_name_repeated", "hosts")]
    assert again.hours_per_month == 100


def test_a_preset_is_offered_with_its_price_and_fills_the_address(look, shop):
    make_blueprint(shop, "fast-pair", {"Servers": (2, [("server", "large"), ("disk0", "ssd"), ("disk1", "ssd")])})
    make_blueprint(shop, "monthly-box", {"Servers": (1, [("server", "small"), ("os", "windows"), ("disk0", "sata")])})
    make_blueprint(shop, "two-kinds", {"a": (1, [("server", "small")]), "b": (1, [("server", "large")])})

    offers = look("package=server&term=hourly&location=dal05").presets

    shown = [(offer.preset.name, str(offer.totals.monthly), offer.term.value, offer.is_valid) for offer in offers]
    assert shown == [
        ("Fast pair", "$1,080.00", "hourly", True),
        ("Monthly box", "$137.40", "monthly", True),
    ]
    taken = look(offers[0].url.partition("?")[2])
    assert taken.problems == ()
    assert str(taken.totals.monthly) == "$1,080.00"
    assert [offer.is_chosen for offer in taken.presets] == [True, False]


def test_the_composer_and_the_draft_that_it_makes_agree(look, account, ana):
    composed = look(f"{WHOLE}&quantity=7&choice-disk1=ssd&choice-addon=backup&count-addon=3")

    order = order_compose(
        account=account,
        user=ana,
        name="x",
        hours_per_month=composed.hours_per_month,
        compositions=[composed.composition],
        now=NOW,
    )

    check = order_check(order_id=order.pk, account_id=account.pk, now=NOW)
    assert check.is_valid
    assert check.totals == composed.totals == check.tree.totals


def test_a_package_that_is_sold_nowhere_cannot_be_composed(look, shop):
    shop.package.locations.clear()

    with pytest.raises(NotSoldAnywhere):
        look("package=server")


def test_a_thousand_items_take_no_more_queries_than_ten(look, shop, django_assert_num_queries):
    with django_assert_num_queries(QUERIES):
        look(WHOLE)
    for number in range(1000):
        item = make_item(f"addon-{number}", category_code="addon")
        make_price(item, monthly="1")
        shop.package.items.add(item)

    with django_assert_num_queries(QUERIES):
        composed = look(WHOLE)

    row = rows_of(composed)["addon"]
    assert (len(row.options), row.hidden) == (40, 962)


def test_the_conditions_are_completed_and_nothing_typed_is_changed(look):
    composed = look("package=server&quantity=many&hosts=-x&name=+web")

    assert composed.asked == replace(
        asked_in(QueryDict("package=server&quantity=many&hosts=-x&name=+web&choice-os=debian")),
        location="ams01",
        term="monthly",
    )
