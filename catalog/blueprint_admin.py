"""Blueprints in the operator's console: one is written as a whole, and checked as a whole before it is kept."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from catalog.admin_base import CatalogAdmin
from catalog.blueprint_writing import PART_COLUMNS, SERVICE_COLUMNS, BlueprintText, blueprint_text, blueprint_write
from catalog.choices import Basis
from catalog.models import Blueprint
from core.clock import now
from core.errors import InputRefused

TABLE = forms.Textarea(
    attrs={"rows": 16, "wrap": "off", "spellcheck": "false", "style": "font-family: monospace; width: 100%"}
)


class BlueprintForm(forms.Form):
    """A blueprint with its two tables."""

    key_name = forms.SlugField(max_length=80, label="Key name")
    name = forms.CharField(max_length=120)
    description = forms.CharField(
        required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3, "cols": 140})
    )
    source = forms.CharField(
        max_length=300,
        widget=forms.TextInput(attrs={"style": "width: 100%"}),
        help_text="Where it comes from, in words that buyers see.",
    )
    basis = forms.ChoiceField(choices=Basis.choices, initial=Basis.ASSUMED)
    parts = forms.CharField(
        label="Roles and parts",
        widget=TABLE,
        help_text=f"CSV: {', '.join(PART_COLUMNS)}. One line for each part; the lines of a role stand together. "
        "“optional” is yes or empty; a role of 0 machines is there only where somebody asks for some.",
    )
    services = forms.CharField(
        required=False,
        label="Where services stand",
        widget=TABLE,
        help_text=f"CSV: {', '.join(SERVICE_COLUMNS)}. “needs” are category:item with blanks between; "
        "drives, such as disk0:KEY, come into the next free slots, once for each time they stand there.",
    )


@admin.register(Blueprint)
class BlueprintAdmin(CatalogAdmin):
    list_display = ["name", "key_name", "basis"]
    search_fields = ["name", "key_name"]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a blueprint as its tables, or keep what is written; every problem stands beside its table."""
        blueprint = self.get_object(request, object_id) if object_id else None
        if object_id and blueprint is None:
            raise Http404
        if not (self.has_change_permission(request, blueprint) if blueprint else self.has_add_permission(request)):
            raise PermissionDenied
        form = _form(request, blueprint)
        if request.method == "POST" and form.is_valid() and (written := _written(request, form)):
            self.message_user(request, f"{written.name} is in the catalogue.", messages.SUCCESS)
            return redirect("admin:catalog_blueprint_changelist")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "form": form,
            "original": blueprint,
            "title": f"Change {blueprint}" if blueprint else "Add a blueprint",
            "delete_url": reverse("admin:catalog_blueprint_delete", args=[blueprint.pk]) if blueprint else "",
        }
        return render(request, "catalog/blueprint_write.html", context)


def _form(request: HttpRequest, blueprint: Blueprint | None) -> BlueprintForm:
    headers = {"parts": ",".join(PART_COLUMNS), "services": ",".join(SERVICE_COLUMNS)}
    form = BlueprintForm(request.POST or None, initial=asdict(blueprint_text(blueprint)) if blueprint else headers)
    # The key is what a blueprint is known by: another one would be another blueprint.
    form.fields["key_name"].disabled = blueprint is not None
    return form


def _written(request: HttpRequest, form: BlueprintForm) -> Blueprint | None:
    try:
        return blueprint_write(text=BlueprintText(**form.cleaned_data), who=request.user.get_username(), now=now())
    except InputRefused as refusal:
        for violation in refusal.violations:
            form.add_error(violation.field, violation.words)
        return None
