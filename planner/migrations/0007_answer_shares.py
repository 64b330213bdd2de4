"""Let a link lead to a piece of advice as well as to a plan."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("planner", "0006_scores")]

    operations = [
        migrations.RenameModel(old_name="PlanShare", new_name="AnswerShare"),
        migrations.RemoveConstraint(model_name="answershare", name="a_plans_link_holds_for_some_time"),
        migrations.AlterField(
            model_name="answershare",
            name="plan",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="shares",
                to="planner.plan",
            ),
        ),
        migrations.AlterField(
            model_name="answershare",
            name="token",
            field=models.CharField(help_text="Whoever has it sees the answer.", max_length=64, unique=True),
        ),
        migrations.AddField(
            model_name="answershare",
            name="advice",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="shares",
                to="planner.advice",
            ),
        ),
        migrations.AddConstraint(
            model_name="answershare",
            constraint=models.CheckConstraint(
                condition=models.Q(("advice__isnull", True), ("plan__isnull", False))
                | models.Q(("advice__isnull", False), ("plan__isnull", True)),
                name="a_link_leads_to_one_answer",
            ),
        ),
        migrations.AddConstraint(
            model_name="answershare",
            constraint=models.CheckConstraint(
                condition=models.Q(("expires_at__gt", models.F("shared_at"))),
                name="an_answers_link_holds_for_some_time",
            ),
        ),
    ]
