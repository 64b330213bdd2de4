"""Making a data folder ready: tables, catalogue, demo, collected static files.

Only the embedded database is prepared unasked. One that DATABASE_URL names is somebody's: it gets what they ask for.
"""

import fcntl
import hashlib
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.demo import demo_load
from catalog.demo_prices import demo_prices_load
from catalog.models import Package
from core import clock

MANAGES_ITSELF = {"check", "help", "makemigrations", "migrate", "up", "version"}
LOADS_ITSELF = {"catalog_load"}


def prepare_for_command(*, command: str, say: Callable[[str], None]) -> None:
    """Make the embedded database fit for a management command: migrated, with the catalogue if it has none."""
    if not is_embedded_database() or command in MANAGES_ITSELF or command.startswith("-"):
        return
    with alone_in_data_folder():
        make_broker_folders()
        migrate_if_needed(say=say)
        if command not in LOADS_ITSELF and not Package.objects.exists():
            say("Loading the catalogue")
            call_command("catalog_load", stdout=io.StringIO())


def prepare_all(*, with_demo: bool, say: Callable[[str], None]) -> None:
    """Make everything ready for `bin/up`; whatever the user changed stays as it is."""
    with alone_in_data_folder():
        make_broker_folders()
        migrate_if_needed(say=say)
        collect_static_if_changed(say=say)
        say("Loading the catalogue")
        call_command("catalog_load", stdout=io.StringIO())
        if with_demo:
            demo_load()
            demo_prices_load(now=clock.now())


def is_embedded_database() -> bool:
    return not os.environ.get("DATABASE_URL")


@contextmanager
def alone_in_data_folder() -> Iterator[None]:
    """Hold the data folder's lock, so that two commands started at once do not both migrate."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with open(settings.DATA_DIR / "prepare.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_broker_folders() -> None:
    (settings.BROKER_DIR / "control").mkdir(parents=True, exist_ok=True)


def migrate_if_needed(*, say: Callable[[str], None]) -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        say("Preparing the database")
        call_command("migrate", verbosity=0, interactive=False)


def collect_static_if_changed(*, say: Callable[[str], None]) -> None:
    """Collect and compress static files when one of their sources changed since the last time."""
    stamp_path = Path(settings.STATIC_ROOT) / ".sources"
    stamp = static_sources_stamp()
    if stamp_path.exists() and stamp_path.read_text() == stamp:
        return
    say("Collecting the static files")
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp_path.write_text(stamp)


def static_sources_stamp() -> str:
    """Return a digest over path, size and change time of every static source file."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            found = os.stat(storage.path(path))
            digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
