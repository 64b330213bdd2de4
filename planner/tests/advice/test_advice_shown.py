"""What an answer shows beside its price: expected use, the place, what beats a point of the chart, and its table."""

import csv
from io import StringIO

import plotly.graph_objects as go
import pytest
from django.urls import reverse

from accounts.models import Account, User
from accounts.tests.factories import client_of
from planner.advice.charts import cost_panel
from planner.advice.models import Advice
from planner.tests.advice.factories import answer_of, make_advice, make_answered_advice, metered_answer


@pytest.fixture
def metered_advice(account: Account, ana: User) -> Advice:
    """A question that was answered from a market with metered traffic."""
    advice = make_answered_advice(account, ana, "network")
    advice.run.result = metered_answer()
    advice.run.save()
    return advice


def test_a_row_tells_what_its_use_is_expected_to_cost_and_where_it_is_sold() -> None:
    answer = metered_answer()
    best, faster = answer["best"], answer["front"][-1]

    assert (best["monthly_cost"], best["metered_cost"], best["cents"], best["place"]) == (
        "50.00",
        "10.00",
        6000,
        "Here",
    )
    assert faster["cents"] > 6000
    assert faster["cents"] == round(100 * (float(faster["monthly_cost"]) + float(faster["metered_cost"])))


def test_the_chart_is_labelled_with_the_cost_it_draws() -> None:
    panel = cost_panel(metered_answer())

    best_trace = panel.figure["data"][-1]
    assert best_trace["y"] == [60.0]
    assert "$60.00 a month" in best_trace["text"][0]
    assert panel.title.startswith("0.07 Gb/s for $60.00 a month with the use expected")
    assert panel.figure["layout"]["yaxis"]["title"]["text"] == "Monthly cost with the use expected, USD"
    assert panel.columns[2]["label"] == "Cost a month with the use expected"
    assert panel.rows[0][2] == "60.00"


def test_each_grey_point_says_what_beats_it() -> None:
    answer = metered_answer()
    front = [
        {"key": "a", "title": "A", "value": 10.0, "cents": 500},
        {"key": "b", "title": "B", "value": 20.0, "cents": 900},
    ]
    points = [
        {"key": "a", "title": "A", "value": 10.0, "cents": 500},
        {"key": "c", "title": "C", "value": 10.0, "cents": 600},
        {"key": "d", "title": "D", "value": 12.0, "cents": 1000},
        {"key": "e", "title": "E", "value": 12.0, "cents": 700},
        {"key": "f", "title": "F", "value": 30.0, "cents": 900},
    ]
    rest = {"monthly_cost": "0.00", "metered_cost": "0.00", "meets": True}

    panel = cost_panel({**answer, "front": [row | rest for row in front], "points": [row | rest for row in points]})

    grey = panel.figure["data"][0]["text"]
    assert grey == [
        "A<br>$5.00 a month",
        "C<br>$6.00 a month<br>beaten by A",
        "D<br>$10.00 a month<br>beaten by B",
        "E<br>$7.00 a month<br>breaks another limit",
        "F<br>$9.00 a month<br>breaks another limit",
    ]
    assert go.Figure(panel.figure).to_plotly_json()["data"] == panel.figure["data"]


@pytest.mark.django_db
def test_page_and_list_tell_the_expected_use_beside_the_cost(ana: User, metered_advice: Advice) -> None:
    page = client_of(ana).get(reverse("advice-detail", args=[metered_advice.pk])).content.decode()
    listed = client_of(ana).get(reverse("advice-list")).content.decode()

    assert "500 GB Bandwidth: $50.00 a month + $10.00 expected for use</h1>" in page
    assert "+ $10.00 expected for use, nothing to pay once" in page
    assert "It is sold in Here. What limits it:" in page
    assert "a month + $10.00 expected for use</span>" in listed


@pytest.mark.django_db
def test_a_runner_up_tells_its_expected_use_and_its_place(ana: User, metered_advice: Advice) -> None:
    answer = answer_of(metered_advice)
    second = answer["runners_up"][0]
    metered_advice.run.result = {**answer, "runners_up": [{**second, "metered_cost": "7.50", "place": "Elsewhere"}]}
    metered_advice.run.save()

    page = client_of(ana).get(reverse("advice-detail", args=[metered_advice.pk])).content.decode()

    assert '<span class="muted small">+ $7.50 expected for use</span>' in page
    assert f'{second["title"]} <span class="muted small">Elsewhere</span>' in page


@pytest.mark.django_db
def test_an_answer_from_before_expected_use_was_kept_is_still_shown(ana: User, metered_advice: Advice) -> None:
    answer = answer_of(metered_advice)
    rows = [answer["best"], *answer["runners_up"], *answer["front"], *answer["points"]]
    for row in rows:
        row.pop("metered_cost", None)
        row.pop("place", None)
    metered_advice.run.save()

    page = client_of(ana).get(reverse("advice-detail", args=[metered_advice.pk])).content.decode()

    assert "500 GB Bandwidth: $50.00 a month</h1>" in page


@pytest.mark.django_db
def test_the_answer_is_downloaded_as_a_table(ana: User, metered_advice: Advice) -> None:
    answer = answer_of(metered_advice)
    address = reverse("advice-csv", args=[metered_advice.pk])
    page = client_of(ana).get(reverse("advice-detail", args=[metered_advice.pk])).content.decode()

    sent = client_of(ana).get(address)

    rows = list(csv.DictReader(StringIO(sent.content.decode())))
    places = [str(2 + place) for place in range(len(answer["runners_up"]))]
    assert [row["rank"] for row in rows] == ["best", *places, *["front"] * len(answer["front"])]
    assert rows[0] == {
        "rank": "best", "title": "1 × Plain, 0.1 Gb/s, 500 GB Bandwidth", "place": "Here", "figure": "Peak rate",
        "value": "0.07", "unit": "Gb/s", "monthly_cost": "50.00", "metered_cost": "10.00", "once_cost": "0.00",
        "currency": "USD", "meets": "yes", "reason": "", "change": "", "key": answer["best"]["key"],
    }  # fmt: skip
    assert rows[1]["change"] == answer["runners_up"][0]["change"]["words"]
    assert rows[-1]["title"] == answer["front"][-1]["title"]
    assert sent["Content-Disposition"] == f'attachment; filename="advice-{metered_advice.pk}.csv"'
    assert f'href="{address}"' in page


@pytest.mark.django_db
def test_without_an_answer_the_table_has_the_front_or_its_header_alone(ec2: None, account: Account, ana: User) -> None:
    impossible = make_answered_advice(account, ana, "network", peak="1,000 Gbit/s")
    waiting = make_advice(account, ana, "raid")
    buyer = client_of(ana)

    before, nothing = (
        list(csv.DictReader(StringIO(buyer.get(reverse("advice-csv", args=[each.pk])).content.decode())))
        for each in (waiting, impossible)
    )

    assert before == []
    assert {(row["rank"], row["meets"], row["unit"]) for row in nothing} == {("front", "no", "Gb/s")}
