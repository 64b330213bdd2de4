"""Using promotions: a code that is typed, and uses that are counted and never more than the limit."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from accounts.models import Account
from catalog.book_models import Promotion, PromotionUse
from catalog.services import catalog_touch
from core.errors import RuleBroken, Violation


def promotion_code_problems(*, account: Account, code: str, at: datetime, field: str) -> list[Violation]:
    """Say why a typed promotion code counts for nothing; an empty one is no problem."""
    if not code.strip():
        return []
    theirs = Q(partner_id=account.partner_id) | Q(partner_id__isnull=True)
    typed = code.strip().upper()
    found = Promotion.objects.open_on(at).filter(theirs, code=typed).values_list("use_limit", "used")
    if not found:
        words = f"There is no promotion “{typed}” now. Check the code, or leave it out."
        return [Violation("promotion_unknown", field, words)]
    if all(limit is not None and used >= limit for limit, used in found):
        return [Violation("promotion_used_up", field, f"The promotion “{typed}” is used up. Leave the code out.")]
    return []


@transaction.atomic
def promotions_redeem(*, promotion_ids: Iterable[int], account_id: int, subject: str, now: datetime) -> None:
    """Count one use of each promotion for what is quoted or placed, which counts once however often it is asked.

    Raises RuleBroken where one is used up, and counts none.
    """
    held = set(PromotionUse.objects.filter(subject=subject).values_list("promotion_id", flat=True))
    for promotion_id in sorted(set(promotion_ids) - held):
        _use_count(promotion_id=promotion_id)
        PromotionUse.objects.create(promotion_id=promotion_id, account_id=account_id, subject=subject, used_at=now)
        if Promotion.objects.filter(pk=promotion_id, used=F("use_limit")).exists():
            catalog_touch(who="a promotion is used up", now=now)


@transaction.atomic
def promotions_release(*, subject: str, now: datetime) -> None:
    """Give back what a quote held that was withdrawn."""
    uses = PromotionUse.objects.filter(subject=subject)
    for promotion_id in sorted(uses.values_list("promotion_id", flat=True)):
        Promotion.objects.filter(pk=promotion_id).update(used=F("used") - 1)
        catalog_touch(who="a promotion is free again", now=now)
    uses.delete()


def _use_count(*, promotion_id: int) -> None:
    """Count in the database: of two that take the last use at the same moment one is refused."""
    left = Q(use_limit__isnull=True) | Q(used__lt=F("use_limit"))
    if not Promotion.objects.filter(left, pk=promotion_id).update(used=F("used") + 1):
        name = Promotion.objects.values_list("name", flat=True).get(pk=promotion_id)
        words = f"The promotion “{name}” was used up in the meantime. Take today's prices and place the order again."
        raise RuleBroken("promotion_used_up", words)


@transaction.atomic
def promotion_end(*, promotion_id: int, who: str, now: datetime) -> Promotion:
    """Let a promotion end now; what was placed with it keeps its prices. Raises RuleBroken where it has ended."""
    promotion = Promotion.objects.select_for_update().get(pk=promotion_id)
    if promotion.valid_from >= now:
        raise RuleBroken("promotion_not_begun", f"“{promotion}” has not begun. End it once it has.")
    if promotion.valid_to is not None and promotion.valid_to <= now:
        raise RuleBroken("promotion_ended", f"“{promotion}” ended on {promotion.valid_to:%Y-%m-%d} already.")
    promotion.valid_to = now
    promotion.save(update_fields=["valid_to"])
    catalog_touch(who=who, now=now)
    return promotion
