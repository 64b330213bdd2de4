"""Addresses of tables of scores."""

from django.urls import path

from planner.mapping import views

urlpatterns = [
    path("", views.score_tables, name="score-tables"),
    path("<int:table_id>/", views.score_table, name="score-table"),
    path("<int:table_id>/remove/", views.score_table_remove, name="score-table-remove"),
]
