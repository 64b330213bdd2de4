import pytest
from django.urls import reverse

from jobs.models import Run
from jobs.points import point_fail
from jobs.tests.factories import NOW, claim_next, make_run

pytestmark = pytest.mark.django_db


def act(client, *, action: str, run: Run) -> str:
    answer = client.post(
        reverse("admin:jobs_run_changelist"), {"action": action, "_selected_action": [run.pk]}, follow=True
    )
    run.refresh_from_db()
    return answer.content.decode()


def test_the_operator_reads_runs_and_points_and_edits_neither(admin_client) -> None:
    run = make_run(points=1)
    point = run.points.get(index=0)

    for address in (
        reverse("admin:jobs_run_changelist"),
        reverse("admin:jobs_run_change", args=[run.pk]),
        reverse("admin:jobs_point_changelist"),
        reverse("admin:jobs_point_change", args=[point.pk]),
    ):
        assert admin_client.get(address).status_code == 200
    assert admin_client.post(reverse("admin:jobs_run_change", args=[run.pk]), {"state": "done"}).status_code == 403
    assert admin_client.get(reverse("admin:jobs_run_add")).status_code == 403


def test_the_operator_cancels_a_run_and_is_told_when_that_is_refused(admin_client) -> None:
    run = make_run(points=1)

    assert "was cancelled" in act(admin_client, action="cancel", run=run)
    assert run.state == "cancelled"
    assert "A run that is cancelled cannot become cancelled." in act(admin_client, action="cancel", run=run)


def test_the_operator_has_a_failed_run_tried_again(admin_client) -> None:
    run = make_run(points=1)
    point_fail(claim=claim_next(), reason="No.", now=NOW, is_expected=True)

    assert "was started again" in act(admin_client, action="retry", run=run)
    assert (run.state, run.attempt) == ("waiting", 2)
