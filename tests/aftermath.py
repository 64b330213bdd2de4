"""What a test leaves behind: its rows may not contradict each other, whatever it was about.

Looked at right after the test's own code, before its rows go. A test that writes contradictory rows on purpose names
the invariants that it breaks: `@pytest.mark.breaks_invariants("numbers have no gaps")`. The others still hold for it.
"""

from collections.abc import Collection

from django.db import connection

from accounts.models import Account, Partner
from core.invariants import Breach, Invariants, breaches_of
from jobs.models import Run
from orders.management.commands.check_invariants import EVERY_INVARIANT
from orders.models import BillingOrder

MOST_NAMED = 10
OF_RUNS = {"run done = its results complete", "no lease in a final state"}
OF_SEVERAL_TENANTS = {"no foreign key crosses tenants"}
"""What nothing can break without a run, and without a second tenant; together they take most of the time."""


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
    runs = Run.objects.exists()
    if not (runs or BillingOrder.objects.exists()):
        return []
    idle = set() if runs else OF_RUNS
    if not (Account.objects.count() > 1 or Partner.objects.count() > 1):
        idle = idle | OF_SEVERAL_TENANTS
    return breaches_of({name: look for name, look in invariants.items() if name not in idle})


def _can_be_read() -> bool:
    """Tell whether the test's transaction still answers: after a failed statement PostgreSQL answers nothing."""
    if connection.needs_rollback:
        return False
    if connection.vendor != "postgresql" or connection.connection is None:
        return True
    return connection.connection.info.transaction_status.name != "INERROR"
