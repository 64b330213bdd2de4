"""Resources as JSON."""

from typing import Any

from django.urls import reverse

from api.v1.texts import time_text
from orders.fulfilment.selectors import Counts, Progress
from orders.models import Resource

Json = dict[str, Any]


def resource_json(resource: Resource) -> Json:
    container = resource.container
    order = container.order_item.order
    return {
        "uuid": str(resource.uuid),
        "order": order.pk,
        "order_number": order.number,
        "item": container.order_item.name,
        "container": container.pk,
        "index": resource.index,
        "package": container.package.key_name,
        "location": container.location.key_name,
        "host_name": resource.host_name,
        "state": resource.state,
        "attempt": resource.attempt,
        "external_id": resource.external_id,
        "reason": resource.reason,
        "ordered_at": time_text(resource.ordered_at),
        "active_at": time_text(resource.active_at),
        "cancelled_at": time_text(resource.cancelled_at),
        "href": reverse("api-resource", args=[resource.uuid]),
    }


def counts_json(counts: Counts) -> Json:
    return {
        "wanted": counts.total,
        "to_come": counts.to_come,
        "active": counts.active,
        "failed": counts.failed,
        "cancelled": counts.cancelled,
    }


def progress_json(progress: Progress, *, order_state: str) -> Json:
    return {
        "state": order_state,
        "resources": counts_json(progress.counts),
        "reasons": [{"reason": reason, "resources": count} for reason, count in progress.reasons],
    }
