"""What people do with advice: ask for it, order what it found, or have that quoted."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Account, User
from catalog.models import Location
from catalog.pricing import Term
from core.errors import InputRefused, RuleBroken, Violation
from jobs.services import run_start
from orders.asked import ContainerAsked, DraftAsked, ItemAsked, PartAsked
from orders.drafting import LONGEST_NAME, draft_asked
from orders.models import BillingOrder, Quote
from orders.quoting import quote_issue
from planner.advice.asking import HOURS, LOCATION, complete_words
from planner.advice.kinds import Asked, Kind, asked_of
from planner.advice.models import Advice, AdviceOrder
from planner.advice.reading import places_of
from planner.advice.registry import KINDS
from planner.advice.selectors import advice_of
from planner.measurements.calibrating import kept_of, parameters_for

ADVICE_KIND = "advice"
"""The name under which planner/tasks.py registers the work; web code knows no more of it."""

Row = Mapping[str, Any]


def kind_of(key: str) -> Kind:
    """Return a kind of advice; raises RuleBroken naming those that there are."""
    if key in KINDS:
        return KINDS[key]
    words = f"There is no kind of advice “{key[:40]}”. Choose one of: {', '.join(KINDS)}."
    raise RuleBroken("kind_unknown", words, field="kind")


def question_problems(kind: Kind, words: Mapping[str, str]) -> tuple[Asked | None, list[Violation]]:
    """Read a question and say everything that is wrong with it, the place included."""
    asked: Asked | None = None
    problems: list[Violation] = []
    try:
        asked = asked_of(kind, words)
    except InputRefused as refusal:
        problems += refusal.violations
    places = places_of(kind.categories)
    key = words.get(LOCATION, "").strip()
    if key and key not in places:
        known = ", ".join(places) or "none"
        told = f"Nothing for this is sold in “{key[:40]}”. Choose one of: {known}; or leave it empty."
        problems.append(Violation("location_unknown", LOCATION, told))
    return asked, problems


@transaction.atomic
def advice_start(*, account: Account, user: User, kind: Kind, words: Mapping[str, str], now: datetime) -> Advice:
    """Write the question down and start the run that answers it at the prices of this moment.

    Raises InputRefused naming every field that is wrong.
    """
    words = kind.filled_in(words, account.partner_id)
    asked, problems = question_problems(kind, words)
    if problems or asked is None:
        raise InputRefused(tuple(problems))
    demand = dict(kind.kept(complete_words(kind.fields, words)))
    run = run_start(
        kind=ADVICE_KIND,
        account_id=account.pk,
        created_by=user.email,
        parameters={
            "account_id": account.pk,
            "kind": kind.key,
            "demand": demand,
            "prices_at": now.isoformat(),
            **kept_of(parameters_for(account)),
        },
        points=[{}],
        now=now,
    )
    return Advice.objects.create(
        account=account,
        created_by=user,
        created_at=now,
        kind=kind.key,
        demand=demand,
        words=asked.words[:300],
        location=Location.objects.filter(key_name=asked.location_key).first(),
        run=run,
    )


@transaction.atomic
def advice_order(*, advice_id: int, account: Account, user: User, key: str, now: datetime) -> BillingOrder:
    """Make a draft order of one configuration of the answer, with an item for each role; no key is the best one.

    Raises Advice.DoesNotExist for another account's advice, and RuleBroken where there is no such configuration.
    """
    advice = advice_of(account_id=account.pk, advice_id=advice_id)
    row = configuration_of(advice, key)
    order = draft_asked(account=account, user=user, asked=_draft_of(advice, row), now=now)
    AdviceOrder.objects.create(advice=advice, order=order, chosen=row)
    return order


@transaction.atomic
def advice_quote(*, advice_id: int, account: Account, user: User, key: str, now: datetime) -> Quote:
    """Make the order of a configuration and quote it in one step; raises as `advice_order` and `quote_issue` do."""
    order = advice_order(advice_id=advice_id, account=account, user=user, key=key, now=now)
    return quote_issue(order_id=order.pk, account_id=account.pk, user=user, now=now)


@transaction.atomic
def advice_delete(*, advice_id: int, account: Account) -> None:
    """Delete a question with its answer and all that was sent with it; an order that was made of it keeps it.

    Raises Advice.DoesNotExist for another account's advice, and RuleBroken while it is worked out or ordered.
    """
    advice = Advice.objects.select_for_update().get(account=account, pk=advice_id)
    if not advice.run.is_finished:
        raise RuleBroken("advice_under_way", "It is still being worked out. Cancel it first, then delete it.")
    if advice.advice_orders.exists():
        raise RuleBroken("advice_ordered", "An order was made of it, which shows why it was chosen. It is kept.")
    run = advice.run
    advice.delete()
    run.delete()


def configuration_of(advice: Advice, key: str) -> Row:
    """Return a configuration that the answer shows, the best one without a key; raises RuleBroken with the way out."""
    answer = advice.run.result or {}
    best = answer.get("best")
    if not best:
        raise RuleBroken("advice_without_answer", "There is no configuration to order here. Change the demand.")
    rows: dict[str, Row] = {row["key"]: row for row in (best, *answer["runners_up"])}
    if (key or best["key"]) not in rows:
        words = "This advice shows no such configuration. Choose one that it shows."
        raise RuleBroken("configuration_unknown", words, field="configuration")
    return rows[key or best["key"]]


def _draft_of(advice: Advice, row: Row) -> DraftAsked:
    """Return what a configuration orders; of the question only the hours are read: what it named may be gone."""
    kind = KINDS[advice.kind]
    items = [_item(role, field=f"items[{number}]") for number, role in enumerate(row["roles"])]
    return DraftAsked(
        name=f"{kind.title}: {row['title']}"[:LONGEST_NAME],
        hours_per_month=kind.named(HOURS).read(advice.demand[HOURS]),
        items=tuple(items),
    )


def _item(role: Row, *, field: str) -> ItemAsked:
    container = ContainerAsked(
        field=field,
        package_key_name=role["package"],
        quantity=role["quantity"],
        parts=tuple(PartAsked(part["category"], part["item_id"]) for part in role["parts"]),
        location_key_name=role["location"],
        term=Term(role["term"]),
    )
    return ItemAsked(field=field, name=role["name"][:LONGEST_NAME], containers=(container,))
