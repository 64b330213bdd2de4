"""The runs that bring resources about and give them back: each point is a stretch of one container's pieces."""

from datetime import datetime

from django.db.models import QuerySet

from jobs.models import JsonDict, Run
from jobs.services import run_start
from orders.fulfilment.drivers import DRIVERS
from orders.models import BillingOrder, Resource
from orders.moves import THE_PRODUCT

PROVISION_KIND = "provision"
RELEASE_KIND = "release"
"""The names under which orders/tasks.py registers the work."""


def run_for(*, kind: str, order: BillingOrder, driver: str, resources: QuerySet[Resource], now: datetime) -> Run | None:
    """Start a run over these resources, which have this driver; none where there are none or people do the work."""
    size = DRIVERS[driver].pieces_at_once
    places = resources.order_by("container_id", "index").values_list("container_id", "index") if size else ()
    stretches = list(dict.fromkeys((container_id, index // size) for container_id, index in places))
    if not stretches:
        return None
    run = run_start(
        kind=kind,
        account_id=order.account_id,
        created_by=THE_PRODUCT,
        parameters={"order_id": order.pk, "account_id": order.account_id, "driver": driver},
        points=[_stretch(container_id, first=number * size, size=size) for container_id, number in stretches],
        now=now,
    )
    resources.update(run=run)
    return run


def in_stretch(*, parameters: JsonDict, point: JsonDict) -> QuerySet[Resource]:
    """Return the resources that one point of such a run is about, whatever has become of them meanwhile."""
    return Resource.objects.filter(
        container_id=point["container"],
        index__gte=point["first"],
        index__lte=point["last"],
        driver=parameters["driver"],
        account_id=parameters["account_id"],
    )


def _stretch(container_id: int, *, first: int, size: int) -> JsonDict:
    return {"container": container_id, "first": first, "last": first + size - 1}
