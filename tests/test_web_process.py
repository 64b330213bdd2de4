"""A web process as it stands before its first request, in a Python of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
START_THE_WEB = """
import gc, sys
import config.wsgi
rooms = ("accounts", "catalog", "orders", "planner")
print(all(f"{room}.views" in sys.modules for room in rooms), gc.get_freeze_count() > 10 * len(gc.get_objects()))
"""


def test_the_code_of_every_page_is_loaded_before_the_first_request_and_the_collector_leaves_it_alone():
    started = subprocess.run(
        [sys.executable, "-c", START_THE_WEB],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings_test"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert started.stdout.split() == ["True", "True"]
