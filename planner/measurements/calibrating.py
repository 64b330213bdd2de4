"""What an account's own measurements make of the parameters: a pure function of the rows that are there now."""

from collections.abc import Mapping
from typing import Any

from accounts.models import Account
from planner.learnt import Learnt, array_test_of
from planner.models import Measurement
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.refit import Lesson, factors_of


def parameters_for(account: Account) -> ParameterSet:
    """Return the shipped parameters with what the account measured. Deleting a measurement restores them exactly."""
    return load_parameter_set().with_factors(factors_for(account_id=account.pk))


def kept_of(parameters: ParameterSet) -> dict[str, Any]:
    """Return what a run keeps of the parameters that it starts with, so that it goes on with those whatever comes."""
    measured = {"factors": dict(parameters.factors)} if parameters.factors else {}
    return {"parameter_set": parameters.name, **measured}


def kept_parameters(run_parameters: Mapping[str, Any]) -> ParameterSet:
    """Return the parameters that a run keeps."""
    return load_parameter_set(run_parameters["parameter_set"]).with_factors(run_parameters.get("factors", {}))


def learnt_of(*, account_id: int) -> Learnt:
    """Return what the account measured, for predictions of single configurations; in one query."""
    rows = Measurement.objects.filter(file__account_id=account_id).exclude(factor="").order_by("pk")
    found = list(rows.values_list("factor", "log_factor", "metric", "scenario", "value"))
    iops = {
        array_test_of(scenario): value
        for _, _, metric, scenario, value in found
        if scenario["workload"] == "block_io" and metric == "iops" and scenario["mount"] == "data"
    }
    return Learnt(factors=factors_of([Lesson(row[0], row[1]) for row in found if row[1] is not None]), iops=iops)


def factors_for(*, account_id: int) -> dict[str, float]:
    """Return how many times as fast as taken here the account found things, by name."""
    rows = (
        Measurement.objects.filter(file__account_id=account_id).exclude(factor="").values_list("factor", "log_factor")
    )
    return factors_of([Lesson(factor, log_factor) for factor, log_factor in rows if log_factor is not None])
