"""Import price lists: JSON in the shape of the SoftLayer API (also gzip), and folders in our own layout."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.loading import SOFTLAYER, LoadReport, catalog_import
from core import clock


class Command(BaseCommand):
    help = (
        "Import catalogue files. Every refused and every doubtful row is told; while one is refused nothing is applied."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="JSON, JSON.gz, or a folder.")
        parser.add_argument("--dry-run", action="store_true", help="Tell what would be done, and do nothing.")
        parser.add_argument("--skip-refused", action="store_true", help="Apply the rest although rows are refused.")
        parser.add_argument("--source", default=SOFTLAYER, help="The catalogue that SoftLayer-shaped files belong to.")
        parser.add_argument("--json", action="store_true", help="Print the report as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        reports = catalog_import(
            paths=options["paths"],
            now=clock.now(),
            source=options["source"],
            is_dry_run=options["dry_run"],
            skips_refused=options["skip_refused"],
            progress=self._tell_progress,
        )
        if options["json"]:
            self.stdout.write(json.dumps([report.as_dict() for report in reports], ensure_ascii=False, indent=2))
        else:
            for report in reports:
                self._tell(report)
        count = sum(len(report.refused) for report in reports)
        if count and not options["skip_refused"]:
            raise CommandError(f"{count} refused; nothing was applied.", returncode=1)
        if not options["dry_run"] and not all(report.is_applied for report in reports):
            raise CommandError("A file could not be read; nothing was applied.", returncode=1)

    def _tell_progress(self, kind: str, done: int, total: int) -> None:
        if total > 5000:
            self.stderr.write(f"{kind}: {done:,} of {total:,}")

    def _tell(self, report: LoadReport) -> None:
        for row in report.refused:
            self.stderr.write(f"refused   {row}")
        for row in report.doubtful:
            self.stderr.write(f"doubtful  {row}")
        self.stdout.write(f"{report.folder}: {report.words}{'' if report.is_applied else ' (not applied)'}")
