"""The catalogue in the operator's console. Prices are added and closed here, never edited."""

import secrets
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from catalog.models import (
    Blueprint,
    BlueprintPart,
    BlueprintRole,
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
)
from catalog.services import catalog_touch, price_close, price_end
from core.clock import now
from core.errors import RuleBroken


class CatalogAdmin(admin.ModelAdmin):
    """Every change by hand gives the catalogue a new version."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        catalog_touch(who=request.user.get_username(), now=now())

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        super().delete_model(request, obj)
        catalog_touch(who=request.user.get_username(), now=now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        super().delete_queryset(request, queryset)
        catalog_touch(who=request.user.get_username(), now=now())


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


@admin.register(ItemCategory)
class ItemCategoryAdmin(CatalogAdmin):
    list_display = ["name", "category_code"]
    search_fields = ["name", "category_code"]


class ItemAttributeInline(admin.TabularInline):
    model = ItemAttribute
    extra = 0


class ItemRuleInline(admin.TabularInline):
    model = ItemRule
    fk_name = "item"
    extra = 0
    autocomplete_fields = ["other"]


@admin.register(Item)
class ItemAdmin(CatalogAdmin):
    list_display = ["description", "key_name", "source", "external_id"]
    list_filter = ["source", "categories"]
    search_fields = ["description", "key_name", "external_id"]
    filter_horizontal = ["categories"]
    inlines = [ItemAttributeInline, ItemRuleInline]


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
class ItemPriceAdmin(CatalogAdmin):
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

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let staff see the list and its action, but open no stored price for editing."""
        return obj is None and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

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


class BlueprintRoleInline(admin.TabularInline):
    model = BlueprintRole
    extra = 0
    show_change_link = True


class BlueprintPartInline(admin.TabularInline):
    model = BlueprintPart
    extra = 0
    autocomplete_fields = ["category", "item"]


@admin.register(Blueprint)
class BlueprintAdmin(CatalogAdmin):
    list_display = ["name", "key_name"]
    search_fields = ["name", "key_name"]
    inlines = [BlueprintRoleInline]


@admin.register(BlueprintRole)
class BlueprintRoleAdmin(CatalogAdmin):
    list_display = ["name", "blueprint", "package", "quantity"]
    list_select_related = ["blueprint", "package"]
    inlines = [BlueprintPartInline]


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
