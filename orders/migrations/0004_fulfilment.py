import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

import orders.models.resources


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0005_package_driver"),
        ("jobs", "0002_not_before"),
        ("orders", "0003_after_placing"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="resource",
            name="driver",
            field=models.CharField(
                choices=[("simulated", "Simulated"), ("manual", "By hand"), ("webhook", "External provisioner")],
                help_text="That of its package when it was placed.",
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="resource",
            name="run",
            field=models.ForeignKey(
                blank=True,
                help_text="Of its latest attempt.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="jobs.run",
            ),
        ),
        migrations.AddField(
            model_name="resource",
            name="taken_by",
            field=models.ForeignKey(
                blank=True,
                help_text="Who of the operator's staff provides it by hand.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="resource",
            name="begun_at",
            field=models.DateTimeField(blank=True, help_text="When its latest attempt began.", null=True),
        ),
        migrations.AddField(
            model_name="resource",
            name="accepted_at",
            field=models.DateTimeField(blank=True, help_text="When the external provisioner took it on.", null=True),
        ),
        migrations.AddField(
            model_name="resource",
            name="released_at",
            field=models.DateTimeField(blank=True, help_text="When a cancelled one was really gone.", null=True),
        ),
        migrations.AddIndex(
            model_name="resource",
            index=models.Index(
                fields=["container"], condition=Q(state__in=("ordered", "provisioning")), name="resource_not_there_yet"
            ),
        ),
        migrations.AddConstraint(
            model_name="resource",
            constraint=models.CheckConstraint(
                condition=Q(state="cancelled") | Q(released_at__isnull=True),
                name="only_a_cancelled_resource_is_released",
            ),
        ),
        migrations.CreateModel(
            name="WebhookEndpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "url",
                    models.URLField(
                        help_text="Where signed calls go, such as https://provisioner.example/calls.", max_length=300
                    ),
                ),
                (
                    "secret",
                    models.CharField(
                        default=orders.models.resources.new_secret,
                        help_text="Signs calls and answers; the provisioner knows it too.",
                        max_length=120,
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                (
                    "package",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook_endpoint",
                        to="catalog.package",
                    ),
                ),
            ],
            options={"ordering": ["package"]},
        ),
        migrations.CreateModel(
            name="CallbackReceipt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("delivery", models.CharField(max_length=64)),
                ("received_at", models.DateTimeField()),
                (
                    "endpoint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="receipts",
                        to="orders.webhookendpoint",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("endpoint", "delivery"), name="a_delivery_is_taken_in_once")
                ],
            },
        ),
    ]
