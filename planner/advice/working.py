"""What workers do for a piece of advice: read what is on sale, judge every candidate, put the answer together."""

from datetime import datetime

from accounts.models import Account
from jobs.handlers import PointContext
from jobs.models import JsonDict
from planner.advice.answering import advice_answer
from planner.advice.kinds import asked_of
from planner.advice.reading import market_of
from planner.advice.registry import KINDS
from planner.measurements.calibrating import kept_parameters


def advice_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Answer the question at the prices of the moment when it was asked: prices are closed, never edited."""
    told = context.parameters
    asked = asked_of(KINDS[told["kind"]], told["demand"])
    context.say("Reading what is on sale")
    market = market_of(
        account=Account.objects.select_related("partner").get(pk=told["account_id"]),
        categories=asked.kind.categories,
        parts=asked.kind.parts,
        is_everywhere=asked.kind.is_everywhere,
        location_key=asked.location_key,
        term=asked.term,
        hours_per_month=asked.hours_per_month,
        at=datetime.fromisoformat(told["prices_at"]),
    )

    def look_up(words: str) -> None:
        context.stop_if_cancelled()
        context.say(words)

    return advice_answer(asked=asked, market=market, parameters=kept_parameters(told), look_up=look_up)


def advice_finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    """The answer is that of the only point."""
    return results[0]
