"""What the tenant middleware adds to a request, for the type checker and for readers."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import Account, Membership, Partner, User


class TenantRequest(HttpRequest):
    """A request that knows under which partner, and for which account, it is made.

    `partner` is None on a host that belongs to no partner. `account` and `role` are None for strangers and for staff
    without a membership. `memberships` are the user's own under this partner (all of them on a host of no partner).
    """

    partner: Partner | None
    account: Account | None
    role: str | None
    memberships: list[Membership]
    htmx: HtmxDetails


class AccountRequest(TenantRequest):
    """A request behind `account_required`: somebody is signed in and acts for an account."""

    user: User
    account: Account
    role: str
