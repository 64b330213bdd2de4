"""An external provisioner: it is called with a signed message, and answers at once or later by a signed callback.

docs/provisioners.md describes both for those who write one.
"""

import json
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.selectors import partner_address
from core.errors import RuleBroken
from core.outgoing import CallFailed, Reply, post
from core.signing import signed_headers
from orders.fulfilment.drivers.interface import Answer
from orders.models import Resource, ResourceState, WebhookEndpoint

BACK_OFF = (
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
)
"""How long to wait after each call that failed; after the last one the call is given up."""
ASK_AGAIN = timedelta(minutes=15)
"""How often to ask after a resource that was accepted, in case its callback was lost."""
WORTH_ANOTHER_TRY = frozenset({408, 425, 429})
GONE = frozenset({404, 410})
STATES = {state.value: state for state in (ResourceState.PROVISIONING, ResourceState.ACTIVE, ResourceState.FAILED)}


class WebhookDriver:
    """Calls the provisioner of the resource's package."""

    pieces_at_once = 20

    def provision(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        if resource.accepted_at is not None:
            return self.status(resource=resource, start=start, now=now, run_id=run_id)
        try:
            reply = _call(resource, event="provision", start=start, now=now, run_id=run_id)
        except RuleBroken as refusal:
            return Answer(ResourceState.FAILED, reason=refusal.words)
        except CallFailed as failure:
            return _later(str(failure), start=start)
        if _is_success(reply):
            return _read(reply)
        words = f"The provisioner answered {reply.status}{_quoted(reply)}."
        if reply.status >= 500 or reply.status in WORTH_ANOTHER_TRY:
            return _later(words, start=start)
        return Answer(ResourceState.FAILED, reason=words)

    def status(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        not_known = Answer(ResourceState.PROVISIONING, ask_again_after=ASK_AGAIN)
        try:
            reply = _call(resource, event="status", start=start, now=now, run_id=run_id)
        except (RuleBroken, CallFailed):
            return not_known
        return _read(reply) if _is_success(reply) else not_known

    def cancel(self, *, resource: Resource, start: int, now: datetime, run_id: int = 0) -> Answer:
        try:
            reply = _call(resource, event="cancel", start=start, now=now, run_id=run_id)
        except RuleBroken as refusal:
            return Answer(ResourceState.FAILED, reason=refusal.words)
        except CallFailed as failure:
            return _later(str(failure), start=start)
        if _is_success(reply) or reply.status in GONE:
            return Answer(ResourceState.CANCELLED)
        return _later(f"The provisioner answered {reply.status}{_quoted(reply)}.", start=start)


def _call(resource: Resource, *, event: str, start: int, now: datetime, run_id: int) -> Reply:
    endpoint = _endpoint_of(resource)
    body = json.dumps(_message(resource, event=event)).encode()
    # Several runs may give the same resource back, each counting its own starts.
    delivery = f"{resource.uuid.hex}-{resource.attempt}-{event}-{run_id}-{start}"
    headers = signed_headers(secret=endpoint.secret, delivery=delivery, body=body, now=now)
    headers["Content-Type"] = "application/json"
    return post(url=endpoint.url, body=body, headers=headers, allow_private=settings.PRIVATE_WEBHOOKS)


def _endpoint_of(resource: Resource) -> WebhookEndpoint:
    package = resource.container.package
    endpoint = WebhookEndpoint.objects.filter(package=package, is_active=True).first()
    if endpoint is None:
        raise RuleBroken("provisioner_missing", f"No provisioner is set up for {package.name}.")
    return endpoint


def _message(resource: Resource, *, event: str) -> dict[str, Any]:
    container, order = resource.container, resource.order
    return {
        "event": event,
        "resource": str(resource.uuid),
        "attempt": resource.attempt,
        "external_id": resource.external_id,
        "order": order.number,
        "partner": order.partner.slug,
        "account": resource.account.name,
        "host_name": resource.host_name,
        "package": container.package.key_name,
        "location": container.location.key_name,
        "items": [{"category": line.category_code, "item": line.key_name} for line in container.lines.all()],
        "callback": partner_address(partner=order.partner) + reverse("provisioning-callback"),
    }


def _is_success(reply: Reply) -> bool:
    return 200 <= reply.status < 300


def _read(reply: Reply) -> Answer:
    """Read the reply to an accepted call; one that says nothing means that the answer comes later."""
    try:
        said = json.loads(reply.body or b"{}")
    except ValueError:
        said = {}
    said = said if isinstance(said, dict) else {}
    state = STATES.get(str(said.get("state")), ResourceState.PROVISIONING)
    return Answer(
        state,
        external_id=str(said.get("external_id") or "")[:120],
        reason=str(said.get("reason") or "The provisioner gave no reason.") if state == ResourceState.FAILED else "",
        ask_again_after=ASK_AGAIN if state == ResourceState.PROVISIONING else None,
        is_accepted=True,
    )


def _later(words: str, *, start: int) -> Answer:
    if start > len(BACK_OFF):
        return Answer(ResourceState.FAILED, reason=f"{words} It was called {start} times.")
    return Answer(ResourceState.PROVISIONING, reason=words, ask_again_after=BACK_OFF[start - 1])


def _quoted(reply: Reply) -> str:
    words = " ".join(reply.body.decode(errors="replace").split())[:120]
    return f": {words}" if words else ""
