"""The pytest plugin of this project: keeps runs apart from each other, and skips what this machine cannot run.

It is loaded by `-p tests.plugin` in pyproject.toml, before Django reads its settings.
"""

import atexit
import gc
import os
import re
import shutil
import tempfile
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")  # pytest --hypothesis-profile default looks at examples nobody has seen


def use_own_stores() -> None:
    """Give this process a data folder of its own, and each parallel process its own pair of Redis databases."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    number = int(worker.removeprefix("gw")) if worker.startswith("gw") else 0
    if "RACKWRIGHT_TEST_DATA" not in os.environ:
        os.environ["RACKWRIGHT_TEST_DATA"] = made = tempfile.mkdtemp(prefix="rackwright-test-")
        atexit.register(shutil.rmtree, made, ignore_errors=True)
    parent = os.environ["RACKWRIGHT_TEST_DATA"]
    folder = Path(parent) / worker
    (folder / "broker" / "control").mkdir(parents=True, exist_ok=True)
    os.environ["RACKWRIGHT_DATA"] = str(folder)
    os.environ["NUMBA_CACHE_DIR"] = str(Path(parent) / "numba")
    for name in ("CELERY_BROKER_URL", "REDIS_URL"):
        address = re.fullmatch(r"(redis://.*)/(\d+)", os.environ.get(name, ""))
        if address:
            os.environ[name] = f"{address[1]}/{int(address[2]) + 2 * number}"


use_own_stores()


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def on_postgresql() -> bool:
    return os.environ.get("DATABASE_URL", "").startswith("postgres")


def pytest_report_header() -> list[str]:
    database = "PostgreSQL" if on_postgresql() else "SQLite (tests that need PostgreSQL are skipped)"
    browser = chromium() or "not on the PATH (browser tests are skipped)"
    return [f"database: {database}", f"chromium: {browser}"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip, with the reason, the tests that need what is not here; begin with those that share a catalogue."""
    order = {name: place for place, name in enumerate(SHARED)}
    items.sort(key=lambda item: order.get(catalogue_asked(item) or "", len(SHARED)))
    for item in items:
        if item.get_closest_marker("postgres") and not on_postgresql():
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL: bin/test brings one"))
        if item.get_closest_marker("browser") and chromium() is None:
            item.add_marker(pytest.mark.skip(reason="needs Chromium on the PATH"))


def pytest_collection_finish() -> None:
    """Leave all that is loaded by now out of every search for garbage, and search less often: it took about a
    twentieth of the time of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


SHARED = ("shipped_catalogue", "ec2_catalogue", "shipped_in_march")
"""The fixtures below for which tests/shared_catalogues.py has the loads."""
HOLDER = pytest.StashKey[Any]()


def catalogue_asked(item: pytest.Item) -> str | None:
    """Return the name of the shared catalogue that a test asks for."""
    return next((name for name in SHARED if name in getattr(item, "fixturenames", ())), None)


@pytest.fixture
def shipped_catalogue(db: None) -> None:
    """The catalogue that the product brings along."""


@pytest.fixture
def ec2_catalogue(db: None) -> None:
    """Of the catalogue that the product brings along only the machines and volumes of 2012."""


@pytest.fixture
def shipped_in_march(db: None) -> None:
    """The catalogue that the product brings along, loaded in March 2026."""


@pytest.fixture(scope="session")
def shared_catalogues(
    pytestconfig: pytest.Config, django_db_setup: None, django_db_blocker: Any
) -> Generator[Any, None, None]:
    """What holds the shared catalogue; loaded only now, as Django's settings are read after this plugin."""
    shared = import_module("tests.shared_catalogues").SharedCatalogues(unblock=django_db_blocker.unblock)
    pytestconfig.stash[HOLDER] = shared
    yield shared
    shared.hold(None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Take out a catalogue that a test does not ask for before its fixtures: once a browser's loop runs in this thread
    Django has another connection."""
    shared = item.config.stash.get(HOLDER, None)
    if shared and shared.name != catalogue_asked(item):
        shared.hold(None)


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> None:
    """Right before a test's own transaction begins, load the catalogue that it asks for."""
    if fixturedef.argname == "_django_db_helper" and (asked := catalogue_asked(request.node)):
        request.getfixturevalue("shared_catalogues").hold(asked)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that passed and leaves rows behind that contradict each other."""
    outcome = yield
    if item.get_closest_marker("django_db") or "_django_db_helper" in getattr(item, "fixturenames", ()):
        excused = {name for mark in item.iter_markers("breaks_invariants") for name in mark.args}
        # Loaded only now: this plugin is there before Django reads its settings.
        complaint = import_module("tests.aftermath").complaint_about(excused=excused)
        if complaint:
            pytest.fail(complaint, pytrace=False)
    return outcome
