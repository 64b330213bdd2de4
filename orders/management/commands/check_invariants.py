"""Look whether the rows of this database contradict each other."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.tenancy import tenants_crossed
from core.invariants import Invariants, breaches_of, keys_used_twice
from jobs.selectors import leases_left_over, runs_contradicted
from orders.audit_invariants import states_without_audit
from orders.billing.invariants import billed_without_a_machine, invoices_not_summed
from orders.invariants import INVARIANTS

EVERY_INVARIANT: Invariants = {
    **INVARIANTS,
    "audit entries = changes of state": states_without_audit,
    "one answer for one idempotency key": keys_used_twice,
    "run done = its results complete": runs_contradicted,
    "no lease in a final state": leases_left_over,
    "no foreign key crosses tenants": tenants_crossed,
    "invoice = sum of its lines": invoices_not_summed,
    "nothing is billed that never became active": billed_without_a_machine,
}


class Command(BaseCommand):
    help = "Report every row that contradicts another one: totals, events, audit, quotes, invoices, runs, tenants."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print the report as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        breaches = breaches_of(EVERY_INVARIANT)
        if options["json"]:
            report = {"checked": list(EVERY_INVARIANT), "violations": [breach.as_dict() for breach in breaches]}
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=2))
        else:
            for breach in breaches:
                self.stdout.write(str(breach))
            self.stdout.write(f"{len(EVERY_INVARIANT)} invariants checked, {len(breaches)} violations.")
        if breaches:
            raise CommandError(f"Violated invariants: {len(breaches)}.", returncode=1)
