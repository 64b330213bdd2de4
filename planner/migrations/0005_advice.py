import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_partner_staff"),
        ("catalog", "0001_initial"),
        ("jobs", "0001_initial"),
        ("orders", "0001_initial"),
        ("planner", "0004_measurements"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Advice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField()),
                ("kind", models.SlugField(help_text="A key of planner.advice.registry.KINDS.", max_length=40)),
                ("demand", models.JSONField(help_text="What was typed for each field.")),
                ("words", models.CharField(help_text="The demand as a sentence.", max_length=300)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="advice", to="accounts.account"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "location",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: wherever.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.location",
                    ),
                ),
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="advice", to="jobs.run"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "advice",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["account", "-id"], name="advice_by_account")],
            },
        ),
        migrations.CreateModel(
            name="AdviceOrder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("chosen", models.JSONField(help_text="The configuration of the answer that was ordered.")),
                (
                    "advice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="advice_orders", to="planner.advice"
                    ),
                ),
                (
                    "order",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="orders.billingorder"
                    ),
                ),
            ],
            options={"ordering": ["-pk"]},
        ),
    ]
