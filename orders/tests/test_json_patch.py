"""JSON Patch as RFC 6902 says, for the operations of repairs; and patches of random changes of parts."""

from collections import Counter
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.containers import CategoryChange, ContainerRepair
from catalog.models import Item
from core.errors import RuleBroken
from orders.documents import PartRow
from orders.json_patch import patch_apply
from orders.repairs import OrderRepair, patch_of

ITEMS = [Item(pk=number, key_name=f"k{number}", description=f"item {number}") for number in range(1, 5)]
CODES = ("os", "disk0", "addon")


@pytest.mark.parametrize(
    ("document", "patch", "result"),
    [
        ({"foo": "bar"}, {"op": "add", "path": "/baz", "value": "qux"}, {"foo": "bar", "baz": "qux"}),
        ({"foo": [1, 3]}, {"op": "add", "path": "/foo/1", "value": 2}, {"foo": [1, 2, 3]}),
        ({"foo": [1]}, {"op": "add", "path": "/foo/-", "value": [2]}, {"foo": [1, [2]]}),
        ({"foo": [1]}, {"op": "add", "path": "/foo/1", "value": 2}, {"foo": [1, 2]}),
        ({"foo": 1}, {"op": "add", "path": "/foo", "value": 2}, {"foo": 2}),
        ({"foo": [1, 2, 3]}, {"op": "remove", "path": "/foo/1"}, {"foo": [1, 3]}),
        ({"foo": 1, "bar": 2}, {"op": "replace", "path": "/foo", "value": 3}, {"foo": 3, "bar": 2}),
        ({"a/b": {"m~n": 1}}, {"op": "replace", "path": "/a~1b/m~0n", "value": 2}, {"a/b": {"m~n": 2}}),
        ({"~1": 1}, {"op": "test", "path": "/~01", "value": 1}, {"~1": 1}),
        ({"foo": 1}, {"op": "replace", "path": "", "value": [1]}, [1]),
    ],
)
def test_an_operation_does_what_the_standard_says(document, patch, result):
    before = deepcopy(document)

    assert patch_apply(document, [patch]) == result
    assert document == before


@pytest.mark.parametrize(
    "patch",
    [
        {"op": "test", "path": "/foo/0", "value": 2},
        {"op": "remove", "path": "/bar"},
        {"op": "replace", "path": "/bar", "value": 1},
        {"op": "add", "path": "/foo/3", "value": 1},
        {"op": "add", "path": "/foo/01", "value": 1},
        {"op": "add", "path": "/foo/٣", "value": 1},
        {"op": "add", "path": "/bar/x", "value": 1},
        {"op": "remove", "path": "/foo/-"},
        {"op": "add", "path": "/foo/0/x", "value": 1},
        {"op": "copy", "path": "/foo", "from": "/foo"},
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(patch):
    document = {"foo": [1, 2]}

    with pytest.raises(RuleBroken) as refusal:
        patch_apply(document, [{"op": "add", "path": "/new", "value": 1}, patch])

    assert refusal.value.code == "patch_failed"
    assert document == {"foo": [1, 2]}


rows = st.lists(
    st.builds(PartRow, st.sampled_from(CODES), st.sampled_from([item.pk for item in ITEMS]), st.integers(1, 3)),
    max_size=6,
)
wanted = st.dictionaries(st.sampled_from(CODES), st.lists(st.sampled_from(ITEMS), max_size=4))


@given(rows, wanted)
def test_a_patch_of_parts_leads_from_what_is_listed_to_what_is_wanted(listed, after):
    before = {code: [row for row in listed if row.category_code == code] for code in CODES}
    changes = tuple(
        CategoryChange(code, code, tuple(_items(before[code])), tuple(items)) for code, items in after.items()
    )
    document = {"items": [{"containers": [{"parts": [row.as_json for row in listed]}]}]}
    repair = OrderRepair("items[0].containers[0]", tuple(listed), ContainerRepair(changes=changes))

    mended = patch_apply(document, patch_of([repair]))

    found = Counter()
    for part in mended["items"][0]["containers"][0]["parts"]:
        found[part["category"], part["item_id"]] += part["count"]
    expected = Counter(
        (code, item.pk) for code in CODES for item in (after[code] if code in after else _items(before[code]))
    )
    assert found == expected


def _items(listed: list[PartRow]) -> list[Item]:
    return [item for row in listed for item in ITEMS if item.pk == row.item_id for _ in range(row.count)]
