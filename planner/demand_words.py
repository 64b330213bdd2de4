"""The settings of a demand as people type them, so that a question can be asked again, changed."""

from decimal import Decimal

from planner.demand import SWITCHES, Demand

DEFAULT = Demand.__dataclass_fields__


def settings_words(demand: Demand) -> dict[str, str]:
    """Return the further settings that differ from their defaults, in the words that `demand_from_words` reads."""
    words = {
        "replicas": str(demand.replicas),
        "erasure": f"{demand.erasure_data}+{demand.erasure_parity}" if demand.erasure_data else "",
        "fill_limit": _plain(demand.fill_limit * 100),
        **{name: "yes" if getattr(demand, name) else "" for name in SWITCHES},
        "latency_ms": _plain(demand.latency_ms),
        "budget_once": _plain(demand.budget_once),
        "cost_basis": demand.cost_basis.value,
        "months": str(demand.months),
        "purchase_months": _plain(demand.purchase_months),
        "spares": _plain(demand.spares),
        "raid": demand.raid.value,
        "drives": demand.drives.value,
    }
    usual = {"fill_limit": "100"} | {name: str(DEFAULT[name].default) for name in USUAL_NAMES}
    return {name: text for name, text in words.items() if text and text != usual.get(name)}


def conditions_words(demand: Demand) -> list[str]:
    """Say the further settings that differ from their defaults, each as a few words for people."""
    code = f"{demand.erasure_data}+{demand.erasure_parity}"
    spares = [name.removeprefix("spare_") for name in SWITCHES if name.startswith("spare_") and getattr(demand, name)]
    told = [
        (bool(demand.erasure_data), f"erasure code {code}"),
        (not demand.erasure_data and demand.replicas != DEFAULT["replicas"].default, f"{demand.replicas} copies"),
        (demand.fill_limit != 1, f"disks filled to {_plain(demand.fill_limit * 100)} %"),
        (demand.balancer_headroom, "balancers that could pass twice the load"),
        (bool(spares), f"able to lose one {' and one '.join(spares)}"),
        (demand.latency_ms is not None, f"1 MB within {_plain(demand.latency_ms)} ms on average"),
        (demand.budget_once is not None, f"at most {_plain(demand.budget_once)} {demand.currency} once"),
        (demand.cost_words != "a month", f"cost counted {demand.cost_words}"),
    ]
    return [words for is_told, words in told if is_told]


USUAL_NAMES = ("replicas", "months", "purchase_months", "cost_basis", "raid", "drives")


def _plain(value: Decimal | None) -> str:
    if value is None:
        return ""
    return f"{value.normalize():f}"
