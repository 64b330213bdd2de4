"""Put the invoices of a month together for every account, now and in this process."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.clock import now
from orders.billing.invoicing import account_bill
from orders.billing.monthly import accounts_to_bill
from orders.billing.months import Month


class Command(BaseCommand):
    help = "Puts the invoices of a month together. Again changes nothing: an account has one invoice for a month."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--month", help="Such as 2026-02; without it the present month, in UTC.")
        parser.add_argument("--json", action="store_true", help="Write what was issued as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        at = now()
        try:
            month = Month.parse(options["month"]) if options["month"] else Month.of(at)
        except ValueError as error:
            raise CommandError(str(error)) from None
        if month > Month.of(at):
            raise CommandError(f"{month} has not begun. Choose the present month or one before it.")
        accounts = accounts_to_bill(month=month)
        issued = [
            invoice for account_id in accounts for invoice in account_bill(account_id=account_id, month=month, now=at)
        ]
        rows = [
            {
                "number": invoice.number,
                "account": invoice.account.name,
                "currency": invoice.currency,
                "net": str(invoice.net),
                "tax": str(invoice.tax),
            }
            for invoice in issued
        ]
        if options["json"]:
            self.stdout.write(json.dumps({"month": str(month), "accounts": len(accounts), "invoices": rows}, indent=2))
            return
        for row in rows:
            self.stdout.write(
                f"Invoice {row['number']} for {row['account']}: {row['net']} + {row['tax']} tax {row['currency']}"
            )
        self.stdout.write(f"{len(rows)} invoices for {month.words}; {len(accounts)} accounts have or had something.")
