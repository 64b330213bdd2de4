"""Addresses of version 1."""

from django.urls import path

from api.v1.advice import views as advice
from api.v1.approvals import views as approvals
from api.v1.billing import views as billing
from api.v1.blueprints import views as blueprints
from api.v1.catalog import views as catalog
from api.v1.measurements import views as measurements
from api.v1.orders import views as orders
from api.v1.plans import views as plans
from api.v1.quotes import views as quotes
from api.v1.resources import views as resources
from api.v1.simulations import views as simulations
from api.v1.usage import views as usage

urlpatterns = [
    path("locations", catalog.LocationList.as_view(), name="api-locations"),
    path("packages", catalog.PackageList.as_view(), name="api-packages"),
    path("packages/<slug:key_name>", catalog.PackageDetail.as_view(), name="api-package"),
    path("packages/<slug:key_name>/items", catalog.PackageItems.as_view(), name="api-package-items"),
    path("items", catalog.ItemList.as_view(), name="api-items"),
    path("items/<int:item_id>/price", catalog.ItemPriceDetail.as_view(), name="api-item-price"),
    path("items/<int:item_id>/prices", catalog.ItemPriceList.as_view(), name="api-item-prices"),
    path("blueprints", blueprints.BlueprintList.as_view(), name="api-blueprints"),
    path("blueprints/<slug:key_name>", blueprints.BlueprintDetail.as_view(), name="api-blueprint"),
    path("blueprints/<slug:key_name>/order", blueprints.BlueprintOrder.as_view(), name="api-blueprint-order"),
    path("advice-kinds", advice.AdviceKindList.as_view(), name="api-advice-kinds"),
    path("advice", advice.AdviceList.as_view(), name="api-advice"),
    path("advice/<int:advice_id>", advice.AdviceDetail.as_view(), name="api-advice-one"),
    path("advice/<int:advice_id>/cancel", advice.AdviceCancel.as_view(), name="api-advice-cancel"),
    path("advice/<int:advice_id>/order", advice.AdviceOrder.as_view(), name="api-advice-order"),
    path("plans", plans.PlanList.as_view(), name="api-plans"),
    path("plans/<int:plan_id>", plans.PlanDetail.as_view(), name="api-plan"),
    path("plans/<int:plan_id>/cancel", plans.PlanCancel.as_view(), name="api-plan-cancel"),
    path("plans/<int:plan_id>/order", plans.PlanOrder.as_view(), name="api-plan-order"),
    path("measurements", measurements.MeasurementList.as_view(), name="api-measurements"),
    path("measurements/<int:file_id>", measurements.MeasurementDetail.as_view(), name="api-measurement"),
    path("measurements/<int:file_id>/delete", measurements.MeasurementDelete.as_view(), name="api-measurement-delete"),
    path("simulations", simulations.SimulationList.as_view(), name="api-simulations"),
    path("simulations/<int:simulation_id>", simulations.SimulationDetail.as_view(), name="api-simulation"),
    path(
        "simulations/<int:simulation_id>/cancel", simulations.SimulationCancel.as_view(), name="api-simulation-cancel"
    ),
    path("simulations/<int:simulation_id>/retry", simulations.SimulationRetry.as_view(), name="api-simulation-retry"),
    path("orders", orders.OrderList.as_view(), name="api-orders"),
    path("orders/verify", orders.OrderVerifyUnsaved.as_view(), name="api-orders-verify"),
    path("orders/<int:order_id>", orders.OrderDetail.as_view(), name="api-order"),
    path("orders/<int:order_id>/verify", orders.OrderVerify.as_view(), name="api-order-verify"),
    path("orders/<int:order_id>/repair", orders.OrderRepair.as_view(), name="api-order-repair"),
    path("orders/<int:order_id>/refresh", orders.OrderRefresh.as_view(), name="api-order-refresh"),
    path("orders/<int:order_id>/place", orders.OrderPlace.as_view(), name="api-order-place"),
    path("orders/<int:order_id>/cancel", orders.OrderCancel.as_view(), name="api-order-cancel"),
    path("orders/<int:order_id>/quote", quotes.OrderQuote.as_view(), name="api-order-quote"),
    path("orders/<int:order_id>/approve", approvals.OrderApprove.as_view(), name="api-order-approve"),
    path("orders/<int:order_id>/reject", approvals.OrderReject.as_view(), name="api-order-reject"),
    path("orders/<int:order_id>/fulfilment", resources.OrderFulfilment.as_view(), name="api-order-fulfilment"),
    path("orders/<int:order_id>/resources", resources.OrderResourceList.as_view(), name="api-order-resources"),
    path("orders/<int:order_id>/resources/retry", resources.OrderResourcesRetry.as_view(), name="api-order-retry"),
    path(
        "orders/<int:order_id>/resources/cancel",
        resources.OrderResourcesCancel.as_view(),
        name="api-order-resources-cancel",
    ),
    path("quotes", quotes.QuoteList.as_view(), name="api-quotes"),
    path("quotes/<int:quote_id>", quotes.QuoteDetail.as_view(), name="api-quote"),
    path("quotes/<int:quote_id>/accept", quotes.QuoteAccept.as_view(), name="api-quote-accept"),
    path("quotes/<int:quote_id>/withdraw", quotes.QuoteWithdraw.as_view(), name="api-quote-withdraw"),
    path("quotes/<int:quote_id>/reissue", quotes.QuoteReissue.as_view(), name="api-quote-reissue"),
    path("quotes/<int:quote_id>/share", quotes.QuoteShare.as_view(), name="api-quote-share"),
    path("quotes/<int:quote_id>/unshare", quotes.QuoteUnshare.as_view(), name="api-quote-unshare"),
    path("quotes/<int:quote_id>/changes", quotes.QuoteChanges.as_view(), name="api-quote-changes"),
    path("approvals", approvals.ApprovalList.as_view(), name="api-approvals"),
    path("approval-policy", approvals.Policy.as_view(), name="api-approval-policy"),
    path("invoices", billing.InvoiceList.as_view(), name="api-invoices"),
    path("invoices/<int:invoice_id>", billing.InvoiceDetail.as_view(), name="api-invoice"),
    path("invoices/<int:invoice_id>/csv", billing.InvoiceCsv.as_view(), name="api-invoice-csv"),
    path("spend", billing.SpendDetail.as_view(), name="api-spend"),
    path("budget", billing.BudgetDetail.as_view(), name="api-budget"),
    path("usage", usage.UsageRecording.as_view(), name="api-usage"),
    path("resources", resources.ResourceList.as_view(), name="api-resources"),
    path("resources/<uuid:resource_uuid>", resources.ResourceDetail.as_view(), name="api-resource"),
    path("resources/<uuid:resource_uuid>/cancel", resources.ResourceCancel.as_view(), name="api-resource-cancel"),
]
