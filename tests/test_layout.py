"""The house keeps its plan: which rooms there are, what stands in them, and who may lean on whom.

import-linter (bin/check) watches the imports; here is what it cannot see.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator

import pytest
from django.apps import apps

from tests.servers import ROOT

Reference = tuple[str, str, str]
"""A room, a field of one of its models, and the model that the field points to."""

STAIRS = ("core", "jobs", "accounts", "catalog", "orders", "planner", "api")
"""From the lowest step up: a room may use what comes before it."""
ROOMS = {*STAIRS, "config", "simulation"}
OTHER_FOLDERS = {"bin", "docs", "static", "templates", "tests"}
NOT_OURS = {"data", "staticfiles"}
DJANGOS_OWN = {"auth", "contenttypes"}

FURNITURE = ("models", "services", "selectors", "views", "urls", "admin", "tests")
MISSING_WITH_REASON = {
    "config": {
        "models": "wiring keeps nothing",
        "services": "wiring decides nothing",
        "selectors": "wiring asks nothing",
        "views": "its one answer, health.py, is for supervisors",
        "admin": "there are no models",
        "tests": "tests of the wiring cross rooms and stand in tests/",
    },
    "core": {
        "services": "it holds words that are shared, and one service, idempotency.py",
        "selectors": "other rooms write its rows and ask for them",
        "views": "it has no pages",
        "urls": "it has no pages",
        "admin": "its rows are shown where they belong, such as on the order",
    },
    "jobs": {
        "views": "the rooms above show their own runs",
        "urls": "the rooms above show their own runs",
    },
    "orders": {"services": "split by topic: drafting, changing, checking, placing"},
    "simulation": dict.fromkeys(
        set(FURNITURE) - {"tests"}, "plain functions on plain values, with no database and no pages"
    ),
    "api": {
        "models": "a door holds nothing",
        "services": "a door calls those of the rooms",
        "selectors": "a door asks those of the rooms",
        "views": "each door has its own: v1/catalog, v1/orders, v1/plans",
        "admin": "there are no models",
    },
}

FORBIDDEN_TO_SIMULATION = {*ROOMS - {"simulation"}, "django", "rest_framework", "celery", "psycopg", "redis"}
HEAVY = {"numba", "scipy"}
MOST_LINES = 450
LOAD_THE_WEB = """
import sys
from django.urls import get_resolver
import config.wsgi
def walk(patterns):
    for pattern in patterns:
        walk(getattr(pattern, "url_patterns", ()))
walk(get_resolver().url_patterns)
"""
NAME_HEAVY_MODULES = "print(*sorted({name.split('.')[0] for name in sys.modules} & {'numba', 'scipy'}))"


def product_files(*suffixes: str) -> Iterator[str]:
    """Give the paths of our own files with these suffixes; all of them without one."""
    for folder, folders, names in os.walk(ROOT):
        at = os.path.relpath(folder, ROOT)
        hidden = {name for name in folders if name.startswith(".") and name != ".ci"}
        skipped = {"__pycache__", "vendor"} | hidden | (NOT_OURS if at == "." else set())
        folders[:] = sorted(set(folders) - skipped)
        yield from (os.path.normpath(f"{at}/{name}") for name in sorted(names) if name.endswith(suffixes or ("",)))


def furniture_in(room: str) -> set[str]:
    return {name for name in FURNITURE if (ROOT / room / f"{name}.py").exists() or (ROOT / room / name).is_dir()}


def references_of_rooms() -> list[Reference]:
    """Return every foreign key and many-to-many field of our models, hidden link tables included."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in STAIRS]
    return [
        (model._meta.app_label, f"{model.__name__}.{field.name}", str(field.related_model._meta.label))
        for model in models
        for field in (*model._meta.local_fields, *model._meta.local_many_to_many)
        if field.related_model
    ]


def leading_up(references: Iterable[Reference]) -> list[str]:
    """Return the references to a room higher on the stairs, or to something that is no room at all."""
    return [
        f"{room}.{field} → {target}"
        for room, field, target in references
        if target.split(".")[0] not in {*STAIRS[: STAIRS.index(room) + 1], *DJANGOS_OWN}
    ]


def imported_by(source: str) -> set[str]:
    """Return the top-level names of everything a module imports, wherever in it."""
    nodes = list(ast.walk(ast.parse(source)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    from_somewhere = {node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in plain | from_somewhere}


def heavy_modules_after(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{NAME_HEAVY_MODULES}"],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings_test"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_rooms_are_those_of_the_house():
    with_python = {path.split("/")[0] for path in product_files(".py") if "/" in path}

    assert with_python == ROOMS | {"bin", "tests"}
    assert {name for name in OTHER_FOLDERS if (ROOT / name).is_dir()} == OTHER_FOLDERS


def test_every_room_on_the_stairs_is_installed():
    assert {name for name in STAIRS if not apps.is_installed(name)} == set()


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_a_room_has_its_furniture_or_a_reason(room: str):
    assert set(FURNITURE) - furniture_in(room) == set(MISSING_WITH_REASON.get(room, {}))


def test_every_model_says_what_a_row_is():
    models = [model for model in apps.get_models() if model._meta.app_label in STAIRS]

    # Django writes a docstring of its own, such as "Run(id, kind, …)", where there is none.
    assert [model.__name__ for model in models if (model.__doc__ or "").startswith(f"{model.__name__}(")] == []


def test_every_reference_between_models_leads_down_the_stairs():
    references = references_of_rooms()

    assert ("planner", "PlanOrder.order", "orders.BillingOrder") in references
    assert leading_up(references) == []


def test_a_reference_up_the_stairs_is_seen():
    references = [
        ("core", "AuditEntry.order", "orders.BillingOrder"),
        ("jobs", "Run.account", "accounts.Account"),
        ("orders", "BillingOrder.account", "accounts.Account"),
        ("orders", "BillingOrder.log", "axes.AccessLog"),
        ("accounts", "User.groups", "auth.Group"),
    ]

    assert leading_up(references) == [
        "core.AuditEntry.order → orders.BillingOrder",
        "jobs.Run.account → accounts.Account",
        "orders.BillingOrder.log → axes.AccessLog",
    ]


def test_no_model_has_a_reference_that_may_point_anywhere():
    # A generic foreign key would walk around the stairs.
    models = [model for model in apps.get_models() if model._meta.app_label in STAIRS]

    assert [model.__name__ for model in models if model._meta.private_fields] == []


def test_the_simulation_imports_no_django_and_no_room():
    modules = [path for path in product_files(".py") if path.startswith("simulation/")]
    found = {path: imported_by((ROOT / path).read_text()) & FORBIDDEN_TO_SIMULATION for path in modules}

    assert len(found) > 8
    assert {path: names for path, names in found.items() if names} == {}


def test_numba_and_scipy_stay_in_the_kernels():
    places = [path for path in product_files(".py") if imported_by((ROOT / path).read_text()) & HEAVY]

    assert places
    assert [path for path in places if not path.startswith("simulation/kernels/")] == []


def test_imports_inside_functions_count_too():
    assert imported_by("def f():\n    import scipy.stats\n    from numba.core import x") == {"scipy", "numba"}


def test_a_web_process_never_loads_numba_or_scipy():
    assert heavy_modules_after(LOAD_THE_WEB) == ""


def test_loading_a_kernel_would_be_seen():
    assert heavy_modules_after(f"{LOAD_THE_WEB}\nimport simulation.kernels.fitting") == "scipy"


def test_no_file_has_grown_too_long():
    written_by_hand = [
        path
        for path in product_files(".py", ".sh", ".html", ".css", ".js")
        if "/migrations/" not in path and "tests/" not in path
    ]
    lengths = {path: len((ROOT / path).read_text().splitlines()) for path in written_by_hand}

    assert len(lengths) > 100
    assert {path: lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


def test_no_file_names_a_folder_outside_the_clone():
    outside = re.compile(r"(?<![\w.])" + "/" + r"work\b|\.\." + r"/shared")
    texts = {path: (ROOT / path).read_bytes().decode(errors="replace") for path in product_files()}

    assert {"README.md", ".ci/run", "bin/up", "Dockerfile"} <= set(texts)
    assert {path: found.group() for path, text in texts.items() if (found := outside.search(text))} == {}
