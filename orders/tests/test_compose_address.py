"""The composer's address: nothing typed is lost on the way there and back."""

from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from orders.compose_address import Asked, Pick, asked_in

WORDS = st.text(st.characters(codec="utf-8"), max_size=12).map(str.strip)
CODES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
PICKS = st.builds(Pick, value=WORDS.filter(bool), count=st.sampled_from(["1", "2", "12", "many"]))
ASKED = st.builds(
    Asked,
    package=WORDS,
    location=WORDS,
    term=WORDS,
    hours=WORDS,
    quantity=st.one_of(st.none(), WORDS.filter(bool)),
    name=st.one_of(st.none(), WORDS),
    hosts=WORDS,
    contract=WORDS,
    code=WORDS,
    order=WORDS,
    container=WORDS,
    picks=st.one_of(st.none(), st.dictionaries(CODES, st.lists(PICKS, min_size=1, max_size=3).map(tuple), max_size=4)),
    searches=st.dictionaries(CODES, WORDS.filter(bool), max_size=2),
)


def read(query):
    return asked_in(QueryDict(query))


@given(ASKED)
def test_an_address_read_again_says_the_same(asked):
    assert read(asked.query()) == asked


def test_an_address_without_choices_leaves_them_open_and_one_with_none_does_not():
    assert read("package=server").picks is None
    assert read("package=server&choice=none").picks == {}
    assert read("package=server&choice-os=").picks == {"os": ()}


def test_counts_go_with_their_choices():
    asked = read(
        "choice-disk=ssd&count-disk=4&choice-disk=&count-disk=9&choice-disk=sata&count-disk=2&choice-os=debian"
    )

    assert asked.picks == {"disk": (Pick("ssd", "4"), Pick("sata", "2")), "os": (Pick("debian"),)}


def test_equal_choices_become_one_row():
    asked = Asked().with_choices([("disk", "ssd"), ("os", "debian"), ("disk", "ssd"), ("disk", "sata")])

    assert asked.picks == {"disk": (Pick("ssd", "2"), Pick("sata")), "os": (Pick("debian"),)}
