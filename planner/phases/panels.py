"""What each phase of a plan shows of its work: a finding as heading, words, a chart with its table."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.money import Money
from core.units import throughput_words
from planner.chart_parts import ChartPanel
from planner.demand import Demand
from planner.phases import charts
from planner.shapes import dollars

Json = dict[str, Any]

VERDICT_WORDS = {
    "meets": "meets what is needed",
    "on the line": "just meets what is needed",
    "falls short": "falls short of what is needed",
}


@dataclass(frozen=True)
class PhasePanel:
    """One phase on the answer page. `stage` is where the run is taken up to run it again."""

    key: str
    stage: int
    name: str
    heading: str
    words: str
    chart: ChartPanel | None
    columns: list[Json]
    rows: list[list[str]]


def panels_of(found: Json, demand: Demand) -> list[PhasePanel]:
    """Return the panels of the phases that a plan went through; none for plans of older versions."""
    phases = found.get("phases") or {}
    made = (build(found, demand) for key, build in PANELS.items() if phases.get(key))
    return [panel for panel in made if panel]


def validation_words(found: Json) -> Json | None:
    """Return what the simulation of the answer said, for the top of the page; None where nothing was simulated."""
    outcomes = (found.get("phases") or {}).get("validation")
    if not outcomes or not found["best"] or outcomes[-1]["shape"] != found["best"]["shape"]:
        return None
    last = outcomes[-1]
    return {
        "mean": last["mean_mb_s"],
        "half_width": f"{(last['high_mb_s'] - last['low_mb_s']) / 2:.1f}",
        "low": f"{last['low_mb_s']:,.1f}",
        "high": f"{last['high_mb_s']:,.1f}",
        "needed": last["needed_mb_s"],
        "verdict": last["verdict"],
        "verdict_words": verdict_words(last),
        "replications": last["replications"],
        "rounds": len(outcomes),
        "response_ms": f"{last['response_ms']:,.0f}",
    }


def _sampling(found: Json, demand: Demand) -> PhasePanel | None:
    samples = found["phases"]["sampling"]
    kept = samples["kept"]
    unfit = sum(row["pairs"] for row in samples["unfit"])
    counts = (
        f"{samples['pairs']:,} pairs of machines were sampled with 5 to 80 storage nodes behind one proxy. "
        f"{unfit:,} cannot store what is asked; {samples['dominated']:,} are dominated: another pair has both "
        "cheaper MB/s and cheaper GB. A pair is saturated where the next step of the grid gains less than "
        f"{samples['saturated_below_gain']:.0%}."
    )
    if only_store := samples.get("only_store"):
        counts += (
            f" {only_store:,} machine{'s' if only_store > 1 else ''} only store: another one passes as much in front "
            "for less."
        )
    if further := samples["not_shown"]:
        pairs = "pair, of dearer MB/s, is" if further == 1 else "pairs, of dearer MB/s, are"
        counts += f" {further:,} further {pairs} not listed."
    columns: list[Json] = [
        {"label": "Pair"},
        {"label": "Best N", "is_number": True},
        {"label": "MB/s", "is_number": True},
        {"label": "Cost of a MB/s", "unit": demand.cost_words, "is_number": True},
        {"label": "Saturated from N", "is_number": True},
        {"label": "What became of it"},
    ]
    profiled = {(row["proxy"], row["storage"]) for row in found["phases"]["profiling"]}
    rows = [
        [
            *_pair_cells(row, demand),
            "profiled" if (row["proxy"], row["storage"]) in profiled else "kept, dearer MB/s but cheaper GB",
        ]
        for row in kept
    ]
    rows += [[*_pair_cells(row, demand), f"dominated by {row['beaten_by']}"] for row in samples["beaten"]]
    rows += [
        [f"any proxy with {row['storage']}", "", "", "", "", f"unfit: {row['reason']}"] for row in samples["unfit"]
    ]
    if not kept:
        return PhasePanel("sampling", 0, "Sampling", "No pair can store what is asked", counts, None, columns, rows)
    first = kept[0]
    heading = (
        f"{first['proxy']} with {first['best_nodes']} × {first['storage']} has the cheapest MB/s: "
        f"{_rate(first, demand)} each"
    )
    return PhasePanel("sampling", 0, "Sampling", heading, counts, charts.sampling_chart(samples, demand), columns, rows)


def _profiling(found: Json, demand: Demand) -> PhasePanel | None:
    profiles = found["phases"]["profiling"]
    laws = {profile["law"] for profile in profiles}
    grow = "in a straight line" if laws == {"line"} else "by different laws" if len(laws) > 1 else f"by {laws.pop()}"
    first = profiles[0]
    heading = f"Groups grow {grow}: {throughput_words(first['rate'])} for each {first['proxy']} at first"
    words = (
        f"Each pair's best group was simulated event by event 1, 2, 4, 8 … times over, {_reach_words(profiles)}, and a "
        "straight line, saturation and Universal Scalability were fitted; the law is chosen by AICc, the lower the "
        "better. Bands hold the mean in 19 of 20 bootstrap draws; where even their upper end is below the prediction, "
        "the optimisation starts with the lower figure. "
    )
    validated = sum(len(profile.get("validated", ())) for profile in profiles)
    if validated:
        points = "1 validated cluster" if validated == 1 else f"{validated} validated clusters"
        words += f"The laws are fitted with {points} too."
    columns: list[Json] = [
        {"label": "Pair"},
        {"label": "Groups", "is_number": True},
        {"label": "Law"},
        {"label": "MB/s of a group", "is_number": True},
        {"label": "Contention", "is_number": True},
        {"label": "Coherence", "is_number": True},
        {"label": "AICc: line, saturation, universal"},
    ]
    rows = [
        [
            f"{profile['proxy']} with {profile['nodes']} × {profile['storage']}",
            f"1 to {profile['counts'][-1]}",
            _law_words(profile),
            f"{profile['rate']:,.1f}",
            f"{profile['contention']:.2g}",
            f"{profile['coherence']:.2g}",
            ", ".join(f"{value:,.1f}" for value in profile["aicc"].values()),
        ]
        for profile in profiles
    ]
    return PhasePanel("profiling", 1, "Profiling", heading, words, charts.profiling_chart(found, demand), columns, rows)


def _optimisation(found: Json, demand: Demand) -> PhasePanel | None:
    rounds = found["phases"]["optimisation"]
    last = rounds[-1]
    chosen = f"{last['shape']} is the best" if last["shape"] else "Nothing meets the demand"
    heading = f"{chosen} of {sum(each['considered'] for each in rounds):,} shapes"
    words = (
        "Every pair, dominated or not, with every number of storage nodes, proxies and balancers that makes sense was "
        "priced to the cent; ties go to fewer machines."
    )
    columns: list[Json] = [
        {"label": "Round", "is_number": True},
        {"label": "Best shape"},
        {"label": "Predicted", "unit": "MB/s", "is_number": True},
        {"label": "Cost", "unit": demand.cost_words, "is_number": True},
        {"label": "What simulations had taught"},
    ]
    rows = [
        [
            str(each["round"]),
            each["shape"] or "none",
            "" if each["mb_s"] is None else f"{each['mb_s']:,.1f}",
            "" if each["cents"] is None else f"{dollars(each['cents']):,}",
            "; ".join(_correction_words(correction) for correction in each["corrections"]) or "nothing yet",
        ]
        for each in rounds
    ]
    return PhasePanel("optimisation", 2, "Optimisation", heading, words, None, columns, rows)


def _validation(found: Json, demand: Demand) -> PhasePanel | None:
    outcomes = found["phases"]["validation"]
    last = outcomes[-1]
    needed = "" if last.get("is_late") else f", {throughput_words(last['needed_mb_s'])}"
    heading = (
        f"Simulated, {last['shape']} passes {last['low_mb_s']:,.1f} to {last['high_mb_s']:,.1f} MB/s: it "
        f"{verdict_words(last)}{needed}"
    )
    words = (
        f"The chosen cluster is simulated event by event, its balancers included{_spares_words(demand)}, with random "
        "numbers that no other phase used. Where the mean falls short, the prediction is lowered to it and the "
        "optimisation runs again, at most five times."
    )
    if demand.latency_ms is not None:
        words += (
            " Only as many streams work at once as the predicted throughput lets through within the promised time; "
            "where requests take longer all the same, the prediction is lowered too, and fewer streams work at once."
        )
    columns: list[Json] = [
        {"label": "Round", "is_number": True},
        {"label": "Shape"},
        {"label": "Predicted", "unit": "MB/s", "is_number": True},
        {"label": "Simulated, 95 % interval", "unit": "MB/s", "is_number": True},
        {"label": "Needed", "unit": "MB/s", "is_number": True},
        {"label": "Mean response of 1 MB", "unit": "ms", "is_number": True},
        {"label": "Runs", "is_number": True},
        {"label": "Verdict"},
    ]
    rows = [
        [
            str(each["round"]),
            each["shape"],
            f"{each['predicted_mb_s']:,.1f}",
            f"{each['low_mb_s']:,.1f} to {each['high_mb_s']:,.1f}",
            f"{each['needed_mb_s']:,.1f}",
            f"{each['response_ms']:,.0f}",
            str(each["replications"]),
            verdict_words(each),
        ]
        for each in outcomes
    ]
    return PhasePanel("validation", 3, "Validation", heading, words, charts.validation_chart(outcomes), columns, rows)


PANELS: dict[str, Callable[[Json, Demand], PhasePanel | None]] = {
    "sampling": _sampling,
    "profiling": _profiling,
    "optimisation": _optimisation,
    "validation": _validation,
}


def _pair_cells(row: Json, demand: Demand) -> list[str]:
    saturated = (
        "beyond 80" if row.get("saturated_at") is None and "saturated_at" in row else row.get("saturated_at", "")
    )
    return [
        f"{row['proxy']} with {row['storage']}",
        str(row["best_nodes"]),
        f"{row['best_mb_s']:,.1f}",
        str(_rate(row, demand)),
        str(saturated),
    ]


def _rate(row: Json, demand: Demand) -> Money:
    cost = dollars(row["best_cents"]) / Decimal(str(row["best_mb_s"]))
    return Money(cost, demand.currency)


def _reach_words(profiles: list[Json]) -> str:
    """Say how far the profile goes: past what the demand asks, or as far as is profiled at all."""
    beyond = [profile for profile in profiles if profile["needed"] > profile["counts"][-1]]
    if not beyond:
        return "past what the demand asks"
    needed = max(profile["needed"] for profile in beyond)
    return f"up to {beyond[0]['counts'][-1]} groups, though the demand asks for as many as {needed:,}"


def _law_words(profile: Json) -> str:
    """Name the law, and from how many groups on more would pass less."""
    peak = profile["peak_count"]
    return profile["law"] if peak is None else f"{profile['law']}, the most with {peak:,.0f} groups"


def verdict_words(outcome: Json) -> str:
    """Say what a round's simulation means: too slow, too late, or good enough. Older rounds knew no latency."""
    if not outcome.get("is_late"):
        return VERDICT_WORDS[outcome["verdict"]]
    late = (
        f"takes {outcome['response_ms']:,.0f} ms for 1 MB, longer than the {Decimal(outcome['latency_ms']):,f} promised"
    )
    return f"falls short of what is needed and {late}" if outcome["mean_mb_s"] < outcome["needed_mb_s"] else late


def _spares_words(demand: Demand) -> str:
    """Name the machines that the simulated cluster does without."""
    kinds = {"proxy": demand.spare_proxy, "storage node": demand.spare_node, "balancer": demand.spare_balancer}
    spared = [f"one {kind}" for kind, is_spared in kinds.items() if is_spared]
    return f", with {' and '.join(spared)} out of work" if spared else ""


def _correction_words(correction: Json) -> str:
    meant = (
        "balancers pass"
        if correction.get("balancers")
        else (f"{correction['proxy']} with {correction['nodes']} × {correction['storage']} passes")
    )
    return f"{meant} {1 - correction['factor']:.1%} less than predicted"
