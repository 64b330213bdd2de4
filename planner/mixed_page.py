"""What the answer page says of mixed fleets: the best mix beside the best uniform shape, or that none does better."""

from decimal import Decimal
from typing import Any

from core import units
from core.money import Money
from planner.demand import Demand, Goal
from planner.drawing import drawing_of_mix, roles_words
from planner.mixed import is_mix_ruled_out, winning_mix
from planner.rows import Row
from planner.shapes import dollars

Json = dict[str, Any]
BETTER = {Goal.MINIMISE_COST: "cheaper", Goal.MAXIMISE_THROUGHPUT: "faster", Goal.MAXIMISE_CAPACITY: "larger"}


def mix_panel(found: Json, demand: Demand) -> Json | None:
    """Return the best mix as the page shows it where it beats every uniform shape; None where none does.

    It is untaught where simulations lowered what uniform shapes are predicted to pass: no mix was simulated, so that
    its own groups may be lowered as well.
    """
    mix = winning_mix(found)
    if mix is None:
        return None
    balancer = found.get("balancer") or {}
    return {
        "row": mix,
        "heading": _heading(mix, found["best"], demand),
        "cost": Money(dollars(mix["cents"]), demand.currency),
        "saving": _saving_words(mix, found["best"], demand),
        "roles": drawing_of_mix(mix, demand, balancer_mb_s=balancer["mb_s"]),
        "drawing_words": f"{roles_words(mix)}: {mix['shape']}",
        "is_proven": mix["is_proven"],
        "is_untaught": _is_lowered(found.get("phases") or {}),
    }


def _is_lowered(phases: Json) -> bool:
    """Say whether the profile or the validation lowered what uniform shapes are predicted to pass."""
    rounds = phases.get("optimisation") or [{}]
    return len(phases.get("validation") or ()) > 1 or bool(rounds[-1].get("corrections"))


def no_mix_words(found: Json, demand: Demand) -> str:
    """Say in one line why no mix is shown; empty where one is, and for plans of older versions."""
    if "mixed" not in found or winning_mix(found):
        return ""
    if is_mix_ruled_out(demand):
        return (
            "Mixes of storage types were not looked for: they keep no promise about spare machines, a number of "
            "balancers or what is paid once."
        )
    mix = found["mixed"]
    if mix is None:
        return "No mix of storage types that meets this was found."
    is_certain = "is" if mix["is_proven"] else "was found that is"
    return f"No mix of storage types {is_certain} {BETTER[demand.goal]}."


def csv_cells(mix: Row) -> Json:
    """Return a mix as a line of the table of shapes: several types and sizes of groups in one cell each."""
    sizes = sorted({group["nodes_per_proxy"] for group in mix["groups"]})
    return mix | {
        "storage": " + ".join(f"{count} {key_name}" for key_name, count in mix["storages"].items()),
        "nodes_per_proxy": " and ".join(map(str, sizes)),
    }


def _heading(mix: Row, best: Row | None, demand: Demand) -> str:
    kind = "storage types mixed" if mix["is_mixed"] else "groups of different sizes"
    if best is None:
        return f"Only {kind} can do this: {Money(dollars(mix['cents']), demand.currency)} {demand.cost_words}"
    return f"With {kind}: {_better_words(mix, best, demand)}"


def _better_words(mix: Row, best: Row, demand: Demand) -> str:
    if demand.goal is Goal.MINIMISE_COST:
        saved = Money(dollars(best["cents"] - mix["cents"]), demand.currency)
        return f"{saved} less {demand.cost_words}"
    if demand.goal is Goal.MAXIMISE_THROUGHPUT:
        return f"{units.throughput_words(mix['mb_s'] - best['mb_s'])} more"
    return f"{units.capacity_words(mix['capacity_gb'] - best['capacity_gb'])} more"


def _saving_words(mix: Row, best: Row | None, demand: Demand) -> str:
    """Return how much better the mix is than the best uniform shape, as a share of it; empty where there is none."""
    if best is None:
        return ""
    name = {
        Goal.MINIMISE_COST: "cents",
        Goal.MAXIMISE_THROUGHPUT: "mb_s",
        Goal.MAXIMISE_CAPACITY: "capacity_gb",
    }[demand.goal]
    share = 100 * abs(Decimal(str(mix[name])) / Decimal(str(best[name])) - 1)
    return f"{share:.1f} % {BETTER[demand.goal]} than {best['shape']}"
