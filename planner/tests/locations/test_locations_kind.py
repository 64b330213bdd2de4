"""Locations as people ask them: over the shipped catalogue, on pages, with and without a CDN."""

from decimal import Decimal
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import Account, User
from accounts.tests.factories import client_of
from catalog.models import Blueprint
from core.clock import now
from core.errors import InputRefused
from orders.checking import order_check
from planner.advice.answering import advice_answer
from planner.advice.market import priced
from planner.advice.models import Advice
from planner.advice.services import advice_order, question_problems
from planner.locations.kind import KIND
from planner.tests.advice import locations_case
from planner.tests.advice.factories import ask, make_answered_advice
from simulation.parameters import load_parameter_set

pytestmark = pytest.mark.django_db
HERE = "New York, 1,000\nLos Angeles, 900\nLondon, 800"
PARAMETERS = load_parameter_set()
PRESET = "d2620v4-64gb-2x1tb-sata-raid-1"


def test_the_fewest_are_what_trying_everything_finds_on_fifty_random_markets() -> None:
    found = []
    for seed in range(50):
        random = Random(seed)
        market, asked = (
            locations_case.market(random),
            ask("locations", **(locations_case.words(random) | {"aim": "fewest"})),
        )
        judge = KIND.judge(asked.demand, PARAMETERS)
        meeting = [
            (candidate.machines, price.cents, -delivered.main.value)
            for candidate in locations_case.every(market, asked.demand)
            if (price := priced(candidate, currency="USD")) and (delivered := judge(candidate)) and delivered.meets
        ]

        best = advice_answer(asked=asked, market=market, parameters=PARAMETERS)["best"]

        found.append(best is not None)
        assert min(meeting, default=None) == (best and (best["machines"], best["cents"], -best["main"]["value"])), seed
    assert 0.2 < sum(found) / 50 < 1


def names(row: dict[str, Any]) -> list[str]:
    return [role["location_name"] for role in row["roles"]]


def answer(account: Account, user: User, **words: str) -> dict[str, Any]:
    return result_of(make_answered_advice(account, user, "locations", **words))


def result_of(advice: Advice) -> dict[str, Any]:
    assert advice.run.result is not None
    return advice.run.result


def page_of(advice: Advice, user: User) -> str:
    response = client_of(user).get(f"/plans/advice/{advice.pk}/")
    assert response.status_code == 200
    return response.content.decode()


def test_each_data_centre_is_an_item_of_its_own_in_its_place(ec2: None, account: Account, ana: User) -> None:
    best = answer(account, ana, places=HERE)["best"]

    assert [(role["quantity"], role["location"]) for role in best["roles"]] == [
        (2, "lon02"),
        (2, "sjc01"),
        (2, "wdc01"),
    ]
    assert best["main"]["value"] == 100.0
    assert Decimal(best["monthly_cost"]) == sum(Decimal(role["monthly_cost"]) for role in best["roles"])


def test_less_is_asked_where_fewer_users_must_be_inside(ec2: None, account: Account, ana: User) -> None:
    best = answer(account, ana, places=HERE, share="60 %")["best"]

    assert len(best["roles"]) == 2
    assert best["main"]["value"] == pytest.approx(100 * 1_900 / 2_700)


def test_a_preset_costs_what_it_costs_in_each_place_and_the_cheapest_places_win(
    ec2: None, account: Account, ana: User
) -> None:
    words = {"places": "London, 10\nAmsterdam, 10", "bundle": PRESET, "aim": "cheapest", "servers": "1"}

    found = answer(account, ana, **words)

    assert names(found["best"]) == ["Amsterdam 1"]
    assert found["runners_up"][0]["binding"] == "price"
    assert found["runners_up"][0]["cents"] > found["best"]["cents"]


def test_static_traffic_from_the_data_centres_brings_its_bandwidth(ec2: None, account: Account, ana: User) -> None:
    words = {"places": "Paris, 10", "servers": "2"}
    plain = answer(account, ana, **words)["best"]

    loaded = answer(account, ana, **words, static_gb="8 TB")["best"]

    bandwidth = {part["category"]: part["description"] for part in loaded["roles"][0]["parts"]}["bandwidth"]
    assert bandwidth == "5000 GB Bandwidth"
    assert loaded["cents"] > plain["cents"]


def test_with_static_traffic_too_dearer_places_are_shown(ec2: None, account: Account, ana: User) -> None:
    words = {"places": "London, 10\nAmsterdam, 10", "bundle": PRESET, "aim": "cheapest", "servers": "1"}

    found = answer(account, ana, **words, static_gb="2 TB")

    assert names(found["best"]) == ["Amsterdam 1"]
    assert [row["binding"] for row in found["runners_up"]] == ["price"]
    assert found["runners_up"][0]["cents"] > found["best"]["cents"]


def test_unlimited_bandwidth_sends_what_its_uplink_passes(ec2: None, account: Account, ana: User) -> None:
    words = {"places": "Paris, 10", "servers": "2"}

    inside, beyond = (answer(account, ana, **words, static_gb=gb) for gb in ("64.8 TB", "64.801 TB"))

    bandwidth = {part["category"]: part["description"] for part in inside["best"]["roles"][0]["parts"]}["bandwidth"]
    assert bandwidth == "Unlimited Bandwidth (100 Mbps Uplink)"
    assert (beyond["best"], beyond["problem"]["limit"]) == (None, "Static traffic")


def test_more_static_traffic_than_any_bandwidth_holds_has_no_answer(ec2: None, account: Account, ana: User) -> None:
    found = answer(account, ana, places="Paris, 10", static_gb="900 TB")

    assert found["best"] is None
    assert found["problem"]["limit"] == "Static traffic"


def test_a_cdn_lets_the_rest_come_from_further_away_and_both_ways_are_compared(
    ec2: None, account: Account, ana: User
) -> None:
    words = {"places": HERE, "static_gb": "20 TB", "cdn_price": "0.085"}

    near = answer(account, ana, **words)["best"]
    far = answer(account, ana, **words, static_by="cdn")["best"]

    assert len(near["roles"]) == 3
    assert len(far["roles"]) == 1
    assert far["notes"][0].startswith("20,000 GB a month through a CDN cost $1,700.00 beside this order")
    assert "From the data centres instead: London 2, San Jose 1 and Washington 1" in far["notes"][1]
    assert near["notes"][0].startswith(f"Through a CDN instead: {far['title']}, ")


def test_a_cdn_without_its_price_is_not_taken_for_free() -> None:
    with pytest.raises(InputRefused) as refusal:
        ask("locations", static_by="cdn")

    assert [violation.field for violation in refusal.value.violations] == ["static_gb", "cdn_price"]


def test_the_edge_of_the_network_is_near_with_servers_in_one_place(ec2: None, account: Account, ana: User) -> None:
    found = answer(account, ana, places=HERE, to="network")

    assert len(found["best"]["roles"]) == 1
    assert found["best"]["main"]["value"] == 100.0


def test_every_wrong_line_of_a_list_is_a_problem_of_its_own() -> None:
    _, problems = question_problems(KIND, {"places": "Lonndon, 5\nParis, 10\nTokyo", "share": "0 %"})

    assert [problem.field for problem in problems] == ["share", "places", "places"]
    assert "Line 1: “Lonndon”" in problems[1].words
    assert "Line 3: “Tokyo”" in problems[2].words


def test_a_backbone_is_no_longer_than_the_internet() -> None:
    with pytest.raises(InputRefused) as refusal:
        ask("locations", internet_stretch="1.2 times", backbone_stretch="1.5 times")

    assert [violation.field for violation in refusal.value.violations] == ["backbone_stretch"]


def test_an_unknown_preset_is_refused_in_words() -> None:
    with pytest.raises(InputRefused, match="is no preset of one machine"):
        ask("locations", bundle="no-such-thing")


def test_an_impossible_demand_says_the_nearest_limit_and_who_is_too_far(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "locations", places="Nairobi, 5\nLagos, 3\nParis, 2")

    nearest = result_of(advice)["problem"]["nearest"]
    assert nearest["main"]["value"] == 20.0
    assert "95 % are inside 116.2 ms." in nearest["notes"][0]
    assert nearest["notes"][1] == "No data centre here has Nairobi and Lagos inside 40 ms."
    again = answer(account, ana, places="Nairobi, 5\nLagos, 3\nParis, 2", limit="116.2 ms")
    assert again["best"] is not None
    assert "2 of 10 users are inside 40 ms, 20 %." in page_of(advice, ana)


def test_the_page_draws_everybody_and_says_the_same_in_tables(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "locations", places="Miami, 300\nDallas, 900\nMoscow, 7", share="90 %")

    page = page_of(advice, ana)

    assert page.count('class="users') == 3 + 2  # and two in the key
    assert page.count('class="users is-outside"') == 1 + 1
    assert page.count('class="centre"') == 1 + 1
    assert page.count('class="presence"') == 1 + 1
    assert "The answer rests on these points" in page
    assert "<strong>Miami</strong>" in page
    assert "Miami, FL, US" in page
    assert '<td class="num" data-label="Time, ms">36.8</td>' in page
    assert '<td class="num" data-label="Light, ms">11.9</td>' in page
    assert page.count("<strong>no</strong>") == 1


def test_the_curve_of_sites_and_users_stands_on_the_page_with_its_table(ec2: None, account: Account, ana: User) -> None:
    advice = make_answered_advice(account, ana, "locations", places=HERE, share="60 %")

    assert result_of(advice)["best"]["extra"]["curve"] == pytest.approx(
        [100 * users / 2_700 for users in (1_000, 1_900, 2_700)]
    )
    page = page_of(advice, ana)
    assert "One more data centre could have 100.0 % of the users inside 40 ms" in page
    assert '<td class="num">70.4</td>' in page


def test_a_file_of_places_is_read_instead_of_the_lines(ec2: None, account: Account, ana: User) -> None:
    sent = SimpleUploadedFile("places.csv", "\ufeffcity;users\nOslo;1.200\nMünchen;300\n".encode())

    response = client_of(ana).post("/plans/advice/new/locations/", {"places": "Paris, 1", "places_file": sent})

    assert response.status_code == 302
    assert "1,500 users in 2 places" in Advice.objects.get().words


def test_the_page_stands_and_is_ordered_from_where_the_preset_is_gone(ec2: None, account: Account, ana: User) -> None:
    words = {"places": "Paris, 5", "bundle": PRESET, "hours_per_month": "500"}
    advice = make_answered_advice(account, ana, "locations", **words)
    best = result_of(advice)["best"]
    Blueprint.objects.filter(key_name=PRESET).delete()

    order = advice_order(advice_id=advice.pk, account=account, user=ana, key="", now=now())

    assert f"1. {names(best)[0]}" in page_of(advice, ana)
    assert order.hours_per_month == 500
    assert (
        order_check(order_id=order.pk, account_id=account.pk, now=now()).totals.monthly.known.text
        == (best["monthly_cost"])
    )


def test_the_form_offers_the_presets_of_the_catalogue(ec2: None, account: Account, ana: User) -> None:
    page = client_of(ana).get("/plans/advice/new/locations/").content.decode()

    assert f'value="{PRESET}"' in page
    assert "the cheapest virtual server" in page
    assert "Where your users are" in page
