"""Questions about partners, accounts and their people."""

from collections.abc import Sequence

from django.db.models import QuerySet

from accounts.models import Account, ApiKey, Membership, Partner, PartnerHost


def partner_of_host(host: str) -> Partner | None:
    """Return the partner whose portal answers at a host (without port), if any."""
    found = PartnerHost.objects.select_related("partner").filter(host=host.lower()).first()
    return found.partner if found else None


def memberships_of(*, user_id: int, partner_id: int | None) -> QuerySet[Membership]:
    """Return a user's memberships under one partner; None, a host of no partner, means under any."""
    memberships = Membership.objects.select_related("account__partner").filter(user_id=user_id)
    return memberships if partner_id is None else memberships.filter(account__partner_id=partner_id)


def membership_chosen(memberships: Sequence[Membership], account_id: object) -> Membership | None:
    """Return the membership in the chosen account while it lasts, else the first one."""
    for membership in memberships:
        if membership.account_id == account_id:
            return membership
    return memberships[0] if memberships else None


def role_in(*, user_id: int, account_id: int) -> str | None:
    """Return the user's role in the account, or None for somebody who is no member."""
    return Membership.objects.filter(user_id=user_id, account_id=account_id).values_list("role", flat=True).first()


def api_keys_of(*, account: Account, user_id: int, sees_all: bool) -> QuerySet[ApiKey]:
    """Return the account's keys: the user's own, or everybody's for those who manage the account."""
    keys = ApiKey.objects.select_related("user").filter(account=account)
    return keys if sees_all else keys.filter(user_id=user_id)
