"""The locations planner as a kind of advice: its question, and how a set of data centres is judged."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from core.money import Money
from core.units import amount, capacity_gb
from planner.advice.asking import Field, Values, Words, exact_words, one_of, quantity, values_of, whole
from planner.advice.kinds import Delivered, Figure, Judge, Kind, Need, refuse
from planner.advice.market import Candidate
from planner.figure_words import value_words
from planner.locations.bundles import SERVER, Bundle, bundle_choices, bundle_named
from planner.locations.choosing import Plan, candidates, left_out, listed
from planner.locations.covering import Aim
from planner.locations.demand import BY_CDN, FROM_SITES, TO_NETWORK, TO_SERVERS, LocationsDemand
from planner.locations.gazetteer import shipped_gazetteer
from planner.locations.page import answer_part
from planner.locations.places import MOST_PLACES, Place, places_of
from planner.simulations.quantities import MILLISECONDS, OF_A_HUNDRED, PLAIN, Measure
from simulation.network_path import PathModel, path_model
from simulation.parameters import Parameter, ParameterSet, load_parameter_set

SHIPPED = load_parameter_set()
MODEL = path_model(SHIPPED)
TIMES = Measure("times", {"times": 1, "x": 1, "×": 1}, "2.1 times")
TARGETS = ((TO_SERVERS, "a server"), (TO_NETWORK, "the edge of the seller's network"))
AIMS = ((Aim.FEWEST.value, "fewest"), (Aim.CHEAPEST.value, "cheapest"))
STATIC = ((FROM_SITES, "the data centres"), (BY_CDN, "a CDN"))
MOST_SERVERS = 1_000
MOST_NAMED = 5
PLACES_TO_BEGIN_WITH = "New York, 120,000\nLos Angeles, 80,000\nLondon, 60,000\nFrankfurt, 30,000\nToronto, 25,000"


def _places(text: str) -> tuple[Place, ...]:
    return places_of(text, shipped_gazetteer())


def _gigabytes(text: str) -> float:
    return float(capacity_gb(text))


def _demand(values: Values) -> LocationsDemand:
    model = PathModel(
        light_in_fibre=MODEL.light_in_fibre,
        internet_stretch=values["internet_stretch"],
        backbone_stretch=values["backbone_stretch"],
        last_mile_ms=values["last_mile"],
    )
    if values["static_by"] == BY_CDN:
        missing = {"static_gb": "how much a month goes through the CDN", "cdn_price": "what the CDN takes for a GB"}
        refuse(*(
            ("cdn_unsaid", name, f"Say {words}, or serve it from the data centres.")
            for name, words in missing.items()
            if values[name] is None
        ))  # fmt: skip
    if model.backbone_stretch > model.internet_stretch:
        words = "A backbone that goes further round than the internet would never be taken. Write at most {} times."
        refuse(("stretch_swapped", "backbone_stretch", words.format(value_words(model.internet_stretch))))
    return LocationsDemand(
        places=values["places"],
        share=values["share"],
        limit_ms=values["limit"],
        to=values["to"],
        aim=Aim(values["aim"]),
        bundle=values["bundle"],
        servers=values["servers"],
        model=model,
        static_gb=values["static_gb"],
        static_by=values["static_by"],
        cdn_price=values["cdn_price"],
        rest_limit_ms=values["rest_limit"],
    )


def _words(demand: LocationsDemand) -> str:
    words = (
        f"{value_words(demand.share)} % of {demand.users:,} users in {len(demand.places):,} places inside "
        f"{value_words(demand.site_limit_ms)} ms of {dict(TARGETS)[demand.to]}, in the {demand.aim} data centres with "
        f"{demand.servers} × {demand.bundle.name}"
    )
    if demand.static_gb is None:
        return words
    return (
        f"{words}; {value_words(demand.static_gb)} GB of static traffic a month from {dict(STATIC)[demand.static_by]}"
    )


def _judge(demand: LocationsDemand, parameters: ParameterSet) -> Judge:
    return _delivered


def _delivered(candidate: Candidate) -> Delivered:
    """Count the users inside the limit; the band, which takes other paths, is added for what is shown."""
    plan = candidate.facts
    if not isinstance(plan, Plan):
        raise TypeError("A candidate of the locations planner is judged by its plan.")
    problem, demand = plan.problem, plan.problem.demand
    share = demand.share_of(problem.cover.users_of(plan.chosen))
    main = Figure("share", "Users inside the limit", share, "% of users", share, share, "assumed")
    mean = problem.cover.delay_of(plan.chosen) / demand.users / 1_000
    needs = [Need("share", main.label, demand.share, share, main.unit)]
    if demand.site_gb:
        delivered = demand.site_gb - plan.missing_gb
        needs.append(Need("static_gb", "Static traffic", demand.site_gb, delivered, "GB a month"))
    return Delivered(
        main=main,
        figures=(
            main,
            Figure("mean_ms", "Mean round trip", mean, "ms", mean, mean, "assumed"),
            Figure.exact("sites", "Data centres", len(plan.chosen), ""),
        ),
        needs=tuple(needs),
        limit=_limit(plan),
        notes=tuple(_candidate_notes(plan)),
    )


def _limit(plan: Plan) -> str:
    """Say which place outside the limit holds most users, or that there is none."""
    problem, demand = plan.problem, plan.problem.demand
    outside = [place for number, place in enumerate(demand.places) if not problem.ground.is_inside(plan.chosen, number)]
    if not outside:
        return "nothing, all users are inside"
    largest = max(outside, key=lambda place: place.users)
    return f"the distance to {largest.name}"


def _candidate_notes(plan: Plan) -> Iterator[str]:
    ground, demand = plan.problem.ground, plan.problem.demand
    if ground.reachable < demand.required(demand.share):
        limit = value_words(demand.site_limit_ms)
        yield (
            f"All {len(ground.sites):,} data centres that sell it together have "
            f"{value_words(demand.share_of(ground.reachable))} % of the users inside {limit} ms. "
            f"{value_words(demand.share)} % are inside {value_words(_rounded_up(ground.least_limit_ms))} ms."
        )
        beyond = sorted(ground.beyond, key=lambda place: -place.users)
        names = listed([place.name.split(",")[0] for place in beyond[:MOST_NAMED]])
        yield f"No data centre here has {names} inside {limit} ms{_and_more(len(beyond) - MOST_NAMED)}."


def _and_more(places: int) -> str:
    return f", nor {places:,} smaller places" if places > 0 else ""


def _static_notes(plan: Plan) -> Iterator[str]:
    """Say what static traffic costs through a CDN, and which of both ways costs less."""
    demand, currency = plan.problem.demand, plan.problem.currency
    if demand.static_gb is None or demand.cdn_price is None:
        return
    cdn = Money(Decimal(str(demand.static_gb)) * demand.cdn_price, currency).owed()
    if demand.goes_by_cdn:
        yield (
            f"{value_words(demand.static_gb)} GB a month through a CDN cost {cdn} beside this order, at "
            f"{demand.cdn_price} a GB as entered. What is static needs no data centre near its users; the rest is "
            f"allowed {value_words(demand.site_limit_ms)} ms."
        )
    other = plan.problem.the_other_way
    if other is None:
        return
    way = "From the data centres" if demand.goes_by_cdn else "Through a CDN"
    if other.cents is None:
        yield f"{way} instead: {other.title}, which sell too little bandwidth for it."
        return
    here, there = Money(Decimal(plan.cents or 0) / 100, currency), Money(Decimal(other.cents) / 100, currency)
    here, there = (here + cdn, there) if demand.goes_by_cdn else (here, there + cdn)
    verdict = "as much" if here == there else "less" if there.amount < here.amount else "more"
    yield f"{way} instead: {other.title}, {there} a month in all, {verdict} than {here}."


def _rounded_up(ms: float) -> float:
    return -(-ms // 0.1) * 0.1


def _detail(candidate: Candidate, delivered: Delivered, demand: LocationsDemand, parameters: ParameterSet) -> Delivered:
    """Add the band, the users inside the limit on straighter and on longer paths, and what a CDN would change."""
    plan = candidate.facts
    if not isinstance(plan, Plan):
        raise TypeError("A candidate of the locations planner is judged by its plan.")
    stretch = parameters.parameters["network_path.internet_stretch"]
    factors = (stretch.low / stretch.value, stretch.high / stretch.value)
    shares = [_share_with(plan, demand.model.internet_stretch * factor) for factor in factors]
    main = replace(delivered.main, low=min(*shares, delivered.main.value), high=max(*shares, delivered.main.value))
    notes = (*delivered.notes, *_static_notes(plan))
    extra = {"curve": [demand.share_of(users) for users in plan.problem.curve]}
    return replace(delivered, main=main, figures=(main, *delivered.figures[1:]), notes=notes, extra=extra)


def _share_with(plan: Plan, internet_stretch: float) -> float:
    """Return the share inside the limit if paths over the internet were so much longer than the straight line."""
    demand = plan.problem.demand
    model = replace(
        demand.model,
        internet_stretch=internet_stretch,
        backbone_stretch=min(internet_stretch, demand.model.backbone_stretch),
    )
    ground = plan.problem.ground
    other = replace(ground, demand=replace(demand, model=model), reach=replace(ground.reach, model=model))
    return demand.share_of(other.cover.users_of(plan.chosen))


def _notes(demand: LocationsDemand) -> tuple[str, ...]:
    weighed = (
        "Data centres are compared with the bandwidth that their static traffic needs, every set of few of them; of "
        "larger sets, only those that are the best before their bandwidth."
    )
    second = "cheaper one" if demand.aim is Aim.FEWEST else "one with fewer data centres"
    return (
        "Times are there and back, and an estimate: the great circle, stretched, at the speed of light in fibre, and "
        "the last mile. Measure from your users' networks before you sign.",
        "A user enters the seller's network at the data centre or point of presence that makes the way shortest, and "
        "goes on over its backbone. Points of presence belong to the network: nothing is ordered for them.",
        f"Of equal answers the {second} is taken, then the one with more users inside the limit, then the one with the "
        "shorter mean round trip.",
        "The line of light in vacuum is what no network can beat. Nearer data centres help; faster machines do not.",
        *((weighed,) if demand.site_gb else ()),
    )


def _assumption(name: str, label: str, parameter: str, measure: Measure, low: float, high: float) -> Field:
    known: Parameter = SHIPPED.parameters[parameter]
    return Field(
        name, label, exact_words(known.value, known.unit if measure is MILLISECONDS else "times"),
        quantity(measure, low=low, high=high), is_advanced=True, help=_interval_words(known),
    )  # fmt: skip


def _interval_words(parameter: Parameter) -> str:
    return f"{value_words(parameter.low)} to {value_words(parameter.high)} is likely. {parameter.source.reason}"


FIELDS = (
    Field("share", "Share of the users", "95 %", quantity(OF_A_HUNDRED, low=0.01, high=100), size=6),
    Field("limit", "Limit", "40 ms", quantity(MILLISECONDS, low=1, high=1_000), size=6),
    Field("to", "Measured to", TO_SERVERS, one_of(TARGETS), choices=TARGETS),
    Field("aim", "Aim", Aim.FEWEST.value, one_of(AIMS), choices=AIMS),
    Field("servers", "Machines in each data centre", "2", whole(PLAIN, low=1, high=MOST_SERVERS), size=4),
    Field("bundle", "What stands in each data centre", SERVER, bundle_named, choices_now=bundle_choices),
    Field(
        "places", "Where your users are", PLACES_TO_BEGIN_WITH, _places, is_list=True,
        help=f"A place and its number of users on each line, at most {MOST_PLACES:,}: “Paris, 12,000”, “Portland, "
        "Oregon; 3.5k”, or latitude, longitude and users: “48.85, 2.35, 12000”.",
    ),
    _assumption("internet_stretch", "Detours of the internet", "network_path.internet_stretch", TIMES, 1, 10),
    _assumption("backbone_stretch", "Detours of the backbone", "network_path.backbone_stretch", TIMES, 1, 10),
    _assumption("last_mile", "Last mile", "network_path.last_mile_ms", MILLISECONDS, 0, 500),
    Field(
        "static_gb", "Static traffic a month", "", _gigabytes, is_advanced=True, is_optional=True,
        help="Pictures, scripts, films: what is the same for everybody. Like 5 TB.",
    ),
    Field("static_by", "Static traffic is served by", FROM_SITES, one_of(STATIC), choices=STATIC, is_advanced=True),
    Field(
        "cdn_price", "Price of the CDN for each GB", "", amount, is_advanced=True, is_optional=True,
        help="In your currency, like 0.085.",
    ),
    Field(
        "rest_limit", "Limit for the rest, with a CDN", "100 ms", quantity(MILLISECONDS, low=1, high=1_000),
        is_advanced=True, help="A CDN serves what is static nearby; the rest may come from further away.",
    ),
)  # fmt: skip

QUESTION = tuple(field for field in FIELDS if field.name != "bundle")


def _page_part(words: Words, row: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return the map and its tables; what stands in the data centres is on the row, and its preset may be gone."""
    asked = {field.name: words[field.name] for field in QUESTION if field.name in words}
    demand = _demand(values_of(QUESTION, asked) | {"bundle": Bundle("", "")})
    return answer_part(demand, row, currency)


KIND = Kind(
    key="locations",
    title="Locations",
    note="data centres, points of presence, CDN",
    question="Where should the servers stand?",
    sentence="I want {share} of my users inside {limit} of {to}, from the {aim} data centres, each with {servers} of "
    "{bundle}.",
    own_fields=FIELDS,
    categories=("server", "machine_type"),
    main_field="share",
    main_words=lambda value: exact_words(value, "%"),
    demand_of=_demand,
    words_of=_words,
    candidates=candidates,
    judge=_judge,
    detail=_detail,
    left_out=left_out,
    notes=_notes,
    is_everywhere=True,
    page_part=_page_part,
    page_template="planner/locations_answer.html",
)
