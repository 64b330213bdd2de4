"""The sweep's benchmark keeps to an installation of its own and measures from the first point to the last."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from jobs.models import Point, Run
from planner.management.commands.bench_sweep import _span, _start
from planner.tests.factories import work_all

pytestmark = pytest.mark.django_db


def test_the_benchmark_refuses_an_installation_with_accounts(account):
    with pytest.raises(CommandError, match="one of its own"):
        call_command("bench_sweep", "1", stdout=StringIO())

    assert not Run.objects.exists()


def test_the_benchmark_starts_a_point_for_each_number_of_clients_and_spans_them(db):
    simulation = _start((1, 2))
    again = _start((1,))
    work_all()

    points = Point.objects.filter(run=simulation.run, is_final=False)
    begin, end = _span(simulation)
    assert points.count() == 2
    assert (begin, end) == (min(point.started_at for point in points), max(point.finished_at for point in points))
    assert again.account == simulation.account
