"""The answer of a piece of advice: the best candidate, why each of the others lost, the front, or what is nearest."""

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from core.money import CENT, Money
from planner.advice.kinds import Asked, Delivered, Figure, Need
from planner.advice.market import Market, PricedCandidate, Role, priced
from planner.figure_words import value_words
from simulation.parameters import ParameterSet

RUNNERS_UP = 10
MOST_POINTS = 300
"""Points of the chart beside the front: more could not be told apart."""
NOISE = 1e-6
"""A share by which figures of equal machines may differ when they are worked out in another order."""
MOST_DIGITS = 12
"""Digits of a typed number that are read; more would be rounded."""
LOOK_UP_EVERY = 200
"""Candidates between two looks at whether the answer is still wanted."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """A candidate with its price and what it delivers."""

    priced: PricedCandidate
    delivered: Delivered

    @property
    def value(self) -> float:
        return self.delivered.main.value

    @property
    def meets(self) -> bool:
        return self.delivered.meets

    @property
    def rank(self) -> tuple[Any, ...]:
        """Cheapest first; ties go to fewer machines, then to more of the main figure, then to the title."""
        priced = self.priced
        return (priced.cents, priced.candidate.machines, -self.value, *priced.candidate.rank)

    @property
    def is_lacking_main_alone(self) -> bool:
        """Whether nothing but the main figure keeps it from meeting the demand."""
        return all(need.is_met for need in self.delivered.needs[1:])


def advice_answer(
    *, asked: Asked, market: Market, parameters: ParameterSet, look_up: Callable[[str], None] = lambda words: None
) -> Json:
    """Judge every candidate of the market and return the answer as plain JSON.

    `look_up` is called now and then with how far it is; it may raise to stop the work.
    """
    found, refused = _found(asked, market, parameters, look_up)
    found.sort(key=lambda each: each.rank)
    meeting = [each for each in found if each.meets]
    best = meeting[0] if meeting else None
    front = _front(found)
    row = partial(_detailed_row, asked=asked, parameters=parameters)
    return {
        "kind": asked.kind.key,
        "currency": market.currency,
        "catalog_version": market.catalog_version,
        "parameter_set": parameters.name,
        "best": row(best) if best else None,
        "runners_up": _runners_up(meeting, front, asked, row) if best else [],
        "problem": None if best else _problem(found, asked, market, row),
        "front": [_point(each) for each in front],
        "points": [_point(each) for each in _thinned(found)],
        "left_out": _left_out(asked, market),
        "considered": len(found) + refused,
        "refused": refused,
        "notes": list(asked.kind.notes(asked.demand)),
    }


def _left_out(asked: Asked, market: Market) -> list[Json]:
    """Return what is not advised, once for all the places where the same is said of it."""
    told = (*market.left_out, *asked.kind.left_out(market, asked.demand))
    return [asdict(each) for each in dict.fromkeys(told)]


def _found(
    asked: Asked, market: Market, parameters: ParameterSet, look_up: Callable[[str], None]
) -> tuple[list[Found], int]:
    """Return every candidate that can be ordered and judged, and how many cannot."""
    found, refused = [], 0
    judge = asked.kind.judge(asked.demand, parameters)
    for number, candidate in enumerate(asked.kind.candidates(market, asked.demand, parameters)):
        if number % LOOK_UP_EVERY == 0:
            look_up(f"{number:,} configurations looked at")
        price = priced(candidate, currency=market.currency)
        delivered = None if price is None else judge(candidate)
        if price is None or delivered is None:
            refused += 1
        else:
            found.append(Found(price, delivered))
    return found, refused


def _losers(meeting: Sequence[Found], best: Found) -> list[Found]:
    """Return the cheapest of each other variety that meets the demand."""
    firsts: dict[str, Found] = {}
    for each in meeting:
        firsts.setdefault(each.priced.candidate.variety, each)
    firsts.pop(best.priced.candidate.variety, None)
    return list(firsts.values())[:RUNNERS_UP]


def _runners_up(
    meeting: Sequence[Found], front: Sequence[Found], asked: Asked, row: Callable[[Found], Json]
) -> list[Json]:
    best = meeting[0]
    losers = [{**row(each), **_lost_by_price(each, best)} for each in _losers(meeting[1:], best)]
    return losers + [{**row(each), **told} for each, told in _cheaper_on_the_front(front, best, asked)]


def _lost_by_price(found: Found, best: Found) -> Json:
    """Say by how much cheaper it had to be: a cent more than the difference where it would lose the tie."""
    difference = found.priced.cents - best.priced.cents
    loses_ties = found.rank[1:] > best.rank[1:]
    less = Money((difference + int(loses_ties)) * CENT, found.priced.monthly.currency)
    return {
        "binding": "price",
        "reason": f"It costs {Money(difference * CENT, less.currency)} a month more.",
        "change": {"field": "price", "words": f"{less} a month less", "value": less.text},
    }


def _cheaper_on_the_front(front: Sequence[Found], best: Found, asked: Asked) -> list[tuple[Found, Json]]:
    """Return what would win if less were asked of the main figure, the nearest first."""
    cheaper = [each for each in front if each.rank < best.rank and not each.delivered.needs[0].is_met]
    field = asked.kind.named(asked.kind.main_field)
    rows = []
    for place in range(len(cheaper) - 1, max(-1, len(cheaper) - 1 - RUNNERS_UP // 2), -1):
        each, below = cheaper[place], cheaper[place - 1].value * (1 + NOISE) if place else -math.inf
        words = asked.kind.main_words(floored(each.value, above=below))
        need = each.delivered.needs[0]
        told = {
            "binding": need.label,
            "reason": f"{need.label}: {value_words(need.delivered)} of {value_words(need.asked)} {need.unit}.",
            "change": {"field": field.name, "words": f"{field.label}: {words}", "value": words},
        }
        rows.append((each, told))
    return rows


def floored(value: float, *, above: float) -> float:
    """Return the value rounded down to as few digits as leave it above another one."""
    for digits in range(2, MOST_DIGITS + 1):
        places = digits - 1 - math.floor(math.log10(value)) if value > 0 else 0
        short = round(value, places)
        if short > value:
            short = round(short - 10.0**-places, places)
        if above < short <= value:
            return short
    return value


def _front(found: Iterable[Found]) -> list[Found]:
    """Return what nothing beats in both cost and main figure, of all that keep the other limits; cheapest first."""
    front: list[Found] = []
    for each in found:
        if each.is_lacking_main_alone and (not front or each.value > front[-1].value * (1 + NOISE)):
            front.append(each)
    return front


def _thinned(found: Sequence[Found]) -> Sequence[Found]:
    step = max(1, math.ceil(len(found) / MOST_POINTS))
    return found[::step]


def _problem(found: Sequence[Found], asked: Asked, market: Market, row: Callable[[Found], Json]) -> Json:
    """Name the limit that binds and what is nearest: what misses the fewest limits, by the least."""
    if not found:
        where = market.places.get(asked.location_key, asked.location_key) or "any location"
        words = f"Nothing that is sold in {where} can be put together for this. Choose another location or billing."
        return {"limit": "what is on sale", "field": "location", "words": words, "nearest": None}
    nearest = min(found, key=_distance)
    need = max((each for each in nearest.delivered.needs if not each.is_met), key=lambda each: each.shortfall)
    sense = "at most" if need.is_at_least else "at least"
    words = (
        f"{need.label}: {value_words(need.asked)} {need.unit} asked, and {sense} {value_words(need.delivered)} "
        f"{need.unit} can be had: {nearest.priced.candidate.title}."
    )
    return {"limit": need.label, "field": need.field, "words": words, "nearest": row(nearest)}


def _distance(found: Found) -> tuple[Any, ...]:
    missed = [need for need in found.delivered.needs if not need.is_met]
    return (len(missed), sum(need.shortfall for need in missed), found.rank)


def _detailed_row(found: Found, *, asked: Asked, parameters: ParameterSet) -> Json:
    delivered = asked.kind.detail(found.priced.candidate, found.delivered, asked.demand, parameters)
    return row_of(replace(found, delivered=delivered))


def row_of(found: Found) -> Json:
    """Return a candidate as JSON: what is ordered, what it costs to the cent, what it delivers."""
    priced_, delivered = found.priced, found.delivered
    candidate = priced_.candidate
    return {
        "key": key_of(candidate.roles),
        "title": candidate.title,
        "place": _place_words(candidate.roles),
        "machines": candidate.machines,
        "monthly_cost": priced_.monthly.text,
        "metered_cost": str(candidate.metered.quantize(CENT)),
        "once_cost": priced_.once.text,
        "cents": priced_.cents,
        "is_illustrative": priced_.is_illustrative,
        "main": asdict(delivered.main),
        "figures": [asdict(each) for each in delivered.figures],
        "needs": [_need(each) for each in delivered.needs],
        "meets": delivered.meets,
        "limit": delivered.limit,
        "notes": list(delivered.notes),
        "extra": dict(delivered.extra),
        "roles": [_role(role, lines) for role, lines in zip(candidate.roles, priced_.lines, strict=True)],
    }


def key_of(roles: Sequence[Role]) -> str:
    """Return a short name for what is ordered: equal for equal orders."""
    return hashlib.sha256(repr([role.order_key for role in roles]).encode()).hexdigest()[:12]


def _place_words(roles: Sequence[Role]) -> str:
    return ", ".join(dict.fromkeys(role.shop.location_name for role in roles))


def _need(need: Need) -> Json:
    return {**asdict(need), "is_met": need.is_met}


def _role(role: Role, lines: Sequence[Any]) -> Json:
    monthly = sum((line.monthly.amount for line in lines), start=0 * CENT)
    return {
        "name": role.name,
        "quantity": role.quantity,
        "drawn_as": role.drawn_as,
        "package": role.shop.package_key,
        "package_name": role.shop.package_name,
        "location": role.shop.location_key,
        "location_name": role.shop.location_name,
        "term": role.shop.term,
        "monthly_cost": str(monthly),
        "parts": [
            {
                "category": line.chosen.category_code,
                "item_id": line.chosen.item.item_id,
                "key_name": line.chosen.item.key_name,
                "description": line.chosen.item.description,
                "monthly_cost": line.monthly.text,
                "basis": line.each.basis,
            }
            for line in lines
        ],
    }


def _point(found: Found) -> Json:
    candidate = found.priced.candidate
    return {
        "key": key_of(candidate.roles),
        "title": candidate.title,
        "place": _place_words(candidate.roles),
        "value": found.value,
        "monthly_cost": found.priced.monthly.text,
        "metered_cost": str(candidate.metered.quantize(CENT)),
        "cents": found.priced.cents,
        "meets": found.meets,
    }


def figure_words(figure: Figure) -> str:
    """Return a figure with its unit: "3,210 IOPS"."""
    return f"{value_words(figure.value)} {figure.unit}".strip()
