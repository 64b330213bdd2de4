"""The operator's view of partners, accounts, people and keys."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import Account, ApiKey, Membership, Partner, PartnerHost, PartnerStaff, User
from accounts.services import api_key_revoke
from core.clock import now

admin.site.site_header = "Rackwright"
admin.site.site_title = "Rackwright"
admin.site.index_title = "Operator's console"


class PartnerHostInline(admin.TabularInline):
    model = PartnerHost
    extra = 1


class PartnerStaffInline(admin.TabularInline):
    model = PartnerStaff
    extra = 0
    autocomplete_fields = ["user"]


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ["user", "account"]


@admin.register(Partner)
class PartnerAdmin(admin.ModelAdmin):
    list_display = ["name", "slug", "accent", "support_email"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    inlines = [PartnerHostInline, PartnerStaffInline]


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):
    list_display = ["name", "partner", "currency", "created_at"]
    list_filter = ["partner"]
    list_select_related = ["partner"]
    search_fields = ["name"]
    inlines = [MembershipInline]


class UserCreationForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ["email"]


@admin.register(User)
class AccountUserAdmin(UserAdmin):
    ordering = ["email"]
    list_display = ["email", "first_name", "last_name", "is_staff", "is_active", "is_demo"]
    search_fields = ["email", "first_name", "last_name"]
    add_form = UserCreationForm
    add_fieldsets = ((None, {"fields": ("email", "usable_password", "password1", "password2")}),)
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        ("Name", {"fields": ("first_name", "last_name")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "is_demo", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    inlines = [MembershipInline]


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):
    """Keys are made by their users; staff see that they exist and can revoke them."""

    list_display = ["name", "prefix", "account", "user", "scope", "created_at", "last_used_at", "revoked_at"]
    list_filter = ["scope", "account__partner"]
    list_select_related = ["account", "user"]
    search_fields = ["name", "prefix", "user__email"]
    exclude = ["digest"]
    actions = ["revoke"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        return False

    @admin.action(description="Revoke the chosen keys", permissions=["delete"])
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        for key in keys:
            api_key_revoke(key_id=key.pk, now=now())
