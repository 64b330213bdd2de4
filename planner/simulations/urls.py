"""Addresses of simulations."""

from django.urls import path

from planner.simulations import views

urlpatterns = [
    path("", views.simulation_list, name="simulation-list"),
    path("new/", views.simulation_new, name="simulation-new"),
    path("compare/", views.simulation_compare, name="simulation-compare"),
    path("<int:simulation_id>/", views.simulation_detail, name="simulation-detail"),
    path("<int:simulation_id>/progress/", views.simulation_progress, name="simulation-progress"),
    path("<int:simulation_id>/cancel/", views.simulation_stop, name="simulation-cancel"),
    path("<int:simulation_id>/retry/", views.simulation_again, name="simulation-retry"),
]
