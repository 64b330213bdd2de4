"""What a test leaves behind: its rows may not contradict each other, whatever it was about.

Looked at right after the test's own code, before its rows go. A test that writes contradictory rows on purpose names
the invariants that it breaks: `@pytest.mark.breaks_invariants("numbers have no gaps")`. The others still hold for it.
"""

from collections.abc import Collection
from functools import cache, partial

from django.apps import apps
from django.db import connection

from accounts.models import Account, Partner
from accounts.tenancy import Model, crossings_of, tenants_crossed
from core.invariants import Breach, Invariants, breaches_of
from core.models import IdempotencyRecord
from jobs.models import Run
from orders.management.commands.check_invariants import EVERY_INVARIANT
from orders.models import BillingOrder, Invoice, Quote

MOST_NAMED = 10
NEEDED: dict[str, Model] = {
    "order line = promised line": Quote,
    "one answer for one idempotency key": IdempotencyRecord,
    "run done = its results complete": Run,
    "no lease in a final state": Run,
    "invoice = sum of its lines": Invoice,
    "nothing is billed that never became active": Invoice,
}
"""Without a row of what nothing can break an invariant: it is not looked at there, which saves most of the time."""
OF_SEVERAL_TENANTS = "no foreign key crosses tenants"


def complaint_about(*, excused: Collection[str]) -> str:
    """Say which invariants the rows of a test break, but for those excused; "" where all hold.

    Raises ValueError for an excuse that is no invariant's name.
    """
    unknown = set(excused) - set(EVERY_INVARIANT)
    if unknown:
        raise ValueError(f"breaks_invariants names no invariant: {sorted(unknown)}. There are {list(EVERY_INVARIANT)}.")
    held = {name: look for name, look in EVERY_INVARIANT.items() if name not in excused}
    found = breaches_left(held)
    if not found:
        return ""
    more = [f"and {len(found) - MOST_NAMED} more"] if len(found) > MOST_NAMED else []
    return "\n".join(["The test leaves rows that contradict each other:", *map(str, found[:MOST_NAMED]), *more])


def breaches_left(invariants: Invariants) -> list[Breach]:
    """Return every contradiction in the rows of a test; nothing where it wrote neither an order nor a run."""
    if not _can_be_read():
        return []
    filled, has_tenants = _rows_left()
    if Run not in filled and BillingOrder not in filled:
        return []
    looks = {name: look for name, look in invariants.items() if name not in NEEDED or NEEDED[name] in filled}
    if looks.pop(OF_SEVERAL_TENANTS, None) and has_tenants:
        looks[OF_SEVERAL_TENANTS] = partial(tenants_crossed, filled)
    return breaches_of(looks)


@cache
def _models() -> tuple[Model, ...]:
    """The models whose rows decide what is looked at."""
    owned = (crossing.model for crossing in crossings_of(apps.get_models(include_auto_created=True)))
    return tuple(dict.fromkeys((Run, BillingOrder, *NEEDED.values(), *owned)))


def _rows_left() -> tuple[list[Model], bool]:
    """Return which of the models have rows, and whether there is more than one account or partner; in one query."""
    name = connection.ops.quote_name
    any_row = [f"EXISTS(SELECT 1 FROM {name(model._meta.db_table)})" for model in _models()]
    second = [f"EXISTS(SELECT 1 FROM {name(owner._meta.db_table)} LIMIT 1 OFFSET 1)" for owner in (Account, Partner)]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join([*any_row, *second])}")
        found = cursor.fetchone()
    return [model for model, has_rows in zip(_models(), found, strict=False) if has_rows], any(found[-2:])


def _can_be_read() -> bool:
    """Tell whether the test's transaction still answers: after a failed statement PostgreSQL answers nothing."""
    if connection.needs_rollback:
        return False
    if connection.vendor != "postgresql" or connection.connection is None:
        return True
    return connection.connection.info.transaction_status.name != "INERROR"
