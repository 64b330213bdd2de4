"""Orders for the operator's staff: to be read. What changes an order goes through its services."""

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest

from core.errors import RuleBroken
from core.outgoing import require_address_allowed
from orders.models import (
    BillingOrder,
    BillingOrderItem,
    Invoice,
    NumberSeries,
    OrderContainer,
    OrderLine,
    Resource,
    TaxRate,
    WebhookEndpoint,
)


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


@admin.register(Resource)
class ResourceAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("__str__", "uuid", "account", "driver", "state", "attempt", "external_id", "active_at")
    list_filter = ("state", "driver")
    list_select_related = ("account",)
    search_fields = ("uuid", "host_name", "external_id", "account__name")


class EndpointForm(forms.ModelForm):
    """An address that may be called."""

    url = forms.URLField(max_length=300, assume_scheme="https", help_text="Such as https://provisioner.example/calls.")

    class Meta:
        model = WebhookEndpoint
        fields = ("package", "url", "secret", "is_active")

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            require_address_allowed(url=url, allow_private=settings.PRIVATE_WEBHOOKS)
        except RuleBroken as refusal:
            raise ValidationError(refusal.words, code=refusal.code) from None
        return url


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(admin.ModelAdmin):
    form = EndpointForm
    list_display = ("package", "url", "is_active")
    list_select_related = ("package",)


@admin.register(TaxRate)
class TaxRateAdmin(admin.ModelAdmin):
    list_display = ("account", "name", "percent", "valid_from", "valid_to")
    list_select_related = ("account",)


@admin.register(Invoice)
class InvoiceAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("__str__", "account", "month", "net", "tax", "currency", "issued_at")
    list_filter = ("partner",)
    list_select_related = ("account",)
    search_fields = ("number", "account__name")
