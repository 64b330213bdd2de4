"""Addresses: each room lists its own; here they are put together."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path
from django.views.defaults import page_not_found

from api.errors import refusal_body
from config.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("catalog/", include("catalog.urls")),
    path("orders/", include("orders.urls")),
    path("plans/", include("planner.urls")),
    path("simulate/", include("planner.simulations.urls")),
    path("measurements/", include("planner.measurements.urls")),
    path("", include("planner.trust_urls")),
    path("api/", include("api.urls")),
]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer programs in JSON and people with a page."""
    if request.path_info.startswith("/api/"):
        return JsonResponse(refusal_body("not_found", "There is no such address."), status=404)
    return page_not_found(request, exception)


handler404 = "config.urls.not_found"
