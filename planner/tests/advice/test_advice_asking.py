"""Reading what people type for advice, and writing numbers so that they read back the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputRefused
from planner.advice.answering import MOST_DIGITS, floored
from planner.advice.asking import exact_words, quantity, sentence_pieces, values_of, whole
from planner.advice.raid import IOPS, KIND
from planner.advice.registry import KINDS
from planner.simulations.quantities import PLAIN


@given(st.floats(min_value=1, max_value=1e8))
def test_a_number_in_words_reads_back_as_the_same_number(value: float) -> None:
    typed = float(f"{value:.{MOST_DIGITS}g}")

    assert quantity(IOPS, low=1, high=1e8)(exact_words(typed, "IOPS")) == typed


@given(st.floats(min_value=0.01, max_value=1e9), st.floats(min_value=0, max_value=0.999))
def test_a_number_is_rounded_down_and_stays_above_the_one_before(value: float, share: float) -> None:
    below = value * share

    assert below < floored(value, above=below) <= value


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(InputRefused) as refused:
        values_of(KIND.fields, {"capacity": "", "iops": "fast", "failures": "1.5", "media": "tape", "colour": "red"})

    told = {violation.field: violation.words for violation in refused.value.violations}
    assert set(told) == {"capacity", "iops", "failures", "media", "colour"}
    assert told["capacity"] == "Usable capacity is missing. Write it like 2 TB."
    assert "no whole number" in told["failures"]


@pytest.mark.parametrize(
    ("key", "field"), [("raid", "capacity"), ("io_audit", "series"), ("virtual_to_physical", "scores")]
)
def test_a_nul_character_is_refused_in_every_field(key: str, field: str) -> None:
    with pytest.raises(InputRefused) as refused:
        values_of(KINDS[key].fields, {field: "1 \x00 TB"})

    label = KINDS[key].named(field).label
    (problem,) = refused.value.violations
    assert (problem.code, problem.field) == ("not_text", field)
    assert problem.words == f"{label}: there is a NUL character in it, which no text has. Send it as plain text."


def test_numbers_out_of_range_say_the_range() -> None:
    with pytest.raises(ValueError, match="Write 1 to 16"):
        whole(PLAIN, low=1, high=16)("17")


def test_a_sentence_is_split_at_its_blanks() -> None:
    assert sentence_pieces("I need {capacity} at {iops}.") == [("I need ", "capacity"), (" at ", "iops"), (".", "")]
