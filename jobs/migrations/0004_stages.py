from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0003_order_by_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="stage",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="Whose points are worked on; stays 0 where what comes later depends on nothing."
            ),
        ),
        migrations.AddField(
            model_name="point",
            name="stage",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="Points of a stage are written when those of the stage before are done."
            ),
        ),
    ]
