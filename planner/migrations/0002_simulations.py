import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("jobs", "0001_initial"),
        ("planner", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Simulation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField()),
                ("name", models.CharField(max_length=120)),
                ("workload", models.CharField(max_length=40)),
                (
                    "scenario",
                    models.JSONField(help_text="As the models take it; a swept field holds its first value."),
                ),
                (
                    "sweep",
                    models.JSONField(blank=True, help_text="The field that is swept, and its values.", null=True),
                ),
                (
                    "replications",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="Runs of each point, each with its own seed."
                    ),
                ),
                ("parameter_set", models.CharField(max_length=60)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="simulations", to="accounts.account"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="simulation", to="jobs.run"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["account", "-id"], name="simulation_by_account")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("replications__gte", 1)),
                        name="a_simulation_runs_each_point_once_or_more",
                    )
                ],
            },
        ),
    ]
