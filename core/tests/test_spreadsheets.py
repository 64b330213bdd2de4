from csv import reader
from decimal import Decimal
from io import StringIO

from hypothesis import given
from hypothesis import strategies as st

from core.spreadsheets import FORMULA_BEGINS_WITH, csv_of


def test_numbers_stay_numbers_and_nothing_stays_empty():
    assert csv_of(columns=["a", "b", "c"], rows=[[Decimal("-1.50"), None, 3]]) == "a,b,c\r\n-1.50,,3\r\n"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r")))
def test_no_words_begin_as_a_formula_and_none_are_lost(words):
    _, (cell,) = reader(StringIO(csv_of(columns=["words"], rows=[[words]]), newline="")) if words else ((), ("",))

    assert not cell.startswith(FORMULA_BEGINS_WITH)
    assert cell in (words, f"'{words}")
