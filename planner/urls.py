"""Addresses of plans."""

from django.urls import include, path

from planner import share_views, slider_views, views
from planner.mapping.views import plan_physical

urlpatterns = [
    path("", views.plan_list, name="plan-list"),
    path("new/", views.plan_new, name="plan-new"),
    path("advice/", include("planner.advice.urls")),
    path("score-tables/", include("planner.mapping.urls")),
    path("compare/", share_views.plan_compare, name="plan-compare"),
    path("shared/<str:token>/", share_views.answer_by_link, name="answer-shared"),
    path("recent/", views.plan_recent, name="plan-recent"),
    path("of-order/<int:order_id>/", views.plan_of_order, name="plan-of-order"),
    path("<int:plan_id>/", views.plan_detail, name="plan-detail"),
    path("<int:plan_id>/progress/", views.plan_progress, name="plan-progress"),
    path("<int:plan_id>/cancel/", views.plan_cancel, name="plan-cancel"),
    path("<int:plan_id>/retry/", views.plan_retry, name="plan-retry"),
    path("<int:plan_id>/order/", views.plan_order, name="plan-order"),
    path("<int:plan_id>/quote/", views.plan_quote, name="plan-quote"),
    path("<int:plan_id>/slide/", slider_views.plan_slide, name="plan-slide"),
    path("<int:plan_id>/again/", views.plan_again, name="plan-again"),
    path("<int:plan_id>/physical/<slug:role>/", plan_physical, name="plan-physical"),
    path("<int:plan_id>/share/", share_views.plan_share, name="plan-share"),
    path("<int:plan_id>/unshare/", share_views.plan_unshare, name="plan-unshare"),
    path("<int:plan_id>/shapes.csv", views.plan_csv, name="plan-csv"),
]
