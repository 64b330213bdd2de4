"""Repairs of a composed container: for a broken rule the address on which it holds again, and what that changes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from catalog.containers import ContainerRepair
from core.errors import Violation
from orders.compose_address import Asked, Pick
from orders.composer import Composed
from orders.host_names import mended_names

Step = Callable[[Asked], Asked]


@dataclass(frozen=True)
class AddressRepair:
    """One click that settles a problem."""

    words: str
    url: str


@dataclass(frozen=True)
class _Plan:
    """What a repair says, and what it makes of an address."""

    words: str
    step: Step


WITHOUT_CODE = _Plan("Leave the code out", lambda asked: replace(asked, code=""))


def address_repairs(composed: Composed) -> tuple[list[AddressRepair | None], AddressRepair | None]:
    """Return the click for each problem, where one can settle it, and the one that settles all of these at once.

    The second is None where it would do no more than the first ones.
    """
    plans = [
        *(_plan_for_refusal(violation, composed) for violation in composed.refusals),
        *_plans_of_catalogue(composed),
        *(_plan_for_hosts(composed) for _ in composed.host_violations),
        *(WITHOUT_CODE for _ in composed.code_violations),
    ]
    known = [plan for plan in plans if plan]
    clicks = [AddressRepair(plan.words, plan.step(composed.asked).url) if plan else None for plan in plans]
    if len(known) < 2:
        return clicks, None
    asked = composed.asked
    for plan in known:
        asked = plan.step(asked)
    if composed.answer.repair:
        asked = _changed(composed, composed.answer.repair)(asked)
    return clicks, AddressRepair(f"Settle these {len(known)}", asked.url)


def _plans_of_catalogue(composed: Composed) -> list[_Plan | None]:
    repairs = composed.answer.repairs or (None,) * len(composed.answer.violations)
    return [_Plan(repair.words, _changed(composed, repair)) if repair else None for repair in repairs]


def _changed(composed: Composed, repair: ContainerRepair) -> Step:
    def step(asked: Asked) -> Asked:
        picks = dict(asked.picks or {})
        for change in repair.changes:
            counts = Counter(item.pk for item in change.after)
            category = composed.options.category(change.category_code)
            options = [(category.option_of(item_id), count) for item_id, count in counts.items()] if category else []
            picks[change.category_code] = tuple(Pick(option.value, str(count)) for option, count in options if option)
        return replace(
            asked,
            picks=picks,
            location=repair.location.key_name if repair.location else asked.location,
            quantity=str(repair.quantity) if repair.quantity else asked.quantity,
        )

    return step


def _plan_for_hosts(composed: Composed) -> _Plan:
    mended = mended_names(composed.asked.hosts, quantity=composed.quantity, taken=composed.taken_host_names)
    words = f"Name them {mended}" if 0 < len(mended) <= 60 else "Number them on" if mended else "Leave the names out"
    return _Plan(words, lambda asked: replace(asked, hosts=mended))


def _plan_for_refusal(violation: Violation, composed: Composed) -> _Plan | None:
    """Return what becomes of words that mean nothing: a place or a term has been replaced, the rest is left out."""
    if violation.code == "location_not_sold":
        return _Plan(f"Take {composed.place.name}", lambda asked: asked)
    if violation.code == "term_unknown":
        return _Plan(f"Bill it {composed.term}", lambda asked: asked)
    if violation.code in ("item_unknown", "count_out_of_range", "category_unknown"):
        return _plan_for_row(violation, composed)
    return None


def _plan_for_row(violation: Violation, composed: Composed) -> _Plan:
    code = violation.field
    kept = tuple(
        replace(row.pick, count=str(row.count or 1)) for row in composed.rows.get(code, ()) if row.option is not None
    )
    repair = composed.answer.repair
    change = next((each for each in repair.changes if each.category_code == code), None) if repair else None
    if violation.code == "item_unknown" and not kept and change:
        instead = ContainerRepair(changes=(change,))
        return _Plan(instead.words, _changed(composed, instead))
    words = "Take one" if violation.code == "count_out_of_range" and kept else "Leave it out"
    return _Plan(words, lambda asked: replace(asked, picks={**(asked.picks or {}), code: kept}))
