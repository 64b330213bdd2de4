"""What machines and volumes used: recorded by the operator month by month, however often it is told the same."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from core.errors import InputRefused, Violation
from core.models import AuditEntry
from orders.billing.months import Month
from orders.billing.owing import Piece, allowance_of
from orders.billing.reading import use_rates_of
from orders.models import OrderLine, Resource, UsageRecord

MOST_UNITS = Decimal("99999999999.9999")
MOST_READINGS = 10_000
PLACES = 4


@dataclass(frozen=True)
class Reading:
    """How many units of an item one machine or volume used in a month; `field` says where that was read."""

    field: str
    resource_uuid: UUID
    month: Month
    item: str
    """The key name of the ordered item that is paid by use."""
    quantity: Decimal


@dataclass(frozen=True)
class Recorded:
    """What came of recording: how many readings are new, how many correct an earlier one, how many say the same."""

    added: int = 0
    corrected: int = 0
    unchanged: int = 0

    @property
    def words(self) -> str:
        return f"{self.added:,} recorded, {self.corrected:,} corrected, {self.unchanged:,} as they were."


@transaction.atomic
def usage_record(*, readings: Sequence[Reading], actor: str, now: datetime) -> Recorded:
    """Record what resources used, all of it or nothing; a reading told again changes nothing, another one corrects it.

    The invoice after the month bills what is recorded by then, and later ones bill or credit what was corrected.
    Raises InputRefused with every problem at once.
    """
    if len(readings) > MOST_READINGS:
        words = f"At most {MOST_READINGS:,} readings are taken at once, not {len(readings):,}. Send them in parts."
        raise InputRefused((Violation("too_many_readings", "", words),))
    resources = _locked_resources({reading.resource_uuid for reading in readings})
    lines = _lines_paid_by_use({resource.container_id for resource in resources.values()})
    problems = [problem for reading in readings for problem in _problems(reading, resources, lines, now=now)]
    problems += _told_twice(readings)
    if problems:
        raise InputRefused(tuple(problems))
    before = _records(resources.values())
    outcomes = []
    for reading in readings:
        resource = resources[reading.resource_uuid]
        line = lines[resource.container_id, reading.item]
        record = before.get((resource.pk, line.pk, reading.month))
        outcomes.append(_record(reading, record, resource=resource, line=line, actor=actor, now=now))
    return Recorded(outcomes.count("added"), outcomes.count("corrected"), outcomes.count("unchanged"))


def _record(
    reading: Reading,
    record: UsageRecord | None,
    *,
    resource: Resource,
    line: OrderLine,
    actor: str,
    now: datetime,
) -> str:
    if record and record.quantity == reading.quantity:
        return "unchanged"
    told_before = f"{record.quantity.normalize():f}" if record else ""
    if record is None:
        record = UsageRecord(resource=resource, order_line=line, month=reading.month.first)
    record.quantity, record.recorded_by, record.recorded_at = reading.quantity, actor, now
    record.save()
    AuditEntry.objects.create(
        account_id=resource.account_id,
        subject=record.subject,
        actor=actor,
        from_state=told_before,
        to_state=f"{reading.quantity.normalize():f}",
        at=now,
    )
    return "corrected" if told_before else "added"


def _problems(
    reading: Reading,
    resources: Mapping[UUID, Resource],
    lines: Mapping[tuple[int, str], OrderLine],
    *,
    now: datetime,
) -> Iterable[Violation]:
    quantity, field = reading.quantity, reading.field
    if not quantity.is_finite() or not 0 <= quantity <= MOST_UNITS or quantity != round(quantity, PLACES):
        words = f"Use is a number from 0 to {MOST_UNITS:,} with at most {PLACES} places, not {quantity}."
        yield Violation("quantity_out_of_range", f"{field}.quantity", words)
    resource = resources.get(reading.resource_uuid)
    if resource is None:
        words = f"There is no machine or volume {reading.resource_uuid}. Look its UUID up in its order."
        yield Violation("resource_unknown", f"{field}.resource", words)
        return
    was_there = _was_there(resource, reading.month)
    if not was_there:
        words = f"{resource} was not active in {reading.month.words}. Give a month in which it was."
        yield Violation("resource_not_active", f"{field}.month", words)
    line = lines.get((resource.container_id, reading.item))
    if line is None:
        offered = ", ".join(sorted(item for container, item in lines if container == resource.container_id))
        words = f"{resource} pays nothing by use called “{reading.item}”. It pays by use: {offered or 'nothing'}."
        yield Violation("item_not_paid_by_use", f"{field}.item", words)
    elif was_there and line.usage_tiers[0][0] > 0 and quantity.is_finite():
        allowance = _allowance_by_now(line, resource, reading.month, now=now)
        if quantity > allowance:
            words = (
                f"{line.description} has no rate for the first unit beyond the allowance, which is "
                f"{allowance.normalize():f} for the days of {reading.month.words} up to now. Price it first."
            )
            yield Violation("usage_unpriced", f"{field}.item", words)


def _allowance_by_now(line: OrderLine, resource: Resource, month: Month, *, now: datetime) -> Decimal:
    """Return the least that the month can come to include, whenever the machine or volume is cancelled."""
    assert resource.active_at is not None, "it was there in that month"
    piece = Piece(resource.active_at, resource.cancelled_at or now)
    return allowance_of(rates=use_rates_of(line), piece=piece, month=month)


def _told_twice(readings: Sequence[Reading]) -> Iterable[Violation]:
    seen = set()
    for reading in readings:
        what = (reading.resource_uuid, reading.item, reading.month)
        if what in seen:
            words = f"{reading.item} of {reading.resource_uuid} in {reading.month.words} stands here twice. Send one."
            yield Violation("reading_repeated", reading.field, words)
        seen.add(what)


def _was_there(resource: Resource, month: Month) -> bool:
    if resource.active_at is None or resource.active_at >= month.end:
        return False
    return resource.cancelled_at is None or resource.cancelled_at >= month.begin


def _locked_resources(uuids: set[UUID]) -> dict[UUID, Resource]:
    found = Resource.objects.select_for_update().filter(uuid__in=uuids).order_by("pk")
    return {resource.uuid: resource for resource in found}


def _lines_paid_by_use(container_ids: set[int]) -> dict[tuple[int, str], OrderLine]:
    """Return the lines by container and item; of equal ones in several categories the first stands for all."""
    lines = OrderLine.objects.filter(container__in=container_ids).order_by("-pk")
    return {(line.container_id, line.key_name): line for line in lines if line.usage_tiers}


def _records(resources: Iterable[Resource]) -> dict[tuple[int, int, Month], UsageRecord]:
    records = UsageRecord.objects.filter(resource__in=list(resources))
    return {(record.resource_id, record.order_line_id, Month.of(record.month)): record for record in records}
