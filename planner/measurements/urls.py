"""Addresses of measured results."""

from django.urls import path

from planner.measurements import views

urlpatterns = [
    path("", views.measurement_list, name="measurement-list"),
    path("new/", views.measurement_new, name="measurement-new"),
    path("keep/", views.measurement_keep, name="measurement-keep"),
    path("compare/", views.measurement_compare, name="measurement-compare"),
    path("<int:file_id>/", views.measurement_detail, name="measurement-detail"),
    path("<int:file_id>/plans/", views.measurement_review, name="measurement-review"),
    path("<int:file_id>/delete/", views.measurement_delete, name="measurement-delete"),
]
