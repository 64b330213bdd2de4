import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_partner_staff"),
        ("planner", "0005_advice"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ImportedScoreTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("suite", models.CharField(max_length=80)),
                ("version", models.CharField(max_length=80)),
                ("source", models.CharField(help_text="Where the scores are from.", max_length=200)),
                ("imported_at", models.DateTimeField()),
                (
                    "imported_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "partner",
                    models.ForeignKey(
                        blank=True,
                        help_text="Whose accounts may use it; empty: everybody's.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="score_tables",
                        to="accounts.partner",
                    ),
                ),
            ],
            options={
                "ordering": ["suite", "version", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ImportedScore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("processor", models.CharField(max_length=80)),
                ("score", models.FloatField()),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scores",
                        to="planner.importedscoretable",
                    ),
                ),
            ],
            options={
                "ordering": ["-score", "processor"],
            },
        ),
        migrations.AddConstraint(
            model_name="importedscoretable",
            constraint=models.UniqueConstraint(
                fields=("partner", "suite", "version"),
                name="a_partner_has_one_table_of_a_suite_and_version",
                violation_error_message="There is a table of this suite and version already. Remove it first.",
            ),
        ),
        migrations.AddConstraint(
            model_name="importedscoretable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("partner__isnull", True)),
                fields=("suite", "version"),
                name="everybody_has_one_table_of_a_suite_and_version",
                violation_error_message="There is a table of this suite and version already. Remove it first.",
            ),
        ),
        migrations.AddConstraint(
            model_name="importedscore",
            constraint=models.UniqueConstraint(
                fields=("table", "processor"), name="a_processor_scores_once_in_a_table"
            ),
        ),
        migrations.AddConstraint(
            model_name="importedscore",
            constraint=models.CheckConstraint(
                condition=models.Q(("score__gt", 0)), name="an_imported_score_is_above_zero"
            ),
        ),
    ]
