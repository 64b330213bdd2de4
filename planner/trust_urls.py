"""Addresses of how far to trust predictions, and of what a configuration is predicted to do."""

from django.urls import path

from planner import accuracy_views, predicted_views

urlpatterns = [
    path("accuracy/", accuracy_views.accuracy, name="accuracy"),
    path("parameters/", accuracy_views.parameters, name="parameters"),
    path("predicted/order/<int:order_id>/", predicted_views.predicted_of_order, name="predicted-of-order"),
    path("predicted/package/<slug:key_name>/", predicted_views.predicted_of_package, name="predicted-of-package"),
    path("predicted/composed/", predicted_views.predicted_of_composed, name="predicted-of-composed"),
]
