"""Addresses of version 1."""

from django.urls import path

from api.v1.catalog import views as catalog
from api.v1.orders import views as orders
from api.v1.plans import views as plans

urlpatterns = [
    path("locations", catalog.LocationList.as_view(), name="api-locations"),
    path("packages", catalog.PackageList.as_view(), name="api-packages"),
    path("packages/<slug:key_name>", catalog.PackageDetail.as_view(), name="api-package"),
    path("packages/<slug:key_name>/items", catalog.PackageItems.as_view(), name="api-package-items"),
    path("items/<int:item_id>/price", catalog.ItemPriceDetail.as_view(), name="api-item-price"),
    path("plans", plans.PlanList.as_view(), name="api-plans"),
    path("plans/<int:plan_id>", plans.PlanDetail.as_view(), name="api-plan"),
    path("plans/<int:plan_id>/cancel", plans.PlanCancel.as_view(), name="api-plan-cancel"),
    path("plans/<int:plan_id>/order", plans.PlanOrder.as_view(), name="api-plan-order"),
    path("orders", orders.OrderList.as_view(), name="api-orders"),
    path("orders/<int:order_id>", orders.OrderDetail.as_view(), name="api-order"),
    path("orders/<int:order_id>/verify", orders.OrderVerify.as_view(), name="api-order-verify"),
    path("orders/<int:order_id>/refresh", orders.OrderRefresh.as_view(), name="api-order-refresh"),
    path("orders/<int:order_id>/place", orders.OrderPlace.as_view(), name="api-order-place"),
    path("orders/<int:order_id>/cancel", orders.OrderCancel.as_view(), name="api-order-cancel"),
]
