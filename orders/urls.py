"""Addresses of orders."""

from django.urls import path

from orders import blueprint_views, compose_views, views

urlpatterns = [
    path("", views.order_list, name="order-list"),
    path("recent/", views.order_recent, name="order-recent"),
    path("compose/", compose_views.compose_page, name="compose"),
    path("compose/add/", compose_views.compose_add, name="compose-add"),
    path("blueprints/", blueprint_views.blueprint_list, name="blueprint-list"),
    path("blueprints/order/", blueprint_views.blueprint_order, name="blueprint-order"),
    path("<int:order_id>/", views.order_detail, name="order-detail"),
    path("<int:order_id>/place/", views.order_place, name="order-place"),
    path("<int:order_id>/update/", views.order_update, name="order-update"),
    path("<int:order_id>/refresh/", views.order_refresh, name="order-refresh"),
    path("<int:order_id>/cancel/", views.order_cancel, name="order-cancel"),
    path("<int:order_id>/containers/<int:container_id>/remove/", views.container_remove, name="container-remove"),
    path("<int:order_id>/containers/<int:container_id>/copy/", views.container_copy, name="container-copy"),
    path("<int:order_id>/restore/", views.container_restore, name="container-restore"),
]
