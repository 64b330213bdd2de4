"""Addresses of plans."""

from django.urls import path

from planner import views

urlpatterns = [
    path("", views.plan_list, name="plan-list"),
    path("new/", views.plan_new, name="plan-new"),
    path("recent/", views.plan_recent, name="plan-recent"),
    path("of-order/<int:order_id>/", views.plan_of_order, name="plan-of-order"),
    path("<int:plan_id>/", views.plan_detail, name="plan-detail"),
    path("<int:plan_id>/progress/", views.plan_progress, name="plan-progress"),
    path("<int:plan_id>/cancel/", views.plan_cancel, name="plan-cancel"),
    path("<int:plan_id>/retry/", views.plan_retry, name="plan-retry"),
    path("<int:plan_id>/order/", views.plan_order, name="plan-order"),
    path("<int:plan_id>/shapes.csv", views.plan_csv, name="plan-csv"),
]
