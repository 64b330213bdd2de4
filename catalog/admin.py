"""The catalogue in the operator's console. Prices are added and closed here, never edited."""

import secrets
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from catalog.admin_base import AddOnlyAdmin, CatalogAdmin
from catalog.blueprint_admin import BlueprintAdmin as BlueprintAdmin
from catalog.book_admin import PriceBookAdmin as PriceBookAdmin
from catalog.models import (
    CatalogLoad,
    Item,
    ItemAttribute,
    ItemCategory,
    ItemPrice,
    ItemRule,
    Location,
    LocationGroup,
    Package,
    PackageConfiguration,
    Stock,
)
from catalog.services import price_close, price_end
from core.clock import now
from core.errors import RuleBroken


class PackageConfigurationInline(admin.TabularInline):
    model = PackageConfiguration
    extra = 0
    autocomplete_fields = ["category", "default_item"]


@admin.register(Package)
class PackageAdmin(CatalogAdmin):
    list_display = ["name", "key_name", "source", "is_active"]
    list_filter = ["is_active", "source"]
    search_fields = ["name", "key_name"]
    filter_horizontal = ["locations"]
    autocomplete_fields = ["items"]
    inlines = [PackageConfigurationInline]


class ItemRuleInline(admin.TabularInline):
    model = ItemRule
    fk_name = "item"
    extra = 0
    exclude = ["category"]
    autocomplete_fields = ["other", "other_category", "location"]


class CategoryRuleInline(ItemRuleInline):
    fk_name = "category"
    exclude = ["item"]


class StockInline(admin.TabularInline):
    model = Stock
    extra = 0
    autocomplete_fields = ["location"]


@admin.register(ItemCategory)
class ItemCategoryAdmin(CatalogAdmin):
    list_display = ["name", "category_code"]
    search_fields = ["name", "category_code"]
    inlines = [CategoryRuleInline]


class ItemAttributeInline(admin.TabularInline):
    model = ItemAttribute
    extra = 0


@admin.register(Item)
class ItemAdmin(CatalogAdmin):
    list_display = ["description", "key_name", "source", "external_id"]
    list_filter = ["source", "categories"]
    search_fields = ["description", "key_name", "external_id"]
    filter_horizontal = ["categories"]
    inlines = [ItemAttributeInline, ItemRuleInline, StockInline]


class NewPriceForm(forms.ModelForm):
    """A price that staff add, which may take the place of another one from its first day on."""

    replaces = forms.ModelChoiceField(
        ItemPrice.objects.all(),
        required=False,
        widget=forms.NumberInput,
        label="Replaces price no.",
        help_text="The number in the list of prices. That price ends when this one begins.",
    )

    class Meta:
        model = ItemPrice
        fields = [
            *("item", "currency", *ItemPrice.FEES, "location_group"),
            *("restriction", "restriction_minimum", "restriction_maximum", "term_months", "tier"),
            *("valid_from", "valid_to", "replaces", "categories", "source", "basis"),
        ]

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        replaced, begins = values.get("replaces"), values.get("valid_from")
        if replaced and replaced.item != values.get("item"):
            self.add_error("replaces", f"Price no. {replaced.pk} belongs to {replaced.item}.")
        elif replaced and begins and begins < now():
            self.add_error("valid_from", "A price that takes the place of another one begins from now on.")
        elif (
            replaced
            and begins
            and (replaced.valid_from >= begins or (replaced.valid_to and replaced.valid_to <= begins))
        ):
            self.add_error("replaces", f"Price no. {replaced.pk} does not hold when this one begins.")
        return values


@admin.register(ItemPrice)
class ItemPriceAdmin(AddOnlyAdmin):
    form = NewPriceForm
    list_display = [
        "pk",
        "item",
        "external_id",
        "recurring_fee",
        "hourly_recurring_fee",
        "currency",
        "location_group",
        "valid_from",
        "valid_to",
        "basis",
    ]
    list_filter = ["basis", "currency", "location_group", "item__source"]
    list_select_related = ["item", "location_group"]
    search_fields = ["item__description", "item__key_name", "external_id"]
    autocomplete_fields = ["item"]
    filter_horizontal = ["categories"]
    actions = ["close_now"]

    def save_model(self, request: HttpRequest, obj: ItemPrice, form: Any, change: bool) -> None:
        # An id that no catalogue file uses: a later loading leaves this price alone.
        obj.external_id = f"staff-{secrets.token_hex(6)}"
        super().save_model(request, obj, form, change)
        replaced = form.cleaned_data.get("replaces")
        if replaced:
            # The form saw to it that the price begins from now on; now has moved since.
            at = min(now(), obj.valid_from)
            price_end(price_id=replaced.pk, at=obj.valid_from, who=request.user.get_username(), now=at)

    @admin.action(description="Close the selected prices now", permissions=["change"])
    def close_now(self, request: HttpRequest, queryset: QuerySet[ItemPrice]) -> None:
        at = now()
        closed = 0
        for price in queryset:
            try:
                price_close(price_id=price.pk, who=request.user.get_username(), now=at)
                closed += 1
            except RuleBroken as error:
                self.message_user(request, error.words, messages.WARNING)
        self.message_user(request, f"{closed} closed.", messages.SUCCESS)


@admin.register(LocationGroup)
class LocationGroupAdmin(CatalogAdmin):
    list_display = ["external_id", "name", "is_active"]


@admin.register(Location)
class LocationAdmin(CatalogAdmin):
    list_display = ["key_name", "name"]
    search_fields = ["key_name", "name"]
    filter_horizontal = ["groups"]


@admin.register(CatalogLoad)
class CatalogLoadAdmin(admin.ModelAdmin):
    list_display = ["source", "loaded_at", "added", "changed", "closed"]
    list_filter = ["source"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
