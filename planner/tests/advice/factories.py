"""Small markets made by hand, for tests of advice that need no catalogue; and advice that was answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count
from typing import Any

from accounts.models import Account, User
from catalog.container_facts import CategoryFacts, Chosen, ContainerFacts, ItemFacts, PackageFacts, RuleFacts, RuleIndex
from catalog.container_prices import ChoicePrices, Known
from catalog.pricing import PriceFacts, PriceQuestion, Term
from core.clock import now
from planner.advice.answering import advice_answer
from planner.advice.kinds import Asked, asked_of
from planner.advice.market import Market, Part, Shop
from planner.advice.models import Advice
from planner.advice.reading import market_of
from planner.advice.registry import KINDS
from planner.advice.services import advice_start
from planner.tests.factories import work_all
from simulation.parameters import load_parameter_set

LOCATION = 7


@dataclass(frozen=True)
class Ware:
    """An item to be sold: what it is called, its fee a month, and what the catalogue says of it; None is unpriced."""

    description: str
    fee: str | None
    facts: Mapping[str, str] = field(default_factory=dict)
    rule: RuleFacts | None = None
    """What it asks of its machine; the item and the number of the rule are filled in."""
    usage: str | None = None
    """What each unit used costs beyond an allowance."""


def make_shop(
    wares: Mapping[str, Sequence[Ware]],
    *,
    required: Sequence[str] = (),
    slots: int = 0,
    key: str = "server",
    term: Term = Term.MONTHLY,
    stock: Mapping[str, int] | None = None,
) -> Shop:
    """Make a shop of wares by category; `disk0` fills every slot. The first ware of a required category is usual."""
    numbers = count(1)
    prices: dict[int, list[PriceFacts]] = {}
    items: dict[str, list[tuple[Ware, ItemFacts]]] = {}
    rules: list[RuleFacts] = []
    for code, sold in wares.items():
        for ware in sold:
            number = next(numbers)
            item = ItemFacts(number, ware.description, ware.description, frozenset({code}), _sizes(ware))
            items.setdefault(code, []).append((ware, item))
            prices[number] = [] if ware.fee is None else [make_price(number, ware.fee, usage=ware.usage)]
            if ware.rule:
                rules.append(_rule_of(ware.rule, number=len(rules) + 1, item_id=number))
    slot_codes = tuple(f"disk{slot}" for slot in range(slots))
    chosen_prices = ChoicePrices(question=PriceQuestion((), term, "USD"), term=term.value, known=Known(prices))
    parts = {code: _offered(code, sold, chosen_prices) for code, sold in items.items()}
    parts |= dict.fromkeys(slot_codes, parts.get("disk0", ()))
    categories = [_category(code, is_required=code in required) for code in items if code != "disk0"]
    categories += [_category(code, is_required=code in required) for code in slot_codes]
    return Shop(
        package_key=key,
        package_name=key.title(),
        location_key="here",
        location_name="Here",
        term=term.value,
        container=ContainerFacts(
            package=PackageFacts(
                key, True, tuple(categories), frozenset(prices), frozenset({LOCATION})
            ),
            location_id=LOCATION,
            location_name="Here",
            term=term.value,
            rules=RuleIndex(rules),
            stock=_stock(items, stock or {}),
        ),
        prices=chosen_prices,
        parts=parts,
        usual={code: parts[code][0] for code in required},
        slots=slot_codes,
    )  # fmt: skip


def make_market(*shops: Shop) -> Market:
    return Market("USD", shops, catalog_version="1-test", places={"here": "Here"})


def make_price(item_id: int, fee: str, *, usage: str | None = None) -> PriceFacts:
    """Make a price that is the same each month and, for 720 hours, by the hour."""
    return PriceFacts(
        price_id=item_id,
        external_id=str(item_id),
        currency="USD",
        recurring_fee=Decimal(fee),
        hourly_recurring_fee=Decimal(fee) / 720,
        setup_fee=None,
        one_time_fee=None,
        labor_fee=None,
        usage_rate=None if usage is None else Decimal(usage),
        group_id=None,
        restriction="",
        restriction_minimum=None,
        restriction_maximum=None,
        category_codes=frozenset(),
        source="test",
        basis="published",
        item_id=item_id,
    )


def ask(key: str, **words: str) -> Asked:
    """Read a question of a kind, as typed."""
    return asked_of(KINDS[key], words)


def make_advice(account: Account, user: User, key: str, **words: str) -> Advice:
    """Ask for advice about the loaded catalogue; its answer waits for a worker."""
    return advice_start(account=account, user=user, kind=KINDS[key], words=words, now=now())


def make_answered_advice(account: Account, user: User, key: str, **words: str) -> Advice:
    """Ask for advice and do all that workers do for it."""
    advice = make_advice(account, user, key, **words)
    work_all()
    advice.run.refresh_from_db()
    assert not advice.run.reason, advice.run.reason
    return advice


def _sizes(ware: Ware) -> dict[str, int]:
    return {name: int(value) for name, value in ware.facts.items() if value.isdigit()}


def _rule_of(rule: RuleFacts, *, number: int, item_id: int) -> RuleFacts:
    return RuleFacts(**{**vars(rule), "number": number, "item_id": item_id})


def _offered(code: str, sold: Sequence[tuple[Ware, ItemFacts]], prices: ChoicePrices) -> tuple[Part, ...]:
    found = []
    for ware, item in sold:
        monthly = prices.of_one(Chosen(code, item), ())[0].lasting_monthly
        if monthly is not None:
            found.append(Part(item, ware.facts, monthly))
    return tuple(found)


def _category(code: str, *, is_required: bool) -> CategoryFacts:
    is_slot = code.startswith("disk") and code[4:].isdigit()
    return CategoryFacts(code, code, is_required, 1, "", "disk0" if is_slot and code != "disk0" else "")


def _stock(items: Mapping[str, Sequence[tuple[Ware, ItemFacts]]], stock: Mapping[str, int]) -> dict[int, int]:
    found = {item.description: item.item_id for sold in items.values() for _, item in sold}
    return {found[description]: left for description, left in stock.items()}


def answer_of(advice: Advice) -> dict[str, Any]:
    """Return what was found; the advice must be answered."""
    assert advice.run.result is not None
    return advice.run.result


def read_market(account: Account, asked: Asked) -> Market:
    """Read what the loaded catalogue sells for a question."""
    return market_of(
        account=account,
        categories=asked.kind.categories,
        parts=asked.kind.parts,
        is_everywhere=asked.kind.is_everywhere,
        location_key=asked.location_key,
        term=asked.term,
        hours_per_month=asked.hours_per_month,
        at=now(),
    )


def metered_answer() -> dict[str, Any]:
    """Answer a question of networks whose best server sends half of its traffic beyond its allowance, for $10."""
    wares = {
        "server": [Ware("Plain", "50")],
        "port_speed": [
            Ware("100 Mbps Public & Private Uplink", "0", {"uplink_mbps": "100"}),
            Ware("1 Gbps Public & Private Uplink", "25", {"uplink_mbps": "1000"}),
        ],
        "bandwidth": [
            Ware("500 GB Bandwidth", "0", {"outbound_gb": "500"}, usage="0.02"),
            Ware("1000 GB Bandwidth", "30", {"outbound_gb": "1000"}),
        ],
    }
    asked = ask("network", out="1,000 GB", peak="50 Mbit/s", servers="2")
    return advice_answer(asked=asked, market=make_market(make_shop(wares)), parameters=load_parameter_set())
