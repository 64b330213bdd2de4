"""What was measured: files of results that people uploaded, and the values in them."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Account
from jobs.models import Run


class MeasurementFile(models.Model):
    """One file of measured results that somebody uploaded for an account."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="measurement_files")
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()
    name = models.CharField(max_length=120, help_text="What was measured, such as a version of the software.")
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    kind = models.CharField(max_length=20, help_text="A key of planner.measurements.reading.files.KINDS.")
    notes = models.JSONField(default=list, help_text="What was taken to be so while reading.")
    review_run = models.OneToOneField(
        Run,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Works out which recent plans would be answered otherwise now.",
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["account", "sha256"], name="a_file_of_results_is_uploaded_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Measurement(models.Model):
    """One value that was measured on one configuration."""

    file = models.ForeignKey(MeasurementFile, on_delete=models.CASCADE, related_name="measurements")
    label = models.CharField(max_length=255, help_text="What the file calls it: a job, an operation, a configuration.")
    configuration = models.CharField(max_length=255, help_text="What was measured, in words.")
    facts = models.JSONField(default=dict, help_text="What was known of the configuration when it was measured.")
    metric = models.CharField(max_length=40, help_text="A key of planner.measurements.reading.readings.METRICS.")
    value = models.FloatField(help_text="In the unit of the metric.")
    conditions = models.JSONField(default=dict, help_text="The load under which it was measured.")
    scenario = models.JSONField(default=dict, help_text="As the models take it; empty where nothing predicts it.")
    predicted = models.FloatField(null=True, help_text="What the parameter set said of it, without any measurement.")
    parameter_set = models.CharField(max_length=60, help_text="By which it was predicted.")
    factor = models.CharField(max_length=120, blank=True, help_text="What it teaches about, such as drive.sata_7k.")
    log_factor = models.FloatField(null=True, help_text="Logarithm of how many times as fast that is as predicted.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(value__gt=0), name="a_measured_value_is_above_zero"),
            models.CheckConstraint(
                condition=Q(factor="", log_factor__isnull=True) | (~Q(factor="") & Q(log_factor__isnull=False)),
                name="a_lesson_names_what_it_is_about",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.configuration}: {self.metric} {self.value:g}"
