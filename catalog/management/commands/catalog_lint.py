"""Look for faults in the catalogue as it is stored."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.lint import catalog_lint
from core import clock


class Command(BaseCommand):
    help = "Report what in the catalogue can never be ordered, contradicts itself or has no price."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print the report as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = catalog_lint(at=clock.now())
        if options["json"]:
            self.stdout.write(json.dumps([each.as_dict() for each in findings], ensure_ascii=False, indent=2))
        else:
            for finding in findings:
                self.stdout.write(str(finding))
            self.stdout.write(f"{len(findings)} found.")
        if findings:
            raise CommandError(f"Faults in the catalogue: {len(findings)}.", returncode=1)
