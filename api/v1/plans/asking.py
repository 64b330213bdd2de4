"""Reading the question of a plan, with everything that is wrong with it at once."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from rest_framework.exceptions import ValidationError

from api.errors import violations_of
from api.v1.calls import names_of, unknown_fields
from api.v1.plans.shapes import PlanAsked
from catalog.models import Location
from core.errors import InputRefused, Violation
from planner.demand import Demand, demand_from_words
from planner.selectors import plan_locations

LONGEST_WORDS = 100
FIELDS = names_of(PlanAsked)


def question_of(data: Any, *, currency: str) -> tuple[Demand, Location]:
    """Return the demand and the place; raises InputRefused naming every field that is wrong.

    The planner reads the demand as people type it. What is no text, such as a JSON number, is read as it is written.
    """
    if not isinstance(data, Mapping):
        raise ValidationError("Send an object with the fields of a plan.")
    refused = ValidationError(unknown_fields(data, known=FIELDS))
    problems = list(violations_of(refused.get_full_details()))
    words = {name: _words(data.get(name)) for name in FIELDS}
    problems += [_too_long(name) for name, text in words.items() if len(text) > LONGEST_WORDS]
    location = _location(words.pop("location"), problems)
    demand = _demand(words, problems, currency=currency)
    if problems or demand is None or location is None:
        raise InputRefused(tuple(problems))
    return demand, location


def _words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        # A refusal repeats the words, and no answer can hold a lone surrogate.
        return value.encode(errors="replace").decode()
    return str(value) if isinstance(value, Decimal) else json.dumps(value, default=str)


def _too_long(name: str) -> Violation:
    return Violation("too_long", name, f"{name}: write at most {LONGEST_WORDS} characters.")


def _location(key_name: str, problems: list[Violation]) -> Location | None:
    locations = {location.key_name: location for location in plan_locations()}
    if key_name in locations:
        return locations[key_name]
    if not key_name and locations:
        return next(iter(locations.values()))
    known = ", ".join(locations) or "none"
    words = f"No machine types are sold in “{key_name[:LONGEST_WORDS]}”. Choose one of: {known}."
    problems.append(Violation("location_unknown", "location", words))
    return None


def _demand(words: Mapping[str, str], problems: list[Violation], *, currency: str) -> Demand | None:
    named = {problem.field for problem in problems}
    try:
        return demand_from_words({name: text[:LONGEST_WORDS] for name, text in words.items()}, currency=currency)
    except InputRefused as refusal:
        problems += [violation for violation in refusal.violations if violation.field not in named]
        return None
