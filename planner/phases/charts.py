"""Figures of the phases, as plain dicts for plotly."""

from collections.abc import Iterable, Sequence
from typing import Any

from planner.chart_parts import COLOURS, SYMBOLS, VERMILLION, ChartPanel, Line, line_figure, plain_axis
from planner.demand import Demand

Json = dict[str, Any]

LINES_SHOWN = 5
LONGEST_LABEL = 32
"""Letters that a line's end has room for on a narrow screen."""
CEILING_COLOUR = "#8a3d00"


def sampling_chart(samples: Json, demand: Demand) -> ChartPanel:
    """Return the chart of money for each MB/s against the number of storage nodes, for the pairs kept."""
    kept = samples["kept"][:LINES_SHOWN]
    pairs = [f"{row['proxy']} with {row['storage']}" for row in kept]
    labels, key_words = _labels_of(pairs)
    lines = []
    for place, row in enumerate(kept):
        rates = [cents / 100 / mb_s for cents, mb_s in zip(row["cents"], row["mb_s"], strict=True)]
        lines.append(
            Line(
                label=labels[place],
                x=row["nodes"],
                y=rates,
                text=[f"1 : {nodes}, {mb_s:,.1f} MB/s" for nodes, mb_s in zip(row["nodes"], row["mb_s"], strict=True)],
                colour=COLOURS[place],
                symbol=SYMBOLS[place],
            )
        )
    words = f"Cost of a MB/s, {demand.currency} {demand.cost_words}"
    figure = line_figure(lines, x_axis=plain_axis("Storage nodes behind one proxy, N"), y_words=words, is_log=True)
    figure["data"].append(_best_marks(kept))
    return ChartPanel(
        id="sampling-chart",
        title=_sampling_title(kept),
        summary="Each line is a pair of machines; the star marks its cheapest number of storage nodes. "
        f"Where a line rises, more nodes cost more than they add.{key_words}",
        figure=figure,
        columns=[{"label": "Pair"}, *({"label": f"N = {nodes}", "is_number": True} for nodes in kept[0]["nodes"])],
        rows=[[pair, *(f"{rate:,.2f}" for rate in line.y)] for pair, line in zip(pairs, lines, strict=True)],
    )


def profiling_chart(found: Json, demand: Demand) -> ChartPanel:
    """Return the chart of throughput against groups: what was simulated, the laws, and the balancers' lines."""
    profiles = found["phases"]["profiling"]
    pairs = [f"{profile['proxy']} with {profile['nodes']} × {profile['storage']}" for profile in profiles]
    labels, key_words = _labels_of(pairs)
    lines = [
        Line(
            label=labels[place],
            x=profile["at"],
            y=profile["middle"],
            text=[f"{count} groups, {profile['law']}" for count in profile["at"]],
            colour=COLOURS[place],
            symbol=SYMBOLS[place],
            band=list(zip(profile["low"], profile["high"], strict=True)),
        )
        for place, profile in enumerate(profiles)
    ]
    figure = line_figure(
        lines, x_axis=plain_axis("Groups, c"), y_words="Throughput without balancers, MB/s", is_marked=False
    )
    for place, profile in enumerate(profiles):
        figure["data"].append(_simulated_marks(profile, colour=COLOURS[place], symbol=SYMBOLS[place]))
        if profile.get("validated"):
            figure["data"].append(_validated_marks(profile, colour=COLOURS[place]))
    _draw_ceilings(figure, found, demand)
    rows = [
        [pair, str(count), f"{min(values):,.1f} to {max(values):,.1f}"]
        for pair, profile in zip(pairs, profiles, strict=True)
        for count, values in zip(profile["counts"], profile["mb_s"], strict=True)
    ]
    rows += [
        [f"{pair}, validated", str(point["count"]), f"{min(point['mb_s']):,.1f} to {max(point['mb_s']):,.1f}"]
        for pair, profile in zip(pairs, profiles, strict=True)
        for point in profile.get("validated", ())
    ]
    return ChartPanel(
        id="profiling-chart",
        title="Throughput by the number of groups, beside what the balancers pass",
        summary="Marks are simulations, lines the fitted laws with their bands; crosses are clusters that were "
        "validated behind their balancers and joined the profile. Dashed: what the answer's balancers pass; dotted: "
        f"half of it, which leaves head-room for twice the load.{key_words}",
        figure=figure,
        columns=[
            {"label": "Pair"},
            {"label": "Groups", "is_number": True},
            {"label": "Simulated", "unit": "MB/s", "is_number": True},
        ],
        rows=rows,
    )


def validation_chart(outcomes: list[Json]) -> ChartPanel:
    """Return the chart of each round's interval beside what was predicted and what is needed."""
    names = [f"round {each['round']}" for each in outcomes]
    simulated = {
        "type": "scatter",
        "mode": "markers",
        "name": "Simulated",
        "x": [each["mean_mb_s"] for each in outcomes],
        "y": names,
        "marker": {"color": COLOURS[0], "size": 11},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [each["high_mb_s"] - each["mean_mb_s"] for each in outcomes],
            "arrayminus": [each["mean_mb_s"] - each["low_mb_s"] for each in outcomes],
            "color": COLOURS[0],
        },
        "text": [each["shape"] for each in outcomes],
        "hovertemplate": "%{text}<br>simulated %{x:,.1f} MB/s<extra></extra>",
    }
    predicted = {
        "type": "scatter",
        "mode": "markers",
        "name": "Predicted",
        "x": [each["predicted_mb_s"] for each in outcomes],
        "y": names,
        "marker": {"color": COLOURS[6], "size": 11, "symbol": "line-ns-open"},
        "hovertemplate": "predicted %{x:,.1f} MB/s<extra></extra>",
    }
    needed = outcomes[-1]["needed_mb_s"]
    numbers = [each[name] for each in outcomes for name in ("low_mb_s", "high_mb_s", "predicted_mb_s", "needed_mb_s")]
    low, high = min(numbers), max(numbers)
    room = max(0.25 * (high - low), 0.002 * high)
    layout = {
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": {"title": {"text": "Throughput, MB/s"}, "range": [low - room, high + room]},
        "yaxis": {"autorange": "reversed", "automargin": True},
        "shapes": [
            {
                "type": "rect", "xref": "x", "yref": "paper", "x0": low - room, "x1": needed, "y0": 0, "y1": 1,
                "fillcolor": "rgba(213,94,0,0.08)", "line": {"width": 0}, "layer": "below",
            }
        ],
        "annotations": [
            {
                "x": needed, "y": 1, "xref": "x", "yref": "paper", "yanchor": "bottom", "showarrow": False,
                "text": f"needed: {needed:,.1f}", "font": {"color": CEILING_COLOUR},
            }
        ],
    }  # fmt: skip
    return ChartPanel(
        id="validation-chart",
        title="Each round: simulated and predicted, beside what is needed",
        summary="Dots are the simulated means with their 95 % intervals, bars what was predicted; left of the edge "
        "is too slow.",
        figure={"data": [simulated, predicted], "layout": layout},
        columns=[{"label": "Round"}, {"label": "Each run", "unit": "MB/s"}],
        rows=[
            [f"{name}: {each['shape']}", ", ".join(f"{value:,.1f}" for value in each["mb_s"])]
            for name, each in zip(names, outcomes, strict=True)
        ],
    )


def _labels_of(pairs: Sequence[str]) -> tuple[list[str], str]:
    """Return what the lines of these pairs are called, and the words that explain it: numbers where a pair's own name
    is too long for a chart."""
    if max(map(len, pairs), default=0) <= LONGEST_LABEL:
        return list(pairs), ""
    labels = [f"pair {number}" for number, _ in enumerate(pairs, start=1)]
    words = "; ".join(f"{label} is {pair}" for label, pair in zip(labels, pairs, strict=True))
    return labels, f" Here {words}."


def _sampling_title(kept: list[Json]) -> str:
    best = {row["best_nodes"] for row in kept}
    if len(best) == 1:
        return f"Every MB/s is cheapest with {best.pop()} storage nodes behind one proxy"
    return f"Every MB/s is cheapest with {min(best)} to {max(best)} storage nodes behind one proxy"


def _best_marks(kept: list[Json]) -> Json:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "The cheapest N",
        "x": [row["best_nodes"] for row in kept],
        "y": [row["best_cents"] / 100 / row["best_mb_s"] for row in kept],
        "text": [f"{row['proxy']} with {row['best_nodes']} × {row['storage']}" for row in kept],
        "hovertemplate": "%{text}<br>%{y:,.2f}<extra>cheapest N of the pair</extra>",
        "marker": {"color": VERMILLION, "size": 13, "symbol": "star", "line": {"width": 1, "color": "#ffffff"}},
    }


def _simulated_marks(profile: Json, *, colour: str, symbol: str) -> Json:
    seen = zip(profile["counts"], profile["mb_s"], strict=True)
    return _marks("simulated", seen, marker={"color": colour, "size": 7, "symbol": symbol})


def _validated_marks(profile: Json, *, colour: str) -> Json:
    seen = ((point["count"], point["mb_s"]) for point in profile["validated"])
    return _marks("validated", seen, marker={"color": colour, "size": 9, "symbol": "x-thin-open"})


def _marks(name: str, seen: Iterable[tuple[int, Sequence[float]]], *, marker: Json) -> Json:
    """Return a mark for each MB/s that was seen at each number of groups."""
    pairs = [(count, value) for count, values in seen for value in values]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [count for count, _ in pairs],
        "y": [value for _, value in pairs],
        "hovertemplate": f"%{{x}} groups: %{{y:,.1f}} MB/s<extra>{name}</extra>",
        "marker": marker,
    }


def _draw_ceilings(figure: Json, found: Json, demand: Demand) -> None:
    """Draw what the answer's balancers pass, and half of it: the head-room for twice the load."""
    count = max(1, (found["best"] or {}).get("balancers", 1))
    ceiling = count * found["balancer"]["mb_s"]
    words = f"{count} balancer{'s' if count > 1 else ''}"
    figure["layout"]["shapes"] = [_level(ceiling, dash="dash"), _level(ceiling / 2, dash="dot")]
    figure["layout"]["annotations"] += [
        _level_label(ceiling, f"{words} pass {ceiling:,.0f} MB/s"),
        _level_label(ceiling / 2, "half of it: head-room"),
    ]
    y_range = figure["layout"]["yaxis"]["range"]
    y_range[1] = max(y_range[1], ceiling * 1.12)


def _level(y: float, *, dash: str) -> Json:
    return {
        "type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": y, "y1": y,
        "line": {"color": CEILING_COLOUR, "width": 1.5, "dash": dash},
    }  # fmt: skip


def _level_label(y: float, text: str) -> Json:
    return {
        "x": 0.99, "y": y, "xref": "paper", "yref": "y", "xanchor": "right", "yanchor": "top", "showarrow": False,
        "text": text, "font": {"color": CEILING_COLOUR},
    }  # fmt: skip
