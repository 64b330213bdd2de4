"""Wherever it is sold: an answer without a location is as cheap as in the cheapest place, and says where that is."""

from dataclasses import replace
from io import StringIO
from itertools import product

import pytest
from django.conf import settings
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Account
from catalog.container_facts import RuleFacts, RuleIndex
from planner.advice.answering import advice_answer
from planner.advice.cheapest_places import Stand, cheapest_places
from planner.advice.kinds import asked_of
from planner.advice.market import Candidate, Role, Shop, priced
from planner.advice.reading import places_of
from planner.advice.registry import KINDS
from planner.tests.advice.factories import Ware, make_shop, read_market
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
QUANTITY = 2
FEES = st.sampled_from(["1", "2", "3"])


def shop_at(place: str, number: int, *fees: str | None, stock: dict[str, int] | None = None) -> Shop:
    """Make a shop in a place of its own, with two servers and two memories at these fees; None is unpriced."""
    servers = [Ware("Small", fees[0]), Ware("Large", fees[1])]
    shop = make_shop(
        {"server": servers, "ram": [Ware("4 GB", fees[2]), Ware("8 GB", fees[3])]}, required=("server",), stock=stock
    )
    container = replace(shop.container, location_id=number, package=replace(
        shop.container.package, location_ids=frozenset({number})
    ))  # fmt: skip
    return replace(shop, location_key=place, location_name=place.title(), container=container)


@st.composite
def shops(draw: st.DrawFn) -> list[Shop]:
    places = draw(st.integers(1, 4))
    return [
        shop_at(
            f"place{number}",
            number,
            draw(FEES),
            *(draw(st.none() | FEES) for _ in range(3)),
            stock=draw(st.sampled_from([{}, {}, {"Small": 1}, {"Small": 9}, {"8 GB": 1}])),
        )
        for number in range(places)
    ]


def cents_of(shop: Shop, **named: str) -> int | None:
    parts = {code: {part.description: part for part in shop.offered(code)} for code in named}
    if any(words not in parts[code] for code, words in named.items()):
        return None
    choices = shop.choices({code: parts[code][words] for code, words in named.items()})
    found = priced(Candidate("", (Role("", QUANTITY, shop, choices),), None, ""), currency="USD")
    return None if found is None else found.cents


@given(shops())
def test_whatever_is_chosen_is_as_cheap_in_the_places_that_are_kept_as_in_all(every: list[Shop]) -> None:
    kept = cheapest_places([Stand(shop, ()) for shop in every])

    for server, ram in product(("Small", "Large"), ("4 GB", "8 GB")):
        everywhere, there = (
            [cents for shop in some if (cents := cents_of(shop, server=server, ram=ram)) is not None]
            for some in (every, kept)
        )
        assert min(everywhere, default=None) == min(there, default=None)


def kept_of(*stands: Stand) -> list[str]:
    return [shop.location_key for shop in cheapest_places(stands)]


def test_of_places_with_equal_prices_the_first_is_kept() -> None:
    second, first = (shop_at(place, 1, "1", "2", "1", "2") for place in ("dal05", "ams01"))

    assert kept_of(Stand(second, ()), Stand(first, ())) == ["ams01"]


def test_a_place_is_kept_with_all_its_packages_where_one_of_them_is_cheaper_there() -> None:
    dear, cheap = shop_at("ams01", 1, "1", "2", "1", "3"), shop_at("dal05", 2, "1", "2", "1", "2")
    volumes = [replace(shop, package_key="volume") for shop in (cheap, dear)]
    crossed = [replace(shop, location_key=key) for shop, key in zip(volumes, ("ams01", "dal05"), strict=True)]

    assert kept_of(Stand(dear, ()), Stand(cheap, ())) == ["dal05"]
    assert kept_of(*(Stand(shop, ()) for shop in (dear, cheap, *crossed))) == ["ams01", "dal05", "ams01", "dal05"]


def test_a_place_that_bars_an_item_does_not_stand_for_one_that_sells_it() -> None:
    barring, selling = shop_at("ams01", 1, "1", "2", "1", "2"), shop_at("dal05", 2, "2", "3", "2", "3")
    rule = RuleFacts(1, "conflicts", item_id=barring.offered("ram")[0].item.item_id, location_id=1)
    barring = replace(barring, container=replace(barring.container, rules=RuleIndex([rule])))

    assert kept_of(Stand(barring, ()), Stand(selling, ())) == ["ams01", "dal05"]


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["build_farm", "network"])
def test_an_answer_without_a_location_is_as_cheap_as_the_cheapest_place(key: str, ec2: None, account: Account) -> None:
    call_command("catalog_load", str(settings.BASE_DIR / "catalog" / "data" / "aws-2020s"), stdout=StringIO())
    kind = KINDS[key]

    def cents(**words: str) -> int | None:
        asked = asked_of(kind, words)
        best = advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)["best"]
        return best and best["cents"]

    everywhere = [cents(location=place) for place in places_of(kind.categories)]

    assert cents() == min(each for each in everywhere if each is not None)


@pytest.mark.django_db
def test_the_machines_of_the_2020s_are_looked_at_where_they_are_cheapest(ec2: None, account: Account) -> None:
    call_command("catalog_load", str(settings.BASE_DIR / "catalog" / "data" / "aws-2020s"), stdout=StringIO())
    asked = asked_of(KINDS["build_farm"], {})

    answer = advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)

    assert [role["location"] for role in answer["best"]["roles"]] == ["aws-us-east-1"]
    assert answer["best"]["place"] == answer["best"]["roles"][0]["location_name"]
    assert len(answer["left_out"]) == len({(each["name"], each["reason"]) for each in answer["left_out"]})


@pytest.mark.django_db
def test_machine_types_without_a_volume_in_their_place_are_told_to_be_left_out(ec2: None, account: Account) -> None:
    call_command("catalog_load", str(settings.BASE_DIR / "catalog" / "data" / "aws-2020s"), stdout=StringIO())
    asked = asked_of(KINDS["database"], {"location": "aws-us-east-1"})

    answer = advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)

    reasons = {each["name"]: each["reason"] for each in answer["left_out"]}
    types = "Virtual server (AWS, 2020s) in US East (N. Virginia), 2020s"
    assert answer["best"] is None
    assert reasons[types] == "No volume is sold there to keep a database's data on."
    assert set(reasons.values()) == {reasons[types], "It has no price in US East (N. Virginia), 2020s on hourly terms."}


@pytest.mark.django_db
def test_what_has_no_price_in_some_place_is_told_of_only_where_none_has_one(ec2: None, account: Account) -> None:
    call_command("catalog_load", str(settings.BASE_DIR / "catalog" / "data" / "aws-2020s"), stdout=StringIO())
    keys = ("", "aws-us-east-1", "aws-ap-southeast-1")

    told = [
        {each.name for each in market.left_out if each.name.endswith("(Virtual server (AWS, 2020s))")}
        for market in (read_market(account, asked_of(KINDS["build_farm"], {"location": key})) for key in keys)
    ]

    assert [len(names) for names in told] == [0, 103, 253]
