"""Reading measured results. Every question names the account that asks; there is no default."""

from typing import Any

from django.db.models import Count, QuerySet

from planner.models import Measurement, MeasurementFile


def file_of(*, account_id: int, file_id: int) -> MeasurementFile:
    """Return one file of the account; raises MeasurementFile.DoesNotExist for anybody else's."""
    files = MeasurementFile.objects.filter(account_id=account_id)
    return files.select_related("uploaded_by", "review_run").get(pk=file_id)


def file_summaries(*, account_id: int) -> QuerySet[Any, Any]:
    """Return a line for each file of the account, latest first, with how many values it has."""
    return (
        MeasurementFile.objects.filter(account_id=account_id)
        .annotate(values_count=Count("measurements"))
        .order_by("-pk")
        .values("pk", "name", "file_name", "kind", "uploaded_at", "uploaded_by__email", "values_count")
    )


def measurements_of(file: MeasurementFile) -> list[Measurement]:
    """Return the values of a file in its order."""
    return list(file.measurements.all())


def other_files(file: MeasurementFile) -> QuerySet[MeasurementFile]:
    """Return the account's other files, latest first: what this one may be compared with."""
    return MeasurementFile.objects.filter(account_id=file.account_id).exclude(pk=file.pk).only("pk", "name")
