"""What the words of a SoftLayer catalogue tell: names without markup, and facts that stand only in descriptions."""

import html
import re
from collections.abc import Iterator
from decimal import Decimal

from catalog.layout import AttributeRow, ItemRow
from catalog.models import Basis

MARKUP = re.compile(r"</?[a-zA-Z!][^<>]*>")
SERVER = re.compile(
    r"\b(?P<processors>Single|Dual|Quad|Octo)\b.*?\((?P<cores>\d+) Cores?(?:, (?P<clock>\d+\.\d+) GHz)?\)"
)
PROCESSORS = {"Single": 1, "Dual": 2, "Quad": 4, "Octo": 8}
FROM_CAPACITY = {
    "ram": ("memory_gb", "GB"),
    "disk0": ("capacity_gb", "GB"),
    "port_speed": ("uplink_mbps", "Mbps"),
    "bandwidth": ("outbound_gb", "GB a month"),
    "evault": ("capacity_gb", "GB"),
}


def clean_words(text: str) -> str:
    """Return words without markup, line breaks and surplus blanks."""
    return " ".join(html.unescape(MARKUP.sub(" ", text)).split())


def has_markup(text: str) -> bool:
    return bool(MARKUP.search(text)) or html.unescape(text) != text


def attributes_of(item: ItemRow) -> Iterator[AttributeRow]:
    """Give the facts that an item's description and capacity state.

    A server's capacity is its clock in GHz; its processors and cores stand only in the description.
    """
    source = f"Read from the description “{item.description}”"
    if "server" in item.categories and (found := SERVER.search(item.description)):
        yield _attribute(item, "processors", str(PROCESSORS[found["processors"]]), "", source)
        yield _attribute(item, "cores", found["cores"], "", source)
        if found["clock"]:
            yield _attribute(item, "clock_ghz", found["clock"], "GHz", source)
    for code in item.categories:
        if code in FROM_CAPACITY and item.capacity is not None:
            name, unit = FROM_CAPACITY[code]
            yield _attribute(item, name, _plain(item.capacity), unit, "The item's capacity in the price list")
            return


def _attribute(item: ItemRow, name: str, value: str, unit: str, source: str) -> AttributeRow:
    return AttributeRow(item.external_id, name, value, unit, source, Basis.PUBLISHED.value)


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"
