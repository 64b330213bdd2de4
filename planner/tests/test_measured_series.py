"""Two measured series side by side: gains of configurations, and whether they are more than noise."""

import math

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from accounts.tests.factories import client_of, make_account, make_member
from planner.measurements.comparing import comparison_of, metrics_in_both, t_quantile
from planner.measurements.pages import comparison_heading, gain_panel
from planner.models import Measurement, MeasurementFile
from planner.tests.test_measurements import keep


def series(values: dict[str, float], metric: str = "value") -> list[Measurement]:
    return [Measurement(label=name, configuration=name, metric=metric, value=value) for name, value in values.items()]


@pytest.mark.parametrize(
    ("degrees", "expected"), [(2, 4.302653), (3, 3.182446), (10, 2.228139), (30, 2.042272), (1000, 1.962339)]
)
def test_the_quantile_is_student_s(degrees, expected):
    assert t_quantile(degrees) == pytest.approx(expected, abs=2e-5)


def test_each_configuration_gains_what_it_gains_and_the_mean_is_of_ratios():
    first, second = series({"a": 100, "b": 200, "c": 50}), series({"a": 110, "b": 240, "c": 50})

    found = comparison_of(first, second, metric="value")

    assert [(pair.name, round(pair.gain, 12)) for pair in found.pairs] == [("a", 0.1), ("b", 0.2), ("c", 0.0)]
    assert found.mean == pytest.approx((1.1 * 1.2 * 1.0) ** (1 / 3) - 1)
    assert (found.lowest.name, found.highest.name) == ("c", "b")
    assert found.low < found.mean < found.high
    assert found.is_more_than_noise is False


def test_a_gain_of_all_alike_is_more_than_noise():
    first = dict.fromkeys("abcdef", 100.0)
    second = {name: 110.0 + number / 10 for number, name in enumerate("abcdef")}

    found = comparison_of(series(first), series(second), metric="value")

    assert found.is_more_than_noise is True
    assert 0.1 < found.low < found.mean < found.high < 0.11


def test_two_pairs_cannot_tell():
    found = comparison_of(series({"a": 1, "b": 1}), series({"a": 2, "b": 2}), metric="value")

    assert (found.low, found.high, found.is_more_than_noise) == (None, None, None)
    assert found.mean == pytest.approx(1.0)


def test_a_lower_latency_is_a_gain():
    found = comparison_of(series({"a": 10}, "mean_ms"), series({"a": 5}, "mean_ms"), metric="mean_ms")

    assert found.pairs[0].gain == pytest.approx(1.0)


def test_what_was_measured_several_times_counts_by_its_mean_and_what_is_missing_is_named():
    first = [*series({"a": 100}), *series({"a": 400, "alone": 7})]

    found = comparison_of(first, series({"a": 100, "new": 3}), metric="value")

    assert [(pair.name, round(pair.first, 9)) for pair in found.pairs] == [("a", 200.0)]
    assert (found.only_first, found.only_second) == (("alone",), ("new",))


def test_series_without_a_configuration_in_common_cannot_be_compared():
    assert metrics_in_both(series({"a": 1}), series({"b": 1})) == []
    with pytest.raises(ValueError, match="no configuration in common"):
        comparison_of(series({"a": 1}), series({"b": 1}), metric="value")


values = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.01, 1e6), min_size=3)


@given(values, st.floats(0.1, 10.0))
def test_the_other_way_round_the_gain_is_the_inverse(first, factor):
    second = {name: value * factor for name, value in first.items()}

    there = comparison_of(series(first), series(second), metric="value")
    back = comparison_of(series(second), series(first), metric="value")

    assert (1 + there.mean) * (1 + back.mean) == pytest.approx(1)
    assert there.mean == pytest.approx(factor - 1, abs=1e-9)
    assert there.low is not None
    assert back.high is not None
    assert (1 + there.low) * (1 + back.high) == pytest.approx(1)


@given(values, st.randoms())
def test_the_mean_lies_between_the_lowest_and_the_highest(first, random):
    second = {name: value * random.uniform(0.5, 2.0) for name, value in first.items()}

    found = comparison_of(series(first), series(second), metric="value")

    assert found.lowest.gain - 1e-9 <= found.mean <= found.highest.gain + 1e-9
    assert not math.isnan(found.mean)


def test_the_chart_has_a_bar_for_each_pair_and_the_same_in_its_table():
    old, new = MeasurementFile(name="1.1"), MeasurementFile(name="2.0")
    found = comparison_of(series({"a": 100, "b": 100, "c": 100}), series({"a": 120, "b": 90, "c": 110}), metric="value")

    panel = gain_panel(found, old, new)

    assert panel.figure["data"][0]["y"] == ["b", "c", "a"]
    assert panel.figure["data"][0]["x"] == [-10.0, 10.0, 20.0]
    assert [row[0] for row in panel.rows] == ["a", "c", "b"]
    assert panel.rows[0] == ["a", "100", "120", "+20.0 %"]
    assert comparison_heading(found, old, new) == "2.0 and 1.1: no difference beyond noise on 3 configurations"


def test_two_uploaded_series_are_compared_on_a_page(db, account, ana):
    files = [
        keep(account, ana, f"configuration,value,unit\na,{each},MB/s\nb,{each + 2},MB/s\nc,{each + 4},MB/s\n".encode(),
             name=name)
        for name, each in (("1.1", 100), ("2.0", 120))
    ]  # fmt: skip

    address = f"{reverse('measurement-compare')}?first={files[0].pk}&second={files[1].pk}"
    page = client_of(ana).get(address)

    assert page.status_code == 200
    assert page.context["heading"] == "2.0 beats 1.1 by 19.6 % on 3 configurations: more than noise"
    assert "+20.0 %" in page.content.decode()


def test_series_of_another_account_cannot_be_compared(db, account, ana):
    ours = keep(account, ana, b"a,1\n")
    other = make_account(partner=account.partner, name="Other")
    theirs = keep(other, make_member(other, email="eva@north.example"), b"a,2\n")

    page = client_of(ana).get(f"{reverse('measurement-compare')}?first={ours.pk}&second={theirs.pk}")

    assert page.status_code == 404


def test_series_with_nothing_in_common_lead_back_with_a_word(db, account, ana):
    files = [keep(account, ana, data) for data in (b"a,1\n", b"b,2\n")]

    page = client_of(ana).get(f"{reverse('measurement-compare')}?first={files[0].pk}&second={files[1].pk}", follow=True)

    assert "have no configuration in common" in page.content.decode()
