"""Loading catalogues into the database: folders in our own layout, and files in the shape of the SoftLayer API.

`catalog/data/README.md` describes the layout and the rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from catalog.applying import catalog_apply
from catalog.cells import RowNote
from catalog.files import read_text
from catalog.layout import CatalogData, Notes
from catalog.models import CatalogLoad
from catalog.reading import is_folder_in_our_layout, read_folder
from catalog.softlayer_reading import read_packages
from catalog.tallying import Progress, Tally, no_progress
from core.bulk import statistics_refresh

SHIPPED = Path(__file__).parent / "data"
SHIPPED_FOLDERS = ("ec2-2012-04", "softlayer-200", "overlay", "benchmark-2012")
"""In the order in which one builds on the other."""
SOFTLAYER = "softlayer"


@dataclass(frozen=True)
class LoadReport:
    """What a loading did, or would do. With a refused row nothing was applied, unless it was to be skipped."""

    folder: str
    source: str = ""
    added: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    closed: Mapping[str, int] = field(default_factory=dict)
    links: int = 0
    refused: tuple[RowNote, ...] = ()
    doubtful: tuple[RowNote, ...] = ()
    is_applied: bool = False

    @property
    def changes(self) -> int:
        return sum(sum(counts.values()) for counts in (self.added, self.changed, self.closed)) + self.links

    @property
    def words(self) -> str:
        counts = {"added": self.added, "changed": self.changed, "closed": self.closed}
        parts = [
            f"{verb} {', '.join(f'{kind} {count}' for kind, count in kinds.items())}"
            for verb, kinds in counts.items()
            if kinds
        ]
        if self.links:
            parts.append(f"links {self.links}")
        return "; ".join(parts) or "nothing new"

    def as_dict(self) -> dict[str, Any]:
        return {
            "folder": self.folder,
            "source": self.source,
            "added": dict(self.added),
            "changed": dict(self.changed),
            "closed": dict(self.closed),
            "links": self.links,
            "changes": self.changes,
            "is_applied": self.is_applied,
            "refused": [row.as_dict() for row in self.refused],
            "doubtful": [row.as_dict() for row in self.doubtful],
        }


def shipped_folders() -> list[Path]:
    """Return the folders of the catalogues that come with the product."""
    return [SHIPPED / name for name in SHIPPED_FOLDERS]


def catalog_load_folder(*, folder: Path, now: datetime) -> LoadReport:
    """Load a catalogue; all of it, or nothing where a row is refused.

    A folder that was loaded last from its source with the same content changes nothing at all, so that a second start
    never overwrites what staff changed since.
    """
    data, notes = read_folder(folder)
    if data is None or notes.refused:
        return _report(str(folder), data, notes)
    newest = CatalogLoad.objects.filter(source=data.source).first()
    if newest and newest.digest == data.digest:
        return LoadReport(folder=str(folder), source=data.source, doubtful=tuple(notes.doubtful), is_applied=True)
    with transaction.atomic():
        report = _applied(str(folder), data, notes, now, no_progress)
        if report.is_applied:
            _remember(data.source, data.digest, report, now)
        else:
            transaction.set_rollback(True)
    return report


def catalog_import(
    *,
    paths: Sequence[Path],
    now: datetime,
    source: str = SOFTLAYER,
    is_dry_run: bool = False,
    skips_refused: bool = False,
    progress: Progress = no_progress,
) -> list[LoadReport]:
    """Import files and folders together: all of them or nothing, unless refused rows are to be skipped.

    SoftLayer-shaped files belong to the catalogue `source`. A report for each path; a dry run tells what would be.
    """
    read = [(path, *_read(path, source)) for path in paths]
    unreadable = any(data is None for _, data, _ in read)
    is_stopped = unreadable or (not skips_refused and any(notes.refused for *_, notes in read))
    reports = []
    with transaction.atomic():
        for path, data, notes in read:
            if data is None or is_stopped:
                reports.append(_report(str(path), data, notes))
                continue
            report = _applied(str(path), data, notes, now, progress)
            if report.changes:
                # Apart from the loading of folders: a start must not load those again on top of an import.
                _remember(f"import: {data.source}", data.digest, report, now)
            reports.append(report)
        is_kept = not is_stopped and not is_dry_run and (skips_refused or not any(each.refused for each in reports))
        if not is_kept:
            transaction.set_rollback(True)
    return [replace(report, is_applied=is_kept) for report in reports]


def _read(path: Path, source: str) -> tuple[CatalogData | None, Notes]:
    if is_folder_in_our_layout(path):
        return read_folder(path if path.is_dir() else path.parent)
    notes = Notes()
    text = read_text(path, notes.refused)
    if text is None:
        return None, notes
    words = f"Price list in the shape of the SoftLayer API, file {path.name}"
    data = read_packages(path=path, text=text, source=source, price_source=words, currency="USD", notes=notes)
    return (None if any(note.is_about_a_file for note in notes.refused) else data), notes


def _applied(folder: str, data: CatalogData, notes: Notes, now: datetime, progress: Progress) -> LoadReport:
    tally = Tally(progress=progress)
    catalog_apply(data=data, now=now, notes=notes, tally=tally)
    report = replace(
        _report(folder, data, notes),
        added=+tally.added,
        changed=+tally.changed,
        closed=+tally.closed,
        links=tally.links,
        is_applied=not notes.refused,
    )
    if report.changes:
        statistics_refresh("catalog")
    return report


def _report(folder: str, data: CatalogData | None, notes: Notes) -> LoadReport:
    return LoadReport(
        folder=folder,
        source=data.source if data else "",
        refused=_without_repetition(notes.refused),
        doubtful=_without_repetition(notes.doubtful),
    )


def _without_repetition(notes: Iterable[RowNote]) -> tuple[RowNote, ...]:
    return tuple(dict.fromkeys(notes))


def _remember(source: str, digest: str, report: LoadReport, now: datetime) -> None:
    CatalogLoad.objects.create(
        source=source,
        digest=digest,
        added=sum(report.added.values()),
        changed=sum(report.changed.values()) + report.links,
        closed=sum(report.closed.values()),
        loaded_at=now,
    )
