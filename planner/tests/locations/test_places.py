import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.locations.gazetteer import shipped_gazetteer
from planner.locations.places import MOST_PLACES, Place, PlacesRefused, number_of_users, places_of


def read(text: str) -> tuple[Place, ...]:
    return places_of(text, shipped_gazetteer())


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(PlacesRefused) as refusal:
        read(text)
    return refusal.value.args


PARIS = Place("Paris, FR", 48.853, 2.349, 12_000, 1)


@pytest.mark.parametrize(
    "line",
    [
        "Paris, 12000",
        "Paris, 12,000",
        "Paris 12 000",
        "Paris: 12'000",
        "Paris; 12.000",
        "Paris\t12k",
        "Paris, France, 12k users",
        "paris, FR, 12,000",
        '"Paris, France",12000',
        "PARIS ; 0.012 million",
    ],
)
def test_a_named_place_is_read_however_it_is_typed(line: str) -> None:
    assert read(line) == (PARIS,)


@pytest.mark.parametrize(
    "line",
    [
        "48.85, 2.35, 1200",
        "48.85,2.35,1200",
        "48.85 N, 2.35 E, 1.2k",
        "48.85 2.35 1200",
        "48.85N 2.35E; 1,200",
        "48,85; 2,35; 1.200",
        "+48.85° ; 2.35° ; 1200 users",
    ],
)
def test_coordinates_are_read_however_they_are_typed(line: str) -> None:
    assert read(line) == (Place("48.85° N, 2.35° E", 48.85, 2.35, 1_200, 1),)


def test_coordinates_may_have_a_name_of_their_own() -> None:
    assert read("Our office; -33.9; 151.2; 50") == (Place("Our office", -33.9, 151.2, 50, 1),)
    assert read("Buoy, 10 S, 20 W, 5") == (Place("Buoy", -10.0, -20.0, 5, 1),)


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("Portland, Oregon", "Portland, OR, US"),
        ("Portland, OR", "Portland, OR, US"),
        ("London", "London, GB"),
        ("London, Canada", "London, CA"),
        ("St. Petersburg", "Saint Petersburg, RU"),
        ("St. Petersburg, Florida", "St. Petersburg, FL, US"),
        ("München", "Munich, DE"),
        ("sao paulo", "São Paulo, BR"),
        ("Bombay", "Mumbai, IN"),
        ("NYC", "New York City, NY, US"),
    ],
)
def test_of_cities_of_one_name_the_one_is_meant_that_fits_or_is_largest(named: str, found: str) -> None:
    assert read(f"{named}; 1")[0].name == found


def test_headings_comments_and_empty_lines_are_passed_over_and_lines_keep_their_numbers() -> None:
    places = read("\ufeffcity,users\n\n# Europe\nParis,10\n\nTokyo,20\n")

    assert [(place.name, place.users, place.line) for place in places] == [("Paris, FR", 10, 4), ("Tokyo, JP", 20, 6)]


def test_every_wrong_line_is_named_with_what_is_nearest() -> None:
    told = problems("Paris, 10\nLonndon, 5\nTokyo\nRome, many\n91, 0, 5\nParis, Portugal, 3")

    assert told == (
        "Line 2: “Lonndon” is no place known here. Nearest: London, GB. Or write latitude and longitude.",
        "Line 3: “Tokyo” says no number of users. Write it like: Paris, 12000",
        "Line 4: “many” is no number of users. Write it like 12000 or 3.5k.",
        "Line 5: A latitude is from -90 to 90 degrees, not 91.",
        "Line 6: “Paris, Portugal” is no place known here. Nearest: Paris, FR. Or write latitude and longitude.",
    )


def test_nothing_and_too_much_are_refused() -> None:
    assert problems("\n# nobody\n") == ("Write a place and its number of users on each line, like: Paris, 12000",)
    assert problems("Paris, 1\n" * (MOST_PLACES + 1)) == (
        f"Write at most {MOST_PLACES:,} places, not {MOST_PLACES + 1:,}. Join neighbours.",
    )


@pytest.mark.parametrize(
    ("typed", "users"),
    [
        ("1", 1),
        ("1,234,567", 1_234_567),
        ("1.5k", 1_500),
        ("1,5 k", 1_500),
        ("2 million", 2_000_000),
        ("0.5m", 500_000),
    ],
)
def test_numbers_of_users_are_read_as_people_type_them(typed: str, users: int) -> None:
    assert number_of_users(typed) == users


@pytest.mark.parametrize("typed", ["0", "-5", "1.5", "1.2345k", "2,000 million", "1.2.3", "ten", "", "9" * 30, "1e3"])
def test_what_is_no_number_of_users_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="is no number of users"):
        number_of_users(typed)


@given(text=st.text(max_size=200))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        told: tuple[object, ...] = read(text)
    except PlacesRefused as refusal:
        told = refusal.args

    assert told
    assert all(isinstance(each, str | Place) for each in told)


@given(users=st.integers(1, 999_999_999))
def test_thousands_parted_by_commas_read_back(users: int) -> None:
    assert read(f"Paris, {users:,}")[0].users == users
    assert read(f"48.5, 2.5, {users}")[0].users == users
