"""Price books, exchange rates and promotions in the operator's console; rules are kept on the price book's own page."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from catalog.admin_base import AddOnlyAdmin
from catalog.models import ExchangeRate, PriceBook, Promotion, PromotionUse
from catalog.promotions import promotion_end
from core.clock import now
from core.errors import RuleBroken


@admin.register(PriceBook)
class PriceBookAdmin(AddOnlyAdmin):
    list_display = ["name", "partner", "currency", "shows_rules", "valid_from", "valid_to", "rules_page"]
    list_select_related = ["partner"]
    list_filter = ["partner", "currency"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # the page of price books does, with every problem at once

    @admin.display(description="Rules")
    def rules_page(self, book: PriceBook) -> str:
        return format_html('<a href="{}">Rules</a>', reverse("price-book", args=[book.pk]))


@admin.register(ExchangeRate)
class ExchangeRateAdmin(AddOnlyAdmin):
    list_display = ["from_currency", "to_currency", "rate", "valid_from", "source"]
    list_filter = ["from_currency", "to_currency"]


@admin.register(Promotion)
class PromotionAdmin(AddOnlyAdmin):
    list_display = ["name", "code", "partner", "target_words", "used", "use_limit", "valid_from", "valid_to"]
    list_select_related = ["partner", "package", "category", "item"]
    list_filter = ["partner"]
    search_fields = ["name", "code"]
    autocomplete_fields = ["package", "category", "item"]
    actions = ["end_now"]

    @admin.action(description="End the selected promotions now", permissions=["change"])
    def end_now(self, request: HttpRequest, queryset: QuerySet[Promotion]) -> None:
        at = now()
        ended = 0
        for promotion in queryset:
            try:
                promotion_end(promotion_id=promotion.pk, who=request.user.get_username(), now=at)
                ended += 1
            except RuleBroken as error:
                self.message_user(request, error.words, messages.WARNING)
        self.message_user(request, f"{ended} ended.", messages.SUCCESS)


@admin.register(PromotionUse)
class PromotionUseAdmin(admin.ModelAdmin):
    list_display = ["promotion", "account", "subject", "used_at"]
    list_select_related = ["promotion", "account"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
