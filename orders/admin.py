"""Orders for the operator's staff: to be read. What changes an order goes through its services."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from orders.models import BillingOrder, BillingOrderItem, NumberSeries, OrderContainer, OrderLine


class ReadOnly:
    """Rows that staff may look at only."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ItemInline(ReadOnly, admin.TabularInline):
    model = BillingOrderItem
    show_change_link = True


class LineInline(ReadOnly, admin.TabularInline):
    model = OrderLine
    fields = ("category_name", "description", "source_price", "monthly_amount", "once_amount", "basis", "source")


@admin.register(BillingOrder)
class BillingOrderAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("__str__", "name", "account", "partner", "state", "currency", "created_at", "placed_at")
    list_filter = ("state", "partner")
    list_select_related = ("account", "partner")
    search_fields = ("name", "number", "account__name")
    inlines = (ItemInline,)


@admin.register(OrderContainer)
class OrderContainerAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("__str__", "order_item", "location", "term")
    list_select_related = ("order_item", "package", "location")
    inlines = (LineInline,)


@admin.register(NumberSeries)
class NumberSeriesAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("partner", "kind", "last_number")
    list_select_related = ("partner",)
