"""The clock of the doors: views, tasks and commands read it once and hand the time on as an argument."""

from datetime import datetime

from django.utils import timezone


def now() -> datetime:
    return timezone.now()
