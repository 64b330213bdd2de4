"""What waits for somebody: decisions that are his, quotes that end soon, orders that are being carried out."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import User
from accounts.roles import can
from orders.approving import approvals_open, may_decide, policy_of
from orders.models import BillingOrder, Quote
from orders.quote_selectors import quotes_of
from orders.selectors import orders_of
from orders.states import OrderState

ENDS_SOON = timedelta(days=7)
MOST_OF_EACH = 5


@dataclass(frozen=True)
class Waiting:
    """The first few of each kind."""

    to_decide: tuple[BillingOrder, ...]
    ending: tuple[Quote, ...]
    under_way: tuple[BillingOrder, ...]

    @property
    def is_nothing(self) -> bool:
        return not (self.to_decide or self.ending or self.under_way)


def waiting_for(*, account_id: int, user: User, role: str | None, now: datetime) -> Waiting:
    """Return what in the account waits for this person."""
    ending = quotes_of(account_id=account_id).filter(
        accepted_at=None, withdrawn_at=None, expires_at__gt=now, expires_at__lte=now + ENDS_SOON
    )
    under_way = orders_of(account_id=account_id).filter(state__in=[OrderState.PROVISIONING, OrderState.FAILED])
    return Waiting(
        to_decide=_to_decide(account_id=account_id, user=user, role=role) if can(role, "approve") else (),
        ending=tuple(ending.order_by("expires_at")[:MOST_OF_EACH]) if can(role, "quote") else (),
        under_way=tuple(under_way[:MOST_OF_EACH]),
    )


def _to_decide(*, account_id: int, user: User, role: str | None) -> tuple[BillingOrder, ...]:
    policy = policy_of(account_id=account_id)
    waiting = approvals_open(account_id=account_id).prefetch_related(None).exclude(placed_by=user)
    orders = waiting[:MOST_OF_EACH]
    return tuple(order for order in orders if may_decide(order=order, policy=policy, user=user, role=role))
