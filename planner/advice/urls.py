"""Addresses of advice."""

from django.urls import path

from planner import share_views
from planner.advice import views

urlpatterns = [
    path("", views.advice_list, name="advice-list"),
    path("new/<slug:kind_key>/", views.advice_new, name="advice-new"),
    path("<int:advice_id>/", views.advice_detail, name="advice-detail"),
    path("<int:advice_id>/configurations.csv", views.advice_csv, name="advice-csv"),
    path("<int:advice_id>/progress/", views.advice_progress, name="advice-progress"),
    path("<int:advice_id>/cancel/", views.advice_cancel, name="advice-cancel"),
    path("<int:advice_id>/retry/", views.advice_retry, name="advice-retry"),
    path("<int:advice_id>/delete/", views.advice_delete, name="advice-delete"),
    path("<int:advice_id>/order/", views.advice_order, name="advice-order"),
    path("<int:advice_id>/quote/", views.advice_quote, name="advice-quote"),
    path("<int:advice_id>/share/", share_views.advice_share, name="advice-share"),
    path("<int:advice_id>/unshare/", share_views.advice_unshare, name="advice-unshare"),
]
