import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.colours import contrast

colours = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


def test_black_on_white_has_the_largest_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_the_lightest_grey_that_reads_on_white_is_known():
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert contrast("#777777", "#ffffff") < 4.5


@given(colours, colours)
def test_contrast_does_not_depend_on_which_colour_is_the_ink(first, second):
    assert contrast(first, second) == contrast(second, first)
    assert 1 <= contrast(first, second) <= 21.000001
