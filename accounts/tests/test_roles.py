import pytest

from accounts.roles import ALLOWED, allowed_words, can


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (None, set()),
        ("viewer", {"read"}),
        ("buyer", {"read", "plan", "draft", "quote", "place"}),
        ("approver", {"read", "plan", "draft", "quote", "place", "approve"}),
        ("owner", {"read", "plan", "draft", "quote", "place", "approve", "manage"}),
        ("partner_staff", {"read", "plan", "draft", "quote"}),
    ],
)
def test_each_role_may_do_exactly_this(role, allowed):
    assert {action for action in ALLOWED if can(role, action)} == allowed


def test_an_action_that_nobody_knows_is_a_bug():
    with pytest.raises(KeyError):
        can("owner", "fly")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("manage", "an owner"),
        ("approve", "an approver or owner"),
        ("quote", "a buyer, approver, owner or one of the partner's staff"),
    ],
)
def test_who_may_do_something_is_told_in_words(action, words):
    assert allowed_words(action) == words
