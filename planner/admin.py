"""Plans and simulations for the operator's staff: to be read. Who wants another answer asks another question."""

from django.contrib import admin

from jobs.admin import ReadOnlyAdmin
from planner.models import Advice, Plan, PlanOrder, Simulation


class PlanOrderInline(admin.TabularInline):
    model = PlanOrder
    fields = ("order", "shape")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Plan)
class PlanAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "account", "location", "state", "created_by", "created_at")
    list_filter = ("run__state", "account__partner")
    list_select_related = ("account", "location", "run", "created_by")
    search_fields = ("=id", "words", "account__name", "created_by__email")
    date_hierarchy = "created_at"
    inlines = (PlanOrderInline,)

    @admin.display(description="State")
    def state(self, plan: Plan) -> str:
        return plan.run.get_state_display()


@admin.register(Simulation)
class SimulationAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "account", "workload", "state", "created_by", "created_at")
    list_filter = ("workload", "run__state", "account__partner")
    list_select_related = ("account", "run", "created_by")
    search_fields = ("=id", "name", "account__name", "created_by__email")
    date_hierarchy = "created_at"

    @admin.display(description="State")
    def state(self, simulation: Simulation) -> str:
        return simulation.run.get_state_display()


@admin.register(Advice)
class AdviceAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "kind", "account", "location", "state", "created_by", "created_at")
    list_filter = ("kind", "run__state", "account__partner")
    list_select_related = ("account", "location", "run", "created_by")
    search_fields = ("=id", "words", "account__name", "created_by__email")
    date_hierarchy = "created_at"

    @admin.display(description="State")
    def state(self, advice: Advice) -> str:
        return advice.run.get_state_display()
