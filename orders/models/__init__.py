"""Orders: what a buyer composes, what it costs from the moment it is quoted or placed, and what becomes of it."""

from orders.models.approvals import Approval, ApprovalPolicy
from orders.models.billing import Budget, Invoice, InvoiceLine, TaxRate
from orders.models.ordering import BillingOrder, BillingOrderItem, NumberSeries, OrderContainer, OrderLine
from orders.models.quotes import Quote
from orders.models.resources import CallbackReceipt, Resource, ResourceState, WebhookEndpoint
from orders.models.sharing import SharedConfiguration
from orders.models.usage import UsageRecord

__all__ = [
    "Approval",
    "ApprovalPolicy",
    "BillingOrder",
    "BillingOrderItem",
    "Budget",
    "CallbackReceipt",
    "Invoice",
    "InvoiceLine",
    "NumberSeries",
    "OrderContainer",
    "OrderLine",
    "Quote",
    "Resource",
    "ResourceState",
    "SharedConfiguration",
    "TaxRate",
    "UsageRecord",
    "WebhookEndpoint",
]
