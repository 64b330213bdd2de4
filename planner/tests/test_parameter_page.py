"""The parameters page: every parameter once, with its source, under the workloads that take it."""

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from accounts.tests.factories import client_of
from planner.parameter_page import GROUPS, groups_for, parameter_groups, source_counts
from simulation.figures import shipped_figures
from simulation.kernels.predicting import metrics_with_kernels
from simulation.parameters import ParameterSet, load_parameter_set
from simulation.predict import predict

SHIPPED = load_parameter_set()


class WatchedSet(ParameterSet):
    """A parameter set that notes which of its parameters a model reads."""

    read: set[str] = set()

    def value(self, name):
        WatchedSet.read.add(name)
        return super().value(name)


def test_every_parameter_stands_on_the_page_once_with_its_source(ana):
    words = client_of(ana).get(reverse("parameters")).content.decode()

    for parameter in SHIPPED.parameters.values():
        assert words.count(f'<tr id="{parameter.name}">') == 1
    fitted = sum(parameter.source.kind == "fitted" for parameter in SHIPPED.parameters.values())
    assert f"{len(SHIPPED.parameters)} parameters: {fitted} fitted" in words


def test_one_workload_shows_only_what_its_predictions_take(ana):
    words = client_of(ana).get(reverse("parameters") + "?workload=build").content.decode()

    assert re.findall(r'<h2 id="group-(\w+)"', words) == ["build"]


def test_strangers_are_asked_to_sign_in(db):
    assert Client().get(reverse("parameters")).status_code == 302


def test_a_parameter_that_belongs_nowhere_is_refused():
    stray = replace(next(iter(SHIPPED.parameters.values())), name="teapot.size")

    with pytest.raises(KeyError, match="teapot"):
        parameter_groups(replace(SHIPPED, parameters={"teapot.size": stray}))


def test_the_counts_of_sources_add_up():
    assert sum(source_counts(parameter_groups(SHIPPED)).values()) == len(SHIPPED.parameters)


def test_large_values_are_written_without_exponents():
    rows = {row.name: row for group in parameter_groups(SHIPPED) for row in group.rows}

    assert rows["drive.sas_15k.rotations_per_minute"].value == "15,000"
    assert rows["drive.sas_15k.rotations_per_minute"].low == "14,850"


def test_a_group_names_the_workloads_that_read_it():
    """Predict every shipped figure with a set that watches: what is read stands under its workload."""
    watched = WatchedSet(SHIPPED.name, SHIPPED.version, SHIPPED.date, SHIPPED.parameters)
    groups = parameter_groups(SHIPPED)
    for workload in {figure["scenario"]["workload"] for figure in shipped_figures()}:
        WatchedSet.read = set()
        for figure in shipped_figures():
            if figure["scenario"]["workload"] == workload:
                metrics = metrics_with_kernels(operations=1000)
                predict(figure["scenario"], figure["metric"], watched, figure.get("baseline"), metrics=metrics)

        told = {group.key for group in groups_for(groups, workload=workload)}
        assert {name.split(".")[0] for name in WatchedSet.read} <= told, workload
    assert set(GROUPS) == {name.split(".")[0] for name in SHIPPED.parameters}
