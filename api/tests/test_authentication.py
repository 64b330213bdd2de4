from datetime import UTC, datetime
from typing import cast

import pytest
from django.test import Client
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import Membership
from accounts.requests import AccountRequest
from accounts.services import api_key_create, api_key_revoke
from accounts.tests.factories import client_of, make_account, make_member, make_partner
from api.permissions import HasAccount

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


class Probe(APIView):
    """Answers for whom, and as what, a call is made."""

    permission_classes = [HasAccount]

    def get(self, request: Request) -> Response:
        tenant_request = cast(AccountRequest, request)
        account, role = tenant_request.account, tenant_request.role
        return Response({"user": str(request.user), "account": account.name, "role": role})

    post = get


urlpatterns = [path("api/probe/", Probe.as_view())]
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def make_key(*, scope="write", role="buyer"):
    account = make_account()
    user = make_member(account, role=role)
    return api_key_create(account_id=account.pk, user_id=user.pk, name="portal", scope=scope, now=NOW)


def call(method, text, *, host="north.localhost"):
    headers = {"host": host, "authorization": f"Api-Key {text}"}
    return Client(headers=headers, enforce_csrf_checks=True).generic(method, "/api/probe/")


@pytest.mark.parametrize("host", ["north.localhost", "localhost"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_key_acts_as_its_user_for_its_account(method, host):
    _, text = make_key()

    answer = call(method, text, host=host)

    assert answer.status_code == 200
    assert answer.json() == {"user": "ana@north.example", "account": "Aurora Studios", "role": "buyer"}


def test_a_key_at_another_partners_host_is_refused():
    make_partner("Harbor")
    _, text = make_key()

    answer = call("GET", text, host="harbor.localhost")

    assert answer.status_code == 403
    assert "This key does not belong to Harbor." in answer.content.decode()


@pytest.mark.parametrize("host", ["north.localhost", "localhost"])
def test_a_key_with_its_user_role_and_partner_costs_one_query(host, django_assert_num_queries):
    _, text = make_key()
    call("GET", text, host=host)  # its use is noted, once a minute

    with django_assert_num_queries(1):
        assert call("GET", text, host=host).status_code == 200


def test_a_revoked_key_is_refused_and_told_how_to_sign_in():
    key, text = make_key()
    api_key_revoke(key_id=key.pk, now=NOW)

    answer = call("GET", text)

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Api-Key"


def test_the_key_of_somebody_who_left_the_account_is_refused():
    _, text = make_key()
    Membership.objects.all().delete()

    assert call("GET", text).status_code == 401


def test_a_key_that_reads_cannot_write():
    _, text = make_key(scope="read")

    assert call("GET", text).status_code == 200
    assert call("POST", text).status_code == 403


def test_a_key_writes_no_more_when_its_user_may_only_read():
    _, text = make_key()
    Membership.objects.update(role="viewer")

    assert call("GET", text).status_code == 200
    assert call("POST", text).status_code == 403


def test_a_session_acts_for_its_account_too():
    client = client_of(make_member(make_account()))

    assert client.get("/api/probe/").json()["account"] == "Aurora Studios"
    assert client.post("/api/probe/").status_code == 200


def test_nobody_is_refused():
    make_partner()

    assert client_of(None).get("/api/probe/").status_code == 401


def test_a_session_at_another_partners_host_is_refused_in_json():
    make_partner("Harbor")
    client = client_of(make_member(make_account()), host="harbor.localhost")

    answer = client.get("/api/probe/")

    assert answer.status_code == 403
    assert answer.json() == {
        "code": "wrong_partner",
        "message": "You have no account with Harbor.",
        "violations": [],
    }
