from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import RequestFactory

from accounts.decorators import account_required, action_required
from accounts.models import Account, User


def request_of(*, user=None, role=None, htmx=None):
    request: Any = RequestFactory().get("/orders/3/?tab=lines")
    request.user = user or AnonymousUser()
    request.account = Account(name="Aurora Studios") if role else None
    request.role = role
    request.htmx = htmx
    return request


def answer(request, number):
    return HttpResponse(f"order {number}")


def test_a_member_reaches_the_view_with_its_arguments():
    request = request_of(user=User(), role="viewer")

    assert account_required(answer)(request, 3).content == b"order 3"


def test_a_stranger_is_sent_to_sign_in_and_back():
    assert account_required(answer)(request_of(), 3)["Location"] == "/sign-in/?next=/orders/3/%3Ftab%3Dlines"


def test_a_fragment_for_a_stranger_sends_the_whole_page_to_sign_in():
    request = request_of(htmx=SimpleNamespace(current_url_abs_path="/plans/9/"))

    refusal = account_required(answer)(request, 3)

    assert refusal["HX-Redirect"] == "/sign-in/?next=/plans/9/"


@pytest.mark.parametrize("role", ["buyer", "approver", "owner"])
def test_what_buyers_may_do_is_open_to_this_role(role):
    request = request_of(user=User(), role=role)

    assert action_required("place")(answer)(request, 3).content == b"order 3"


@pytest.mark.parametrize(("role", "words"), [("viewer", "viewer"), ("partner_staff", "one of the partner's staff")])
def test_what_buyers_may_do_is_refused_to_others_with_the_reason(role, words):
    request = request_of(user=User(), role=role)

    with pytest.raises(
        PermissionDenied, match=rf"^In Aurora Studios you are {words}\. This takes a buyer, approver or owner\.$"
    ):
        action_required("place")(answer)(request, 3)
