"""Addresses of the doors for machines, and their description."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from api.provisioning import ProvisioningCallback

urlpatterns = [
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs", SpectacularSwaggerView.as_view(url_name="api-schema"), name="api-docs"),
    path("provisioning/callback", ProvisioningCallback.as_view(), name="provisioning-callback"),
    path("v1/", include("api.v1.urls")),
]
