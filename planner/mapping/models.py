"""Tables of processor scores that a partner, or the operator, brought."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Partner


class ImportedScoreTable(models.Model):
    """One table of processor scores that somebody imported: one version of one benchmark suite."""

    partner = models.ForeignKey(
        Partner,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="score_tables",
        help_text="Whose accounts may use it; empty: everybody's.",
    )
    suite = models.CharField(max_length=80)
    version = models.CharField(max_length=80)
    source = models.CharField(max_length=200, help_text="Where the scores are from.")
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    imported_at = models.DateTimeField()

    class Meta:
        ordering = ["suite", "version", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["partner", "suite", "version"],
                name="a_partner_has_one_table_of_a_suite_and_version",
                violation_error_message="There is a table of this suite and version already. Remove it first.",
            ),
            models.UniqueConstraint(
                fields=["suite", "version"],
                condition=Q(partner__isnull=True),
                name="everybody_has_one_table_of_a_suite_and_version",
                violation_error_message="There is a table of this suite and version already. Remove it first.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.suite}, {self.version}"


class ImportedScore(models.Model):
    """What one processor alone scored in an imported table."""

    table = models.ForeignKey(ImportedScoreTable, on_delete=models.CASCADE, related_name="scores")
    processor = models.CharField(max_length=80)
    score = models.FloatField()

    class Meta:
        ordering = ["-score", "processor"]
        constraints = [
            models.UniqueConstraint(fields=["table", "processor"], name="a_processor_scores_once_in_a_table"),
            models.CheckConstraint(condition=Q(score__gt=0), name="an_imported_score_is_above_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.processor}: {self.score:g}"
