"""What people do with measured results: keep a file, and delete it."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Account, User
from core.errors import RuleBroken
from jobs.models import Run, RunState
from jobs.services import run_start
from planner.measurements.attaching import Attached, attach
from planner.measurements.calibrating import factors_for
from planner.measurements.reading.readings import ReadFile, refused
from planner.models import Measurement, MeasurementFile, Plan
from simulation.parameters import load_parameter_set

REVIEW_KIND = "plan_review"
"""The name under which planner/tasks.py registers the work; web code knows no more of it."""
PLANS_LOOKED_AT = 5
MOST_READINGS = 2000
LONGEST_NAME = 120


@dataclass(frozen=True)
class Uploaded:
    """A file of results that was read and is not kept yet."""

    file_name: str
    sha256: str
    read: ReadFile


def uploaded_of(*, file_name: str, data: bytes, read: ReadFile) -> Uploaded:
    """Return what was uploaded. Raises InputRefused for more values than anybody looks through."""
    if len(read.readings) > MOST_READINGS:
        words = f"The file has {len(read.readings):,} values, and at most {MOST_READINGS:,} are kept. Upload a summary."
        raise refused("file_too_large", words)
    return Uploaded(file_name[-255:], hashlib.sha256(data).hexdigest(), read)


@transaction.atomic
def measurement_keep(
    *, account: Account, user: User, uploaded: Uploaded, name: str, source: str, now: datetime
) -> MeasurementFile:
    """Keep a file's values with what they are of, and look which recent plans would now be answered otherwise.

    `source` is a key of `targets_of`, or "". Raises InputRefused for a source that does not fit, and RuleBroken for a
    file that the account has already.
    """
    parameters = load_parameter_set()
    words = (name.strip() or uploaded.file_name)[:LONGEST_NAME]
    attached = attach(
        uploaded.read.readings,
        kind=uploaded.read.kind,
        source=source,
        name=words,
        account_id=account.pk,
        parameters=parameters,
    )
    before = factors_for(account_id=account.pk)
    file = _file_create(account=account, user=user, uploaded=uploaded, name=words, now=now)
    Measurement.objects.bulk_create([_row(file, each, parameter_set=parameters.name) for each in attached])
    after = factors_for(account_id=account.pk)
    if after != before:
        file.review_run = _review_start(account=account, user=user, factors=after, now=now)
        file.save(update_fields=["review_run"])
    return file


@transaction.atomic
def measurement_delete(*, account: Account, file_id: int) -> None:
    """Delete a file with its values, so that nothing follows from them any more; plans made meanwhile stay.

    Raises MeasurementFile.DoesNotExist for another account's file.
    """
    MeasurementFile.objects.select_for_update().get(account=account, pk=file_id).delete()


def _file_create(*, account: Account, user: User, uploaded: Uploaded, name: str, now: datetime) -> MeasurementFile:
    try:
        with transaction.atomic():
            return MeasurementFile.objects.create(
                account=account,
                uploaded_by=user,
                uploaded_at=now,
                name=name,
                file_name=uploaded.file_name,
                sha256=uploaded.sha256,
                kind=uploaded.read.kind,
                notes=list(uploaded.read.notes),
            )
    except IntegrityError:
        known = MeasurementFile.objects.get(account=account, sha256=uploaded.sha256)
        words = f"This file is here already: “{known.name}”, since {known.uploaded_at:%d %B %Y}."
        raise RuleBroken("file_known", words, field="file") from None


def _row(file: MeasurementFile, each: Attached, *, parameter_set: str) -> Measurement:
    return Measurement(
        file=file,
        label=each.reading.label[:255],
        configuration=each.target.words[:255],
        facts=each.target.facts,
        metric=each.reading.metric,
        value=each.reading.value,
        conditions=dict(each.reading.conditions),
        scenario=each.scenario,
        predicted=each.predicted,
        parameter_set=parameter_set,
        factor=each.lesson.factor if each.lesson else "",
        log_factor=each.lesson.log_factor if each.lesson else None,
    )


def _review_start(*, account: Account, user: User, factors: dict[str, float], now: datetime) -> Run | None:
    """Start to work the account's latest plans out again; nothing where it has none that was answered."""
    plans = Plan.objects.filter(account=account, run__state=RunState.DONE)
    chosen = list(plans.values_list("pk", flat=True)[:PLANS_LOOKED_AT])
    if not chosen:
        return None
    return run_start(
        kind=REVIEW_KIND,
        account_id=account.pk,
        created_by=user.email,
        parameters={"factors": factors, "parameter_set": load_parameter_set().name, "plans": chosen},
        points=[{"plan_id": plan_id} for plan_id in chosen],
        now=now,
    )
