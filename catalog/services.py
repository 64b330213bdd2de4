"""Checking and pricing containers, and what staff do to prices."""

from datetime import datetime

from django.db import transaction

from catalog.checking import containers_check as containers_check
from catalog.checking import orders_check as orders_check
from catalog.containers import ContainerAnswer as ContainerAnswer
from catalog.containers import ContainerQuestion as ContainerQuestion
from catalog.containers import LineAnswer as LineAnswer
from catalog.models import CatalogLoad, ItemPrice
from core.errors import RuleBroken


def catalog_touch(*, who: str, now: datetime) -> None:
    """Note that staff changed the catalogue by hand, so that its version changes with it."""
    CatalogLoad.objects.create(source=f"staff: {who}"[:200], digest=f"{now:%Y%m%d%H%M%S%f}", changed=1, loaded_at=now)


def price_close(*, price_id: int, who: str, now: datetime) -> ItemPrice:
    """End a price now. Prices are closed and replaced, never edited."""
    return price_end(price_id=price_id, at=now, who=who, now=now)


@transaction.atomic
def price_end(*, price_id: int, at: datetime, who: str, now: datetime) -> ItemPrice:
    """Let a price hold until `at`, now or later; what was ordered or quoted at it stays as it is."""
    price = ItemPrice.objects.select_for_update().get(pk=price_id)
    if at < now:
        raise RuleBroken("price_end_past", "What a price was cannot be changed. Choose a time from now on.")
    if price.valid_to is not None and price.valid_to <= at:
        raise RuleBroken("price_closed", f"Price {price.external_id} ends on {price.valid_to:%Y-%m-%d} already.")
    if price.valid_from >= at:
        raise RuleBroken("price_not_begun", f"Price {price.external_id} has not begun. Close it once it has.")
    price.valid_to = at
    price.save(update_fields=["valid_to"])
    catalog_touch(who=who, now=now)
    return price
