"""What the answer of replicated writes shows besides: where a faster link helps, and how the flash takes bursts."""

import math
from collections.abc import Mapping
from typing import Any

from planner.advice.replicated_writes_hosts import HARD_WEARING, WriteDemand, scenario_of
from planner.chart_parts import COLOURS, SYMBOLS, ChartPanel, Line, line_figure, swept_axis
from planner.figure_words import value_words
from simulation.flash_cache import absorbed_bursts, drained_seconds, rise_of
from simulation.parameters import ParameterSet
from simulation.replicated_write import iops

LINKS = (("1gbe", "1 GbE"), ("10gbe", "10 GbE"), ("ib_40g", "InfiniBand, 40 Gb/s"))
SIZES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)
WORTH = 1.1
"""A faster link makes a difference where it answers a tenth more."""

Json = dict[str, Any]


def write_part(demand: WriteDemand, row: Mapping[str, Any], parameters: ParameterSet) -> Json:
    """Return the chart of links by the size of a write, and what becomes of a burst."""
    return {"panel": _panel(demand, row, parameters), "facts": _facts(demand, row)}


def _panel(demand: WriteDemand, row: Mapping[str, Any], parameters: ParameterSet) -> ChartPanel:
    flash = _flash(row)
    cores = next(int(figure["value"]) for figure in row["figures"] if figure["key"] == "cores")
    sizes = sorted({*SIZES, demand.kib})
    rates = {
        link: [iops(scenario_of(demand, cores=cores, flash=flash, link=link, kib=kib), parameters) for kib in sizes]
        for link, _ in LINKS
    }
    lines = [
        Line(
            label=name,
            x=sizes,
            y=rates[link],
            text=[f"{name}, {kib:g} KiB: {rate:,.0f} IOPS" for kib, rate in zip(sizes, rates[link], strict=True)],
            colour=colour,
            symbol=symbol,
            dash="dash" if link.startswith("ib") else "solid",
        )
        for (link, name), colour, symbol in zip(LINKS, COLOURS, SYMBOLS, strict=False)
    ]
    figure = line_figure(
        lines, x_axis=swept_axis(sizes, words="Size of one write, KiB"), y_words="Writes answered, IOPS", is_log=True
    )
    columns = [{"label": "Size of one write", "unit": "KiB", "is_number": True}]
    columns += [{"label": name, "unit": "IOPS", "is_number": True} for _, name in LINKS]
    rows = [[f"{kib:g}", *(value_words(rates[link][place]) for link, _ in LINKS)] for place, kib in enumerate(sizes)]
    return ChartPanel(
        id="links-chart",
        title=_title(sizes, rates),
        summary=(
            f"Writes that the advised host answers with {demand.copies} copies, by their size and the link between the "
            "hosts. InfiniBand stands dashed: it is advised only where the catalogue sells it."
        ),
        figure=figure,
        columns=columns,
        rows=rows,
    )


def _title(sizes: list[float], rates: Mapping[str, list[float]]) -> str:
    slow, fast, fastest = (rates[link] for link, _ in LINKS)
    helped = [kib for kib, one, ten in zip(sizes, slow, fast, strict=True) if ten >= WORTH * one]
    beyond = [kib for kib, ten, more in zip(sizes, fast, fastest, strict=True) if more >= WORTH * ten]
    first = (
        "10 GbE makes no difference at any size" if not helped
        else f"10 GbE helps for writes of {helped[0]:g} to {helped[-1]:g} KiB"
    )  # fmt: skip
    second = "InfiniBand adds nothing to it" if not beyond else f"InfiniBand adds more from {beyond[0]:g} KiB on"
    return f"{first}; {second}"


def _facts(demand: WriteDemand, row: Mapping[str, Any]) -> list[Json]:
    figures = {figure["key"]: figure["value"] for figure in row["figures"]}
    drain, bursts = figures["drain"], demand.bursts(figures["iops"])
    room = figures["flash"] / demand.gb_of_one
    taken = absorbed_bursts(bursts, drain=drain, room=room)
    seconds = drained_seconds(bursts, drain=drain)
    backlog = rise_of(bursts, drain=drain) * demand.gb_of_one
    return [
        {"label": "A burst comes at", "words": f"{value_words(bursts.burst)} IOPS"},
        {"label": "It leaves waiting in the flash", "words": f"{value_words(backlog)} GB"},
        {"label": "The array has drained it after", "words": "never" if seconds == math.inf else time_words(seconds)},
        {
            "label": "Bursts in a row that the flash takes",
            "words": "any number" if taken == math.inf else f"{taken:,.0f}",
        },
        {"label": "The array can no longer drain more than", "words": f"{value_words(drain)} IOPS on average"},
        {"label": "Written on average", "words": f"{value_words(bursts.mean)} IOPS"},
    ]


def time_words(seconds: float) -> str:
    """Return a time in the unit in which it is short: "40 s", "5 min", "17.7 h"."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{value_words(seconds / size)} {unit}"
    return f"{value_words(seconds)} s"


def _descriptions(row: Mapping[str, Any], category: str) -> list[str]:
    return [part["description"] for part in row["roles"][0]["parts"] if part["category"] == category]


def _flash(row: Mapping[str, Any]) -> str:
    cache = _descriptions(row, "disk0")[0]
    if "nvme" in cache.casefold():
        return "pcie_flash"
    return "sata_emlc_ssd" if HARD_WEARING.search(cache) else "sata_mlc_ssd"
