"""Plan a storage cloud from the command line, or price named shapes."""

import json
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.models import Location
from core import clock
from core.errors import RuleBroken
from core.units import capacity_words, throughput_words
from planner.compare import compare
from planner.demand import Demand, comparison_from_words, demand_from_words
from planner.fleet import Fleet
from planner.planning import plan_now
from planner.selectors import LIST_PRICE_ACCOUNT, fleet_of, plan_locations
from simulation.kernels.mixed import solved_mix
from simulation.parameters import ParameterSet, load_parameter_set

GOALS = {"cost": "minimise_cost", "throughput": "maximise_throughput", "capacity": "maximise_capacity"}
OPTIONS = {"hours_per_month": "hours", "meets_share": "meets", "goal": "minimise or --maximise"}
"""Options that are called otherwise than the field of a demand that they fill."""
SETTINGS = ("throughput", "capacity", "budget", "it_cost_per_node", "balancer", "balancers", "raid", "drives")


class Command(BaseCommand):
    help = (
        "Find the best storage cloud from two of throughput, capacity and budget, at list prices, "
        "or price named shapes with --compare."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--throughput", default="", help="such as 175MB/s or 1.2GB/s")
        parser.add_argument("--capacity", default="", help="usable capacity, such as 2TB or 1.8TiB")
        parser.add_argument("--budget", default="", help="money a month, such as 9000")
        goal = parser.add_mutually_exclusive_group()
        goal.add_argument("--minimise", choices=["cost"])
        goal.add_argument("--maximise", choices=["throughput", "capacity"])
        parser.add_argument("--it-cost-per-node", default="", help="money a month for each machine (default 0)")
        parser.add_argument("--hours", default="", help="hours in a month (default 720)")
        parser.add_argument("--read-share", default="", help="percent of the traffic that is read (default 0)")
        parser.add_argument(
            "--meets", default="", help="percent of the throughput that a shape must predict (default 95)"
        )
        parser.add_argument("--balancer", default="", help="machine type of the balancers (default cc2.8xlarge)")
        parser.add_argument("--balancers", default="", help="fix the number of balancers")
        parser.add_argument("--raid", default="", help="of storage nodes: any, protected, raid10 or none (default any)")
        parser.add_argument("--drives", default="", help="of storage nodes: any, rotating or flash (default any)")
        parser.add_argument("--location", default="", help="where to buy (default: the first that sells machine types)")
        parser.add_argument("--compare", nargs="+", metavar="SHAPE", help='such as "8 m1.large + 40 m1.small"')
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answer = self._answer(options)
        except RuleBroken as error:
            raise CommandError("\n".join(_violation_words(error))) from None
        if options["json"]:
            self.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False))
        elif options["compare"]:
            self._print_comparison(answer)
        else:
            self._print_answer(answer)

    def _answer(self, options: dict[str, Any]) -> dict[str, Any]:
        parameters = load_parameter_set()
        words = _words(options)
        if options["compare"]:
            demand = comparison_from_words(words)
            fleet = _fleet(demand, options["location"], parameters)
            demand = replace(demand, balancer=fleet.balancer_here(demand.balancer, parameters))
            return compare(fleet=fleet, demand=demand, texts=options["compare"], parameters=parameters)
        demand = demand_from_words(words)
        fleet = _fleet(demand, options["location"], parameters)
        demand = replace(demand, balancer=fleet.balancer_here(demand.balancer, parameters))
        return plan_now(fleet=fleet, demand=demand, parameters=parameters, solve_mix=solved_mix)

    def _print_answer(self, answer: dict[str, Any]) -> None:
        if answer["problem"]:
            self.stdout.write(answer["problem"]["words"])
            return
        self._print_row(answer["best"])
        for row in answer["runners_up"]:
            self._print_row(row)
            self.stdout.write(f"    {row['reason']}")
        if (mix := answer["mixed"]) and mix["beats_uniform"]:
            words = f"{throughput_words(mix['mb_s'])}, {capacity_words(mix['capacity_gb'])}"
            self.stdout.write(f"Mixed storage nodes do better: {mix['shape']}: {mix['cost']}, {words}")
        self.stdout.write(f"{answer['considered']:,} shapes of {answer['groups']:,} groups were looked at.")

    def _print_comparison(self, answer: dict[str, Any]) -> None:
        for row in answer["shapes"]:
            self._print_row(row)
        self.stdout.write(f"Cheapest: {answer['cheapest']}")

    def _print_row(self, row: dict[str, Any]) -> None:
        count = row["balancers"]
        shape = row["shape"] + (f", {count} balancer{'s' if count > 1 else ''}" if count else "")
        figures = f"{throughput_words(row['mb_s'])}, {capacity_words(row['capacity_gb'])}"
        self.stdout.write(f"{row['total_monthly_cost']} a month: {shape}: {figures}, limited by {row['limit']}")


def _words(options: dict[str, Any]) -> dict[str, str]:
    words = {name: options[name] for name in SETTINGS}
    words |= {
        "hours_per_month": options["hours"],
        "read_share": options["read_share"],
        "meets_share": options["meets"],
        "goal": GOALS.get(options["minimise"] or options["maximise"], ""),
    }
    return words


def _fleet(demand: Demand, location: str, parameters: ParameterSet) -> Fleet:
    locations = {each.key_name: each for each in plan_locations()}
    if not locations:
        raise RuleBroken("catalog_empty", "The catalogue sells no machine types. Load it with catalog_load.")
    if location and location not in locations:
        words = f"No machine types are sold in “{location}”. Choose from: {', '.join(locations)}."
        raise RuleBroken("location_unknown", words, field="location")
    chosen: Location = locations[location] if location else next(iter(locations.values()))
    return fleet_of(
        account=LIST_PRICE_ACCOUNT,
        location=chosen,
        hours_per_month=demand.hours_per_month,
        at=clock.now(),
        parameters=parameters,
    )


def _violation_words(error: RuleBroken) -> list[str]:
    """Name each violation by the option that it concerns."""
    return [
        f"--{OPTIONS.get(violation.field, violation.field).replace('_', '-')}: {violation.words}"
        if violation.field
        else violation.words
        for violation in error.violations
    ]
