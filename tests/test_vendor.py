"""Vendored files are the ones that static/VENDOR.md names, byte for byte, and the static storage can serve them."""

import hashlib
import re
from pathlib import Path

from django.core.management import call_command
from pytest_django import Settings

REPOSITORY = Path(__file__).resolve().parent.parent
FOLDERS = ("static/vendor", "static/maps", "planner/locations/data/geonames", "tests/vendor")
ROW = re.compile(
    r"^\| (?P<path>\S+) \| (?P<name>[^|]+) \| (?P<licence>[^|]+) \| (?P<sha256>[0-9a-f]{64}) \|$", re.MULTILINE
)


def listed() -> dict[str, str]:
    words = (REPOSITORY / "static/VENDOR.md").read_text()
    return {row["path"]: row["sha256"] for row in ROW.finditer(words)}


def committed() -> dict[str, str]:
    files = [path for folder in FOLDERS for path in (REPOSITORY / folder).rglob("*") if path.is_file()]
    return {str(path.relative_to(REPOSITORY)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_every_vendored_file_is_listed_with_its_sum() -> None:
    assert committed() == listed()


def test_no_vendored_file_names_a_source_map() -> None:
    naming = [path for path in committed() if b"sourceMappingURL=" in (REPOSITORY / path).read_bytes()]

    assert naming == []


def test_own_scripts_and_styles_load_nothing_from_another_host() -> None:
    own = [*(REPOSITORY / "static/css").glob("*.css"), *(REPOSITORY / "static/js").glob("*.js")]

    loading = [path.name for path in own if re.search(r"(?:url\(|src\s*=\s*)[\"']?(?:https?:)?//", path.read_text())]

    assert len(own) >= 2
    assert loading == []


def test_the_static_storage_takes_every_file(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }

    call_command(
        "collectstatic",
        interactive=False,
        verbosity=0,
        ignore_patterns=["admin", "drf_spectacular_sidecar", "rest_framework"],
    )

    sheet = next(tmp_path.glob("css/rackwright.*.css"))
    assert re.search(r"inter-latin\.[0-9a-f]{12}\.woff2", sheet.read_text())
