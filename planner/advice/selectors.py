"""Reading advice: always that of one account."""

from typing import Any

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from planner.advice.models import Advice


def advice_all(*, account_id: int) -> QuerySet[Advice]:
    """Return the account's advice with its runs, latest first."""
    return Advice.objects.filter(account_id=account_id).select_related("run", "location", "created_by")


def advice_of(*, account_id: int, advice_id: int) -> Advice:
    """Return one piece of advice of the account; raises Advice.DoesNotExist for anybody else's."""
    return advice_all(account_id=account_id).get(pk=advice_id)


def advice_summaries(*, account_id: int) -> QuerySet[Any, Any]:
    """Return a line for each piece of advice of the account, latest first, with its best configuration as text."""
    best = KeyTransform("best", "run__result")
    return (
        Advice.objects.filter(account_id=account_id)
        .annotate(
            best_title=KeyTextTransform("title", best),
            best_cost=KeyTextTransform("monthly_cost", best),
            best_metered=KeyTextTransform("metered_cost", best),
            currency=KeyTextTransform("currency", "run__result"),
        )
        .values(
            *("pk", "kind", "words", "created_at", "created_by__email", "run__state"),
            *("best_title", "best_cost", "best_metered", "currency"),
        )
    )
