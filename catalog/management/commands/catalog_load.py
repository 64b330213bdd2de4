"""Load catalogue data from folders in our own layout; without a folder, the catalogues that come with the product."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.loading import LoadReport, catalog_load_folder, shipped_folders
from core import clock


class Command(BaseCommand):
    help = (
        "Load catalogue data from a folder (default: the shipped catalogues). Nothing is applied if a row is refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
        parser.add_argument("--json", action="store_true", help="Print the report as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        folders = options["folders"] or shipped_folders()
        reports = [catalog_load_folder(folder=folder, now=clock.now()) for folder in folders]
        if options["json"]:
            self.stdout.write(json.dumps([report.as_dict() for report in reports], ensure_ascii=False, indent=2))
        else:
            for report in reports:
                self._tell(report)
        count = sum(len(report.refused) for report in reports)
        if count:
            raise CommandError(f"{count} refused; nothing of those folders was applied.", returncode=1)

    def _tell(self, report: LoadReport) -> None:
        for row in report.refused:
            self.stderr.write(str(row))
        if not report.refused:
            self.stdout.write(f"{report.source}: {report.words}")
