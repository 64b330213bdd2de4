"""The best mix of groups behind one kind of proxy, by mixed-integer linear programming (HiGHS).

Groups of one proxy with storage nodes of different types stand side by side behind balancers; what they pass and hold
adds up. Prices are taken as proportional to counts here; whoever asks prices the mix that was found to the cent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

Floats = NDArray[np.float64]
SECONDS = 2.0
"""The most that one mix may take to be found; those of 13 types take hundredths."""


@dataclass(frozen=True)
class MixQuestion:
    """Groups as columns: price, MB/s, what is held, nodes; the balancer; what must be reached and the most to be paid.

    `goal` is "cost", "throughput" or "held": what is made least, or most, while the limits of the two others hold.
    """

    goal: str
    cost: Floats
    mb_s: Floats
    held: Floats
    nodes: Floats
    balancer_cost: float
    balancer_mb_s: float
    needed_mb_s: float = 0.0
    needed_held: float = 0.0
    needed_nodes: float = 0.0
    most_cost: float = np.inf
    fewest_groups: int = 2
    most_groups: int = 5000


def solved_mix(question: Mapping[str, Any]) -> tuple[Sequence[int], int, bool] | None:
    """Answer a question of plain values, as `best_mix` does."""
    return best_mix(MixQuestion(**question))


def best_mix(question: MixQuestion) -> tuple[Sequence[int], int, bool] | None:
    """Return how many of each group, and of balancers, the best mix has, and whether it is proven to be the best in
    SECONDS; None where no mix that meets the limits is found.

    Of mixes of equal merit the one with fewer machines is taken: by a weight too small to weigh against the merit.
    """
    groups = len(question.cost)
    counts = np.arange(groups)
    integrality = np.ones(groups + 2)
    integrality[-1] = 0  # the last variable is the throughput that the mix promises
    rows, low, high = _limits(question)
    answer = milp(
        _objective(question),
        integrality=integrality,
        bounds=Bounds(0, np.append(np.full(groups + 1, question.most_groups), np.inf)),
        constraints=LinearConstraint(rows, low, high),
        options={"mip_rel_gap": 0.0, "time_limit": SECONDS},
    )
    if answer.x is None:
        return None
    return [round(value) for value in answer.x[counts]], round(answer.x[groups]), answer.status == 0


def _objective(question: MixQuestion) -> Floats:
    machines = np.append(1 + question.nodes, [1.0, 0.0])
    if question.goal == "cost":
        merit = np.append(question.cost, [question.balancer_cost, 0.0])
    elif question.goal == "throughput":
        merit = np.append(np.zeros(len(question.cost) + 1), -1.0)
    else:
        merit = np.append(-question.held, [0.0, 0.0])
    return merit + machines * 1e-7


def _limits(question: MixQuestion) -> tuple[Floats, Floats, Floats]:
    """Return the rows of the constraints with their lower and upper bounds; t is the throughput promised."""
    groups = len(question.cost)
    none = np.zeros(groups)
    table: list[tuple[Any, float, float]] = [
        (np.append(question.mb_s, [0.0, -1.0]), 0.0, np.inf),  # t is at most what the groups pass
        (np.append(none, [question.balancer_mb_s, -1.0]), 0.0, np.inf),  # and what the balancers pass
        (np.append(none, [0.0, 1.0]), question.needed_mb_s, np.inf),
        (np.append(question.held, [0.0, 0.0]), question.needed_held, np.inf),
        (np.append(question.nodes, [0.0, 0.0]), question.needed_nodes, np.inf),
        (np.append(question.cost, [question.balancer_cost, 0.0]), -np.inf, question.most_cost),
        (np.append(np.ones(groups), [0.0, 0.0]), float(question.fewest_groups), float(question.most_groups)),
        (np.append(none, [1.0, 0.0]), 1.0, np.inf),
    ]
    rows, low, high = zip(*table, strict=True)
    return np.stack(rows), np.array(low), np.array(high)
