import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("planner", "0002_simulations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="plan",
            name="origin",
            field=models.ForeignKey(
                blank=True,
                help_text="The plan whose earlier phases this one took over.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="repeats",
                to="planner.plan",
            ),
        ),
        migrations.AddField(
            model_name="plan",
            name="from_stage",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="The first stage that was worked out again.", null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("from_stage__isnull", True), ("origin__isnull", True)),
                    models.Q(("from_stage__isnull", False), ("origin__isnull", False)),
                    _connector="OR",
                ),
                name="a_repeated_plan_says_from_which_stage",
            ),
        ),
        migrations.CreateModel(
            name="PlanShare",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "token",
                    models.CharField(help_text="Whoever has it sees the plan's answer.", max_length=64, unique=True),
                ),
                ("shared_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="shares", to="planner.plan"
                    ),
                ),
                (
                    "shared_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gt", models.F("shared_at"))),
                        name="a_plans_link_holds_for_some_time",
                    )
                ],
            },
        ),
    ]
