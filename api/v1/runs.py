"""What plans, advice and simulations say alike: that a run works on them, how far it is, and why it failed."""

from typing import Any

from rest_framework import serializers

from jobs.models import Run, RunState

Json = dict[str, Any]


class Progress(serializers.Serializer[Any]):
    """How far a run has come."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()
    words = serializers.CharField()


class Started(serializers.Serializer[Any]):
    """What is being worked out; ask its address until its state is done, failed or cancelled."""

    id = serializers.IntegerField()
    state = serializers.CharField(help_text="waiting, running, done, failed or cancelled.")
    progress = Progress()
    href = serializers.CharField()


class RunFailure(serializers.Serializer[Any]):
    """Why a run failed: refused by a rule, or crashed."""

    kind = serializers.CharField(help_text="refused or crashed.")
    reason = serializers.CharField()


def started_json(run: Run, *, number: int, href: str) -> Json:
    return {
        "id": number,
        "state": str(run.state),
        "progress": {"done": run.progress_done, "total": run.progress_total, "words": run.progress_words},
        "href": href,
    }


def failure_json(run: Run) -> Json | None:
    return {"kind": run.failure, "reason": run.reason} if run.state == RunState.FAILED else None
