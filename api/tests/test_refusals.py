import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.errors import violations_of
from api.tests.conftest import Caller, caller_for
from api.tests.factories import make_blueprint, make_plan, make_simulation
from api.tests.test_orders import ASKED
from orders.models import BillingOrder
from orders.tests.factories import PACKAGE

pytestmark = pytest.mark.django_db

SHAPE = {"code", "message", "violations"}
READS = (
    "/api/v1/locations",
    "/api/v1/packages",
    "/api/v1/packages/virtual-server",
    "/api/v1/packages/virtual-server/items",
    "/api/v1/items",
    "/api/v1/items/{item}/price",
    "/api/v1/items/{item}/prices",
    "/api/v1/blueprints",
    "/api/v1/blueprints/node",
    "/api/v1/advice-kinds",
    "/api/v1/advice",
    "/api/v1/plans",
    "/api/v1/plans/{plan}",
    "/api/v1/simulations",
    "/api/v1/simulations/{simulation}",
    "/api/v1/orders",
    "/api/v1/orders/{order}",
)
CREATES = (
    "/api/v1/advice",
    "/api/v1/plans",
    "/api/v1/simulations",
    "/api/v1/orders",
    "/api/v1/orders/verify",
    "/api/v1/blueprints/node/order",
)
CHANGES = (
    "/api/v1/plans/{plan}/cancel",
    "/api/v1/plans/{plan}/order",
    "/api/v1/simulations/{simulation}/cancel",
    "/api/v1/simulations/{simulation}/retry",
    "/api/v1/orders/{order}/verify",
    "/api/v1/orders/{order}/refresh",
    "/api/v1/orders/{order}/place",
    "/api/v1/orders/{order}/cancel",
)
OWNED = tuple(path for path in READS if "{plan}" in path or "{order}" in path or "{simulation}" in path)


@pytest.fixture
def node(shop):
    """A blueprint of that name."""
    return make_blueprint(shop, "node", ("node", 1, "m1.small"))


@pytest.fixture
def address(shop, account, ana, draft, node):
    """Return the address of something that the account owns."""
    owned = {"plan": make_plan(account, ana).pk, "simulation": make_simulation(account, ana).pk, "order": draft.pk}
    return lambda path: path.format(item=shop.items["m1.small"].pk, **owned)


@pytest.mark.parametrize("path", READS)
def test_nobody_reads_without_a_key(address, path):
    answer = Caller().get(address(path))

    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert answer["WWW-Authenticate"] == "Api-Key"
    assert set(answer.json()) == SHAPE


@pytest.mark.parametrize("path", CREATES + CHANGES)
def test_nobody_changes_anything_without_a_key(address, path):
    assert Caller().post(address(path)).status_code == 401


def test_an_unknown_key_is_refused(address):
    answer = Caller("rw_unknown").get("/api/v1/orders")

    assert (answer.status_code, answer.json()["code"]) == (401, "api_key_refused")


@pytest.mark.parametrize("path", CREATES + CHANGES)
def test_a_key_that_reads_changes_nothing(address, account, ana, path):
    answer = caller_for(account, ana, scope="read").post(address(path))

    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert set(answer.json()) == SHAPE


def test_a_browser_changes_nothing_without_the_token_of_its_session(address, ana):
    browser = Client(enforce_csrf_checks=True, headers={"host": "north.localhost"})
    browser.force_login(ana)

    answer = browser.post("/api/v1/orders", data=ASKED, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert BillingOrder.objects.count() == 1


@pytest.mark.parametrize("path", OWNED)
def test_what_another_account_owns_is_answered_like_what_never_was(address, stranger, path):
    theirs, missing = stranger.get(address(path)), stranger.get(path.format(plan=10**9, simulation=10**9, order=10**9))

    assert theirs.status_code == missing.status_code == 404
    assert theirs.json() == missing.json()
    assert set(theirs.json()) == SHAPE


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize("body", [{}, {"wrong": True}])
def test_what_another_account_owns_cannot_be_changed_whatever_is_sent(address, stranger, draft, path, body):
    before = list(BillingOrder.objects.values())

    answer = stranger.post(address(path), body)

    assert answer.status_code == 404
    assert list(BillingOrder.objects.values()) == before


@pytest.mark.parametrize("path", ["/api/v1/orders", "/api/v1/plans", "/api/v1/simulations"])
def test_lists_hold_nothing_of_other_accounts(address, stranger, path):
    assert stranger.get(path).json()["count"] == 0


@pytest.mark.parametrize("path", ["/api/v1/orders/99999999999999999999", "/api/v1/plans/99999999999999999999"])
def test_an_id_beyond_all_numbers_is_not_found(program, path):
    assert program.get(path).status_code == 404


@pytest.mark.parametrize("path", CHANGES)
def test_a_field_that_a_call_does_not_know_is_refused_by_name(address, program, path):
    answer = program.post(address(path), {"colour": "red"})

    assert answer.status_code == 422
    assert [(each["code"], each["field"]) for each in answer.json()["violations"]] == [("field_unknown", "colour")]


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": NaN}',
        b'{"hours_per_month": Infinity}',
        b'{"name": "a", "name": "b"}',
        b'{"\\ud800": 1}',
        b'{"name": ',
        b"\xff\xfe",
        b"[" * 100_000,
        b"9" * 5000,
    ],
)
def test_what_is_not_json_is_refused(program, body):
    answer = program.post("/api/v1/orders", raw=body)

    assert (answer.status_code, answer.json()["code"]) == (400, "json_unreadable")
    assert set(answer.json()) == SHAPE


@pytest.mark.parametrize("headers", [{}, {"idempotency-key": "k"}])
def test_a_body_that_is_too_large_is_refused(program, settings, headers):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100

    answer = program.post("/api/v1/orders", raw=b" " * 101, **headers)

    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


def test_a_body_that_is_no_object_is_refused(program, shop):
    answer = program.post("/api/v1/orders", [ASKED])

    assert answer.status_code == 422
    assert [each["field"] for each in answer.json()["violations"]] == [""]


def test_a_method_or_a_format_that_is_not_understood_is_refused_in_the_same_shape(program):
    wrong_method = program.client.delete("/api/v1/orders")
    wrong_format = program.client.post("/api/v1/orders", data="a=1", content_type="application/x-www-form-urlencoded")

    assert (wrong_method.status_code, wrong_method.json()["code"]) == (405, "method_not_allowed")
    assert (wrong_format.status_code, wrong_format.json()["code"]) == (415, "unsupported_media_type")
    assert set(wrong_method.json()) == set(wrong_format.json()) == SHAPE


def test_the_path_of_a_violation_leads_to_its_field():
    refused = {"items": {1: {"parts": {0: {"item": [{"message": "Missing.", "code": "required"}]}}}}}

    assert [violation.field for violation in violations_of(refused)] == ["items[1].parts[0].item"]


ORDERS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(max_size=5),
        "location": st.sampled_from(["us-east-1", "moon", None, 3]),
        "term": st.sampled_from(["hourly", "monthly", "yearly"]),
        "hours_per_month": st.sampled_from([720, "1", 0, -1, "NaN", 10**9]),
        "items": st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "name": st.text(max_size=3),
                    "package": st.sampled_from([PACKAGE, "none", "", None]),
                    "quantity": st.sampled_from([1, 0, 400_000, 10**30, "2", None]),
                    "host_names": st.sampled_from(["web-{n}", "a b", "_", "", None]),
                    "parts": st.lists(
                        st.fixed_dictionaries(
                            {"category": st.sampled_from(["machine_type", "os", "gpu", 1])},
                            optional={
                                "item": st.sampled_from(["m1.small", "m9.unpriced", "debian", "none", 1]),
                                "item_id": st.sampled_from([1, 0, 10**18, 10**30, "x"]),
                                "count": st.sampled_from([1, 100, 101, 0, -1, 10**30]),
                            },
                        ),
                        max_size=3,
                    ),
                    "containers": st.lists(st.just({"package": PACKAGE, "parts": []}) | st.integers(), max_size=2),
                },
            ),
            max_size=3,
        ),
    },
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = (
    "name", "location", "term", "hours_per_month", "items", "roles", "goal", "throughput", "capacity", "budget",
    "read_share", "balancer", "balancers",
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(CREATES), body=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4))
def test_whatever_is_sent_is_answered_as_described(program, node, path, body):
    answer = program.post(path, body)

    assert answer.status_code in {200, 201, 202, 409, 422}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=ORDERS)
def test_verifying_and_drafting_find_the_same_keeps_an_order_from_being_stored(program, shop, body):
    verified, drafted = program.post("/api/v1/orders/verify", body), program.post("/api/v1/orders", body)

    assert (verified.status_code, drafted.status_code) in {(200, 201), (200, 409), (422, 422)}
    if drafted.status_code == 201:
        assert verified.json()["totals"] == drafted.json()["totals"]
    if drafted.status_code == 409:
        assert "amount_too_large" in {each["code"] for each in verified.json()["violations"]}
    if drafted.status_code == 422:
        found = drafted.json()["violations"]
        assert verified.json()["violations"][: len(found)] == found
