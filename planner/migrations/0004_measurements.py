import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_partner_staff"),
        ("jobs", "0004_stages"),
        ("planner", "0003_plan_phases"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="MeasurementFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uploaded_at", models.DateTimeField()),
                (
                    "name",
                    models.CharField(help_text="What was measured, such as a version of the software.", max_length=120),
                ),
                ("file_name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                (
                    "kind",
                    models.CharField(help_text="A key of planner.measurements.reading.files.KINDS.", max_length=20),
                ),
                ("notes", models.JSONField(default=list, help_text="What was taken to be so while reading.")),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="measurement_files",
                        to="accounts.account",
                    ),
                ),
                (
                    "review_run",
                    models.OneToOneField(
                        blank=True,
                        help_text="Works out which recent plans would be answered otherwise now.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="jobs.run",
                    ),
                ),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="Measurement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "label",
                    models.CharField(
                        help_text="What the file calls it: a job, an operation, a configuration.", max_length=255
                    ),
                ),
                ("configuration", models.CharField(help_text="What was measured, in words.", max_length=255)),
                (
                    "facts",
                    models.JSONField(
                        default=dict, help_text="What was known of the configuration when it was measured."
                    ),
                ),
                (
                    "metric",
                    models.CharField(
                        help_text="A key of planner.measurements.reading.readings.METRICS.", max_length=40
                    ),
                ),
                ("value", models.FloatField(help_text="In the unit of the metric.")),
                ("conditions", models.JSONField(default=dict, help_text="The load under which it was measured.")),
                (
                    "scenario",
                    models.JSONField(default=dict, help_text="As the models take it; empty where nothing predicts it."),
                ),
                (
                    "predicted",
                    models.FloatField(
                        help_text="What the parameter set said of it, without any measurement.", null=True
                    ),
                ),
                ("parameter_set", models.CharField(help_text="By which it was predicted.", max_length=60)),
                (
                    "factor",
                    models.CharField(
                        blank=True, help_text="What it teaches about, such as drive.sata_7k.", max_length=120
                    ),
                ),
                (
                    "log_factor",
                    models.FloatField(help_text="Logarithm of how many times as fast that is as predicted.", null=True),
                ),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="measurements",
                        to="planner.measurementfile",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            model_name="measurementfile",
            constraint=models.UniqueConstraint(fields=("account", "sha256"), name="a_file_of_results_is_uploaded_once"),
        ),
        migrations.AddConstraint(
            model_name="measurement",
            constraint=models.CheckConstraint(
                condition=models.Q(("value__gt", 0)), name="a_measured_value_is_above_zero"
            ),
        ),
        migrations.AddConstraint(
            model_name="measurement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("factor", ""), ("log_factor__isnull", True)),
                    models.Q(models.Q(("factor", ""), _negated=True), ("log_factor__isnull", False)),
                    _connector="OR",
                ),
                name="a_lesson_names_what_it_is_about",
            ),
        ),
    ]
