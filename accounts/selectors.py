"""Questions about partners, accounts and their people."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import Account, ApiKey, Membership, Partner, PartnerHost, PartnerStaff
from accounts.roles import PARTNER_STAFF


def partner_of_host(host: str) -> Partner | None:
    """Return the partner whose portal answers at a host (without port), if any."""
    found = PartnerHost.objects.select_related("partner").filter(host=host.lower()).first()
    return found.partner if found else None


class Standing(NamedTuple):
    """As what somebody may act for an account: in a role of accounts/roles.py."""

    account: Account
    role: str


def standings_from(memberships: Iterable[Membership], *, served: Collection[int]) -> list[Standing]:
    """Return where a user stands: by his memberships, and as staff in the other accounts of the partners he serves.

    A membership says more exactly what somebody is in an account, so it goes first.
    """
    own = [Standing(membership.account, membership.role) for membership in memberships]
    if not served:
        return own
    others = Account.objects.select_related("partner").filter(partner_id__in=served)
    others = others.exclude(pk__in=[standing.account.pk for standing in own])
    return own + [Standing(account, PARTNER_STAFF) for account in others]


def partners_served(*, user_id: int, partner_id: int | None) -> set[int]:
    """Return the partner's id where the user is one of its own people; None asks for all partners."""
    served = PartnerStaff.objects.filter(user_id=user_id)
    if partner_id is not None:
        served = served.filter(partner_id=partner_id)
    return set(served.values_list("partner_id", flat=True))


def standing_chosen(standings: Sequence[Standing], account_id: object) -> Standing | None:
    """Return the standing in the chosen account while it lasts, else the first one."""
    for standing in standings:
        if standing.account.pk == account_id:
            return standing
    return standings[0] if standings else None


def role_in(*, user_id: int, account_id: int) -> str | None:
    """Return the user's role in the account, or None for somebody who may not act for it."""
    role = Membership.objects.filter(user_id=user_id, account_id=account_id).values_list("role", flat=True).first()
    serves = PartnerStaff.objects.filter(user_id=user_id, partner__accounts=account_id)
    return role or (PARTNER_STAFF if serves.exists() else None)


def api_keys_of(*, account: Account, user_id: int, sees_all: bool) -> QuerySet[ApiKey]:
    """Return the account's keys: the user's own, or everybody's for those who manage the account."""
    keys = ApiKey.objects.select_related("user").filter(account=account)
    return keys if sees_all else keys.filter(user_id=user_id)


def partner_address(*, partner: Partner) -> str:
    """Return where a partner's portal answers, such as https://north.example, for links in e-mails."""
    host = partner.hosts.order_by("pk").values_list("host", flat=True).first() or "localhost"
    return f"{settings.PORTAL_SCHEME}://{host}{settings.PORTAL_PORT}"
