"""A plan worked out again from one of its phases on, with random numbers of its own; the first one stays as it is."""

from datetime import datetime

from django.db import transaction

from accounts.models import Account, User
from jobs.stages import run_again_from
from planner.models import Plan
from planner.selectors import plan_of


@transaction.atomic
def plan_again(*, plan_id: int, account: Account, user: User, stage: int, now: datetime) -> Plan:
    """Start a plan that takes over what the phases before `stage` found; prices stay those of the first plan.

    Raises Plan.DoesNotExist for another account's plan, and RuleBroken where the plan has not come that far.
    """
    origin = plan_of(account_id=account.pk, plan_id=plan_id)
    run = run_again_from(
        run_id=origin.run_id,
        account_id=account.pk,
        stage=stage,
        created_by=user.email,
        now=now,
        seed=origin.run.seed + 1,
    )
    return Plan.objects.create(
        account=account,
        created_by=user,
        created_at=now,
        location=origin.location,
        demand=origin.demand,
        words=origin.words,
        run=run,
        origin=origin,
        from_stage=stage,
    )
