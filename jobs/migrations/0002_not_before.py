from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="point",
            name="not_before",
            field=models.DateTimeField(
                blank=True, help_text="Nobody takes it before this time: it waits for something outside.", null=True
            ),
        ),
    ]
