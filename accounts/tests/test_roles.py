import pytest

from accounts.roles import LEAST_ROLE_FOR, can


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (None, set()),
        ("viewer", {"read"}),
        ("buyer", {"read", "plan", "draft", "place"}),
        ("approver", {"read", "plan", "draft", "place", "approve"}),
        ("owner", {"read", "plan", "draft", "place", "approve", "manage"}),
    ],
)
def test_each_role_may_do_exactly_this(role, allowed):
    assert {action for action in LEAST_ROLE_FOR if can(role, action)} == allowed


def test_an_action_that_nobody_knows_is_a_bug():
    with pytest.raises(KeyError):
        can("owner", "fly")
