"""manage.py demo_load: three partners, their people and an operator, in embedded mode only."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.demo import demo_load
from core.errors import RuleBroken


class Command(BaseCommand):
    help = "Make the demo partners, accounts and sign-ins that are missing (embedded mode only)."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = demo_load()
        except RuleBroken as refusal:
            raise CommandError(refusal.words) from None
        self.stdout.write("The demo is loaded." if made else "The demo was loaded before; nothing changed.")
