"""For test_killed_provisioning.py: workers that pause in the middle of a stretch, before or after its answers are
written, until a file appears.

Real workers load it with `celery worker --include tests.pausing_provisioning`.
"""

import os
import time
from datetime import datetime
from pathlib import Path

from catalog.choices import Driver
from jobs.handlers import PointContext, register
from jobs.models import JsonDict
from orders.fulfilment.drivers import DRIVERS
from orders.fulfilment.drivers.interface import Answer
from orders.fulfilment.drivers.simulated import SimulatedDriver
from orders.fulfilment.runs import PROVISION_KIND
from orders.models import Resource
from orders.tasks import provision_execute, resources_finish

FOLDER = "PAUSING_FOLDER"
MOMENT = "PAUSING_MOMENT"
WHILE_ASKING, ONCE_WRITTEN = "while asking", "once written"
PAUSED = "paused"
GO_ON = "go-on"
PAUSING_INDEX = 3
"""Which piece of a container the worker pauses at."""


def pause() -> None:
    """Leave this process's id in the folder and wait for leave to go on; only the first one to come here does."""
    folder = Path(os.environ[FOLDER])
    try:
        with (folder / PAUSED).open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return
    while not (folder / GO_ON).exists():
        time.sleep(0.02)


class PausingDriver(SimulatedDriver):
    """The simulated driver, which one worker never gets an answer from."""

    def provision(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        if resource.index == PAUSING_INDEX and os.environ[MOMENT] == WHILE_ASKING:
            pause()
        return super().provision(resource=resource, start=start, now=now, run_id=run_id)


def pausing_execute(context: PointContext, point: JsonDict) -> JsonDict:
    result = provision_execute(context, point)
    if os.environ[MOMENT] == ONCE_WRITTEN:
        pause()
    return result


if FOLDER in os.environ:
    DRIVERS[Driver.SIMULATED] = PausingDriver()
    register(PROVISION_KIND, execute=pausing_execute, finish=resources_finish)
