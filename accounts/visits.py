"""Who visits which host: the user, his accounts and the host's partner come in one question to the database.

Django asks the sign-in backend for a user by his id alone, so the visit waits beside it while he is looked for.
Nothing outlives the request: a brand, a host or a role that changes shows at the next one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from accounts.models import Membership, Partner, PartnerHost, PartnerStaff, User
from accounts.selectors import Standing, partner_of_host, partners_served, standings_from


class Tenancy(NamedTuple):
    """A host's partner, for which accounts a user may act there, and whether he is one of the partner's own people."""

    partner: Partner | None
    standings: list[Standing]
    serves_partner: bool


class Visit:
    """One request to a host; the memberships are those of the user who was looked for during it."""

    def __init__(self, host: str) -> None:
        self.host = host
        self._user_id: int | None = None
        self._seen: list[Any] = []
        self._serves = False

    def user(self, *, user_id: Any) -> User | None:
        """Return the user, in one query where he is a member of anything; raises as `get` does for an odd id."""
        self._seen = list(_memberships_seen_at(self.host).filter(user_id=user_id))
        lone: Any = None if self._seen else User.objects.annotate(serves=_serves("pk")).filter(pk=user_id).first()
        user: User | None = self._seen[0].user if self._seen else lone
        self._serves = self._seen[0].serves if self._seen else bool(lone and lone.serves)
        self._user_id = user.pk if user else None
        return user

    def tenancy(self, *, user: User) -> Tenancy:
        """Return the host's partner and where the user stands under him; a host of no partner counts everything."""
        if user.pk != self._user_id:
            self.user(user_id=user.pk)
        partner = self._partner()
        partner_id = partner.pk if partner else None
        own = [each for each in self._seen if partner_id in (None, each.account.partner_id)]
        served = partners_served(user_id=user.pk, partner_id=partner_id) if self._serves else set()
        return Tenancy(partner, standings_from(own, served=served), partner_id in served)

    def _partner(self) -> Partner | None:
        """Return the host's partner, without a question where a membership brought him along."""
        if not self._seen:
            return partner_of_host(self.host)
        partner_id = self._seen[0].here
        if partner_id is None:
            return None
        known = (each.account.partner for each in self._seen if each.account.partner_id == partner_id)
        return next(known, None) or partner_of_host(self.host)


_current: ContextVar[Visit | None] = ContextVar("current_visit", default=None)


@contextmanager
def visiting(host: str) -> Iterator[Visit]:
    """Within it, whoever is looked for is looked for as a visitor of this host."""
    visit = Visit(host)
    token = _current.set(visit)
    try:
        yield visit
    finally:
        _current.reset(token)


def visitor(*, user_id: Any) -> User | None:
    """Return the user by his id; during a visit, with what the visit wants to know of him."""
    visit = _current.get()
    return visit.user(user_id=user_id) if visit else User.objects.filter(pk=user_id).first()


def partner_id_at(host: str) -> Subquery:
    """Return the id of the partner at a host as a part of another question; null where it is no partner's."""
    return Subquery(PartnerHost.objects.filter(host=host.lower()).values("partner_id")[:1])


def _memberships_seen_at(host: str) -> QuerySet[Membership, Any]:
    memberships = Membership.objects.select_related("user", "account__partner")
    return memberships.annotate(here=partner_id_at(host), serves=_serves("user"))


def _serves(user: str) -> Exists:
    """Tell, as a part of another question, whether somebody is one of any partner's own people."""
    return Exists(PartnerStaff.objects.filter(user=OuterRef(user)))
