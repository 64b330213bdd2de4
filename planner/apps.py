from django.apps import AppConfig


class PlannerConfig(AppConfig):
    name = "planner"
    default_auto_field = "django.db.models.BigAutoField"
