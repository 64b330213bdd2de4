"""What the tenant middleware adds to a request, for the type checker and for readers."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import Account, Partner, User
from accounts.selectors import Standing


class TenantRequest(HttpRequest):
    """A request that knows under which partner, and for which account, it is made.

    `partner` is None on a host that belongs to no partner. `account` and `role` are None for strangers and for
    operators without a membership. `standings` are the accounts for which the user may act under this partner (under
    any, on a host of no partner). `serves_partner` tells whether the user is one of the partner's own people.
    """

    partner: Partner | None
    account: Account | None
    role: str | None
    standings: list[Standing]
    serves_partner: bool
    htmx: HtmxDetails


class PartnerRequest(TenantRequest):
    """A request behind `open_to_link_holders`: it is made under a partner's address, by whomever."""

    partner: Partner


class AccountRequest(TenantRequest):
    """A request behind `account_required`: somebody is signed in and acts for an account."""

    user: User
    account: Account
    role: str
