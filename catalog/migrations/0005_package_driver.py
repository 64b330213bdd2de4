from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0004_rules"),
    ]

    operations = [
        migrations.AddField(
            model_name="package",
            name="driver",
            field=models.CharField(
                choices=[("simulated", "Simulated"), ("manual", "By hand"), ("webhook", "External provisioner")],
                default="simulated",
                help_text="What brings its machines about once they are ordered.",
                max_length=20,
            ),
        ),
    ]
