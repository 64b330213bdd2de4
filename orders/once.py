"""Forms that make an order: a double click, or the same form sent again, leads to the order that was made."""

from collections.abc import Callable

from accounts.requests import AccountRequest
from core.clock import now
from core.idempotency import Answer, fingerprint_of, idempotent

FOUND = 302


def order_made_once(request: AccountRequest, make: Callable[[], int]) -> int:
    """Return the id of the order that this form made before, or make it.

    A form is known by what it sends: the token against forgery in it differs each time a page is shown. So whoever
    loads the page again can make the same order again.
    """
    if not request.POST.get("csrfmiddlewaretoken"):
        return make()
    form = fingerprint_of(method="POST", path=request.path, body=request.POST.urlencode().encode())

    def made() -> Answer:
        return FOUND, make()

    _, order_id = idempotent(account_id=request.account.pk, key=f"form {form}", fingerprint=form, now=now(), call=made)
    assert isinstance(order_id, int), "a form's record holds the id of its order"
    return order_id
