"""Calls about resources: list, read, cancel, and taking up again what failed."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.calls import AccountView, NothingSent, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.paging import page_json, page_of
from api.v1.resources import shapes
from api.v1.resources.rows import progress_json, resource_json
from core.clock import now
from orders.fulfilment.beginning import order_retry
from orders.fulfilment.cancelling import order_cancel_placed, resource_cancel
from orders.fulfilment.selectors import progress_of, resource_of, resources_of
from orders.models import BillingOrder
from orders.selectors import orders_of


class ResourceList(AccountView):
    @described(
        "resources_list", tag="resources", query=shapes.WhichResources, answer=shapes.ResourcePage, refuses=(404, 422)
    )
    def get(self, request: Request) -> Response:
        """List the machines and volumes of the account, those ordered last first."""
        return _page(request)


class OrderResourceList(AccountView):
    @described(
        "orders_resources", tag="resources", query=shapes.WhichResources, answer=shapes.ResourcePage,
        refuses=(404, 422),
    )  # fmt: skip
    def get(self, request: Request, order_id: int) -> Response:
        """List the machines and volumes of one order."""
        return _page(request, order_id=_own_order(request, order_id).pk)


class OrderFulfilment(AccountView):
    @described("orders_fulfilment", tag="resources", answer=shapes.FulfilmentShape, refuses=(404,))
    def get(self, request: Request, order_id: int) -> Response:
        """Say how far an order is: how many of its resources are there, to come, or failed and why."""
        return Response(_fulfilment(request, order_id))


class OrderResourcesRetry(AccountView):
    to_change = "place"

    @described(
        "orders_retry", tag="resources", takes=NothingSent, answer=shapes.FulfilmentShape, refuses=(400, 404, 409, 422)
    )
    def post(self, request: Request, order_id: int) -> Response:
        """Take up again what failed of an order, and only that."""
        order = _own_order(request, order_id)
        body_of(request, shape=NothingSent)
        order_retry(order_id=order.pk, account_id=order.account_id, user=caller_of(request).user, now=now())
        return Response(_fulfilment(request, order_id))


class OrderResourcesCancel(AccountView):
    to_change = "place"

    @described(
        "orders_cancel_placed", tag="resources", takes=shapes.WhyCancelled, answer=shapes.FulfilmentShape,
        refuses=(400, 404, 409, 422),
    )  # fmt: skip
    def post(self, request: Request, order_id: int) -> Response:
        """Cancel a placed order with all its machines and volumes, those that are active included."""
        order = _own_order(request, order_id)
        why = body_of(request, shape=shapes.WhyCancelled)
        order_cancel_placed(
            order_id=order.pk, account_id=order.account_id, user=caller_of(request).user, now=now(), **why
        )
        return Response(_fulfilment(request, order_id))


class ResourceDetail(AccountView):
    @described("resources_read", tag="resources", answer=shapes.ResourceShape, refuses=(404,))
    def get(self, request: Request, resource_uuid: UUID) -> Response:
        """Show one machine or volume."""
        return Response(resource_json(resource_of(account_id=_account_id(request), resource_uuid=resource_uuid)))


class ResourceCancel(AccountView):
    to_change = "place"

    @described(
        "resources_cancel", tag="resources", takes=shapes.WhyCancelled, answer=shapes.ResourceShape,
        refuses=(400, 404, 409, 422),
    )  # fmt: skip
    def post(self, request: Request, resource_uuid: UUID) -> Response:
        """Cancel one machine or volume; the others of its order stay."""
        resource = resource_of(account_id=_account_id(request), resource_uuid=resource_uuid)
        why = body_of(request, shape=shapes.WhyCancelled)
        cancelled = resource_cancel(
            resource_uuid=resource.uuid,
            account_id=resource.account_id,
            user=caller_of(request).user,
            now=now(),
            **why,
        )
        return Response(resource_json(cancelled))


def _page(request: Request, *, order_id: int | None = None) -> Response:
    asked = query_of(request, shape=shapes.WhichResources)
    state = asked.pop("state")
    resources = resources_of(account_id=_account_id(request))
    if state:
        resources = resources.filter(state=state)
    if order_id is not None:
        resources = resources.filter(container__order_item__order_id=order_id)
    page = page_of(resources, **asked)
    return Response(page_json(page, results=[resource_json(resource) for resource in page]))


def _fulfilment(request: Request, order_id: int) -> dict[str, object]:
    order = _own_order(request, order_id)
    progress = progress_of(order_id=order.pk, account_id=order.account_id)
    return progress_json(progress, order_state=order.state)


def _own_order(request: Request, order_id: int) -> BillingOrder:
    return orders_of(account_id=_account_id(request)).get(pk=order_id)


def _account_id(request: Request) -> int:
    return caller_of(request).account.pk
