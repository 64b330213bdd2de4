"""What the pages of the catalogue in the operator's console share."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from catalog.services import catalog_touch
from core.clock import now


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


class AddOnlyAdmin(CatalogAdmin):
    """Rows that count for prices are added and closed, never edited or deleted."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let staff see the list and its actions, but open no stored row for editing."""
        return obj is None and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
