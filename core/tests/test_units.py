"""Quantities are read as people type them, and shown so that they read back."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import units


@pytest.mark.parametrize(
    ("text", "gigabytes"),
    [
        ("2 TB", "2000"),
        ("2tb", "2000"),
        ("60 TB", "60000"),
        ("0.06 PB", "60000"),
        ("1.8 TiB", "1979.1209299968"),
        ("850GB", "850"),
        ("1,500 GB", "1500"),
        ("500 MB", "0.5"),
    ],
)
def test_a_capacity_is_read_in_gigabytes(text: str, gigabytes: str) -> None:
    assert units.capacity_gb(text) == Decimal(gigabytes)


@pytest.mark.parametrize(
    ("text", "mb_s"), [("175MB/s", "175"), ("1.2 GB/s", "1200"), ("1 GiB/s", "1073.741824"), ("900 kb/s", "0.9")]
)
def test_a_throughput_is_read_in_megabytes_a_second(text: str, mb_s: str) -> None:
    assert units.throughput_mb_s(text) == Decimal(mb_s)


@pytest.mark.parametrize(
    "text", ["", "2", "two TB", "2 bananas", "-2 TB", "0 TB", "1e308 TB", "NaN TB", "2 TB TB", "9999999999 PB"]
)
def test_what_is_no_capacity_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="2 TB"):
        units.capacity_gb(text)


@pytest.mark.parametrize(("text", "value"), [("9000", "9000"), ("$9,000.50", "9000.50"), ("€ 12", "12")])
def test_an_amount_is_read_with_or_without_its_sign(text: str, value: str) -> None:
    assert units.amount(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "lots", "-1", "NaN", "Infinity", "1e308"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"amount"):
        units.amount(text)


@pytest.mark.parametrize("typed", ["2,5", "1,50", "0,085", "12,5", "0,5", "1234,567", "012,345", "1,0000"])
def test_a_decimal_comma_is_refused_with_the_point_to_write(typed: str) -> None:
    for read, text in (
        (units.capacity_gb, f"{typed} TB"),
        (units.throughput_mb_s, f"{typed} GB/s"),
        (units.amount, typed),
    ):
        with pytest.raises(
            ValueError, match=f"^“{typed}” could be read in two ways. Write {typed.replace(',', '[.]')}: "
        ):
            read(text)


@pytest.mark.parametrize("typed", ["1,00,000", "1 5", "1,000 000", "1.234,5", "1,", "1,000,00"])
def test_marks_elsewhere_than_between_groups_of_three_are_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=f"^“{typed}” could be read in two ways. Write it like 1,000.5: "):
        units.amount(f"$ {typed}")


@given(value=st.decimals(0, 10**9, places=3), mark=st.sampled_from(",_' \u202f"))
def test_a_number_reads_the_same_with_marks_between_its_thousands(value: Decimal, mark: str) -> None:
    assert units.amount(f"{value:,}".replace(",", mark)) == value


@given(whole=st.integers(0, 10**9), decimals=st.from_regex(r"[0-9]{1,6}", fullmatch=True))
def test_a_decimal_comma_never_multiplies_a_number(whole: int, decimals: str) -> None:
    is_group = 1 <= whole <= 999 and len(decimals) == 3
    try:
        assert units.amount(f"{whole},{decimals}") == whole * 1000 + int(decimals)
        assert is_group
    except ValueError:
        assert not is_group


@given(st.text(max_size=30))
def test_no_text_breaks_the_reading(text: str) -> None:
    for read in (units.capacity_gb, units.throughput_mb_s, units.amount):
        assert _is_read_or_told_how_to_write_it(read, text)


@pytest.mark.parametrize(
    ("gigabytes", "words"),
    [("850", "850 GB"), ("2000", "2 TB"), ("3416.667", "3.42 TB"), ("1224000", "1.22 PB"), ("0.5", "0.5 GB")],
)
def test_a_capacity_is_shown_in_the_unit_that_suits_it(gigabytes: str, words: str) -> None:
    assert units.capacity_words(Decimal(gigabytes)) == words


@pytest.mark.parametrize(
    ("mb_s", "words"), [(175, "175 MB/s"), (166.637, "166.6 MB/s"), (1200, "1.2 GB/s"), (8.346, "8.35 MB/s")]
)
def test_a_throughput_is_shown_with_the_places_it_needs(mb_s: float, words: str) -> None:
    assert units.throughput_words(mb_s) == words


def _is_read_or_told_how_to_write_it(read: Callable[[str], Decimal], text: str) -> bool:
    try:
        return read(text).is_finite()
    except ValueError as refusal:
        return "Write" in str(refusal)
