"""A kind of run for test_killed_worker.py: one of its points pauses between two chunks until a file appears.

Real workers load it with `celery worker --include tests.pausing_handler`.
"""

import os
import time
from pathlib import Path

import numpy as np

from jobs.handlers import PointContext, register
from jobs.models import JsonDict

KIND = "test.pausing"
PAUSED = "paused"
GO_ON = "go-on"


def execute(context: PointContext, point: JsonDict) -> JsonDict:
    rng = np.random.default_rng(context.seed)
    first_chunk = int(rng.integers(2**32, size=1000).sum())
    if point["pauses"]:
        pause(folder=Path(context.parameters["folder"]))
    second_chunk = int(rng.integers(2**32, size=1000).sum())
    return {"sum": first_chunk + second_chunk}


def pause(*, folder: Path) -> None:
    """Leave this process's id in the folder and wait for leave to go on."""
    (folder / PAUSED).write_text(str(os.getpid()))
    while not (folder / GO_ON).exists():
        time.sleep(0.02)


def finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    return {"sums": [result["sum"] for result in results]}


register(KIND, execute=execute, finish=finish)
