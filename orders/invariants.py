"""What must be true of all orders, quotes and resources, whoever wrote their rows; no constraint is relied on."""

from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Count, Max, Sum

from core.invariants import Contradictions, Invariants
from core.models import OutboxEvent
from core.money import CENT
from orders.fulfilment.settling import ONCE_BEGUN
from orders.fulfilment.states import outcome_of
from orders.models import BillingOrder, Invoice, NumberSeries, OrderContainer, OrderLine, Quote, Resource
from orders.quote_document import lines_of, text_of_line

AMOUNTS = (("monthly", "monthly_amount"), ("once", "once_amount"))


def lines_miscalculated() -> Contradictions:
    """Yield lines whose amounts are not their fees for all pieces, rounded half-up once."""
    lines = OrderLine.objects.order_by("pk").select_related("container__order_item__order")
    for line in lines.iterator(chunk_size=2000):
        container = line.container
        is_hourly = container.term == OrderContainer.Term.HOURLY
        fee = line.hourly_recurring_fee if is_hourly else line.recurring_fee
        hours = container.order_item.order.hours_per_month if is_hourly else Decimal(1)
        if (line.monthly_amount is None) != (line.once_amount is None):
            yield f"line:{line.pk}", "Is priced each month or once, but not both: an unpriced line has neither amount."
        for stored, rate, factor in (
            (line.monthly_amount, fee, hours),
            (line.once_amount, line.once_fee, Decimal(1)),
        ):
            comes_to = None if rate is None else (rate * factor * container.quantity).quantize(CENT, ROUND_HALF_UP)
            if stored is not None and stored != comes_to:
                yield f"line:{line.pk}", f"Says {stored:.2f} for {container.quantity} pieces, which come to {comes_to}."


def totals_miscalculated() -> Contradictions:
    """Yield placed orders that were told to the outside, and quotes, with another total than that of their lines."""
    sums = _sums_of_lines()
    events = OutboxEvent.objects.filter(kind="order.placed").order_by("pk")
    for subject, payload in events.values_list("subject", "payload").iterator():
        for name, lines in zip(("monthly", "once"), sums[subject], strict=True):
            told = payload.get(name)
            if told is None or Decimal(told) != lines:
                yield subject, f"Was placed at {told} {name}, and its lines come to {lines:.2f}."
    for quote in Quote.objects.order_by("pk").iterator():
        for name, column in AMOUNTS:
            amounts = (line[column] for line in lines_of(quote.document))
            added = sum((Decimal(amount) for amount in amounts if amount is not None), start=Decimal(0))
            if Decimal(quote.document["totals"][name]) != added:
                words = f"Says {quote.document['totals'][name]} {name}, and its lines come to {added:.2f}."
                yield f"quote:{quote.pk}", words


def placed_orders_unfounded() -> Contradictions:
    """Yield placed orders without a line, or told of as placed other than once, and others told of at all."""
    told = Counter(OutboxEvent.objects.filter(kind="order.placed").values_list("subject", flat=True))
    orders = BillingOrder.objects.order_by("pk").annotate(lines=Count("items__containers__lines"))
    for order in orders.iterator():
        events = told.pop(order.subject, 0)
        if order.placed_at and not order.lines:
            yield order.subject, "Is placed without a line."
        if events != (1 if order.placed_at else 0):
            state = "Is placed" if order.placed_at else "Was never placed"
            yield order.subject, f"{state}, and has {events} events order.placed."
    for subject in sorted(told):
        yield subject, "Was told of as placed and is not there."


def quotes_departed_from() -> Contradictions:
    """Yield quotes that were accepted, or still may be, whose order no longer has the very lines that were promised."""
    for quote in Quote.objects.filter(withdrawn_at=None).order_by("pk").iterator():
        lines = OrderLine.objects.filter(container__order_item__order_id=quote.order_id).order_by(
            "container__order_item__sequence",
            "container__order_item",
            "container__sequence",
            "container",
            "pk",
        )
        now, then = [text_of_line(line) for line in lines], lines_of(quote.document)
        if len(now) != len(then):
            yield f"quote:{quote.pk}", f"Promised {len(then)} lines, and its order has {len(now)}."
        for line, promised, found in zip(lines, then, now, strict=False):
            changed = [name for name in promised if found.get(name) != promised[name]]
            if changed:
                name = changed[0]
                words = f"Promised {name} {promised[name]}, and line {line.pk} of its order says {found.get(name)}."
                yield f"quote:{quote.pk}", words


def numbers_with_gaps() -> Contradictions:
    """Yield partners whose numbers of orders, quotes or invoices have a gap, or are not those that were given out."""
    given = {(row.partner_id, row.kind): row.last_number for row in NumberSeries.objects.all()}
    for kind, numbered in (
        (NumberSeries.Kind.ORDER, BillingOrder.objects.filter(number__isnull=False)),
        (NumberSeries.Kind.QUOTE, Quote.objects.all()),
        (NumberSeries.Kind.INVOICE, Invoice.objects.all()),
    ):
        found = numbered.order_by("partner_id").values_list("partner_id")
        counts = found.annotate(count=Count("number", distinct=True), last=Max("number"))
        for partner_id, count, last in counts:
            last_given = given.get((partner_id, kind.value), 0)
            if not count == last == last_given:
                words = f"Has {count} {kind.label.lower()} up to number {last}, and gave out {last_given}."
                yield f"partner:{partner_id}", words


def resources_miscounted() -> Contradictions:
    """Yield placed orders whose machines are not as many as ordered, or whose state is not what they make of it."""
    ordered = dict(
        OrderContainer.objects.filter(order_item__order__placed_at__isnull=False)
        .order_by()
        .values_list("order_item__order_id")
        .annotate(Sum("quantity"))
    )
    states: defaultdict[int, dict[str, int]] = defaultdict(dict)
    counted = Resource.objects.order_by().values_list("container__order_item__order_id", "state")
    for order_id, state, count in counted.annotate(Count("pk")):
        states[order_id][state] = count
    for order in BillingOrder.objects.filter(placed_at__isnull=False).order_by("pk").iterator():
        counts = states[order.pk]
        if sum(counts.values()) != ordered.get(order.pk, 0):
            words = f"Has {sum(counts.values())} machines or volumes, and {ordered.get(order.pk, 0)} were ordered."
            yield order.subject, words
        elif order.state in ONCE_BEGUN and outcome_of(counts) != order.state:
            yield order.subject, f"Is {order.state}, and its machines make it {outcome_of(counts)}."


def _sums_of_lines() -> defaultdict[str, tuple[Decimal, Decimal]]:
    """Return what the lines of each order add up to, each month and once; SQLite would add decimals as floats."""
    sums: defaultdict[str, tuple[Decimal, Decimal]] = defaultdict(lambda: (Decimal(0), Decimal(0)))
    columns: tuple[Any, ...] = ("container__order_item__order_id", "monthly_amount", "once_amount")
    for order_id, monthly, once in OrderLine.objects.order_by().values_list(*columns).iterator():
        subject = f"order:{order_id}"
        before = sums[subject]
        sums[subject] = (before[0] + (monthly or 0), before[1] + (once or 0))
    return sums


INVARIANTS: Invariants = {
    "line amount = fee × pieces": lines_miscalculated,
    "order total = sum of its lines": totals_miscalculated,
    "placed order = a line and one event": placed_orders_unfounded,
    "order line = promised line": quotes_departed_from,
    "numbers have no gaps": numbers_with_gaps,
    "order state = states of its resources": resources_miscounted,
}
