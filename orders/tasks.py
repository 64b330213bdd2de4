"""The work of orders, for workers only: registered under the kind's name that web code starts it by."""

from collections.abc import Callable

from django.core.mail import send_mail

from core import clock
from jobs.handlers import PointContext, TryLater, register
from jobs.models import JsonDict
from orders.billing.invoicing import account_bill
from orders.billing.monthly import BILL_KIND
from orders.billing.months import Month
from orders.fulfilment.drivers import DRIVERS
from orders.fulfilment.drivers.interface import Answer
from orders.fulfilment.runs import PROVISION_KIND, RELEASE_KIND
from orders.fulfilment.working import (
    Answered,
    answers_write,
    releases_write,
    resources_begin,
    resources_to_release,
)
from orders.mailing import MAIL_KIND
from orders.models import Resource


def mail_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Send one e-mail; a mail server that refuses makes the point crash, so that it is tried again."""
    context.stop_if_cancelled()
    send_mail(context.parameters["subject"], context.parameters["body"], None, [point["to"]])
    return {"to": point["to"]}


def mail_finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    """Say to whom it went."""
    return {"sent_to": [result["to"] for result in results]}


def bill_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Put one account's invoices for a month together; what is written already is not written again."""
    month = Month.parse(context.parameters["month"])
    invoices = account_bill(account_id=context.parameters["account_id"], month=month, now=clock.now())
    return {"invoices": [invoice.number for invoice in invoices]}


def bill_finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    """Say which numbers the invoices have."""
    return {"invoices": [number for result in results for number in result["invoices"]]}


def provision_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Bring a stretch of an order's resources about, as far as their driver is by now."""
    resources = resources_begin(parameters=context.parameters, point=point, now=clock.now())
    driver = DRIVERS[context.parameters["driver"]]
    answers = _ask(context, resources, driver.provision)
    answers_write(parameters=context.parameters, answers=answers, now=clock.now())
    _wait_for_the_others(answers)
    return {"resources": len(answers)}


def release_execute(context: PointContext, point: JsonDict) -> JsonDict:
    """Give a stretch of cancelled resources back."""
    resources = resources_to_release(parameters=context.parameters, point=point)
    driver = DRIVERS[context.parameters["driver"]]
    answers = _ask(context, resources, driver.cancel)
    releases_write(answers=answers, now=clock.now())
    _wait_for_the_others(answers)
    return {"resources": len(answers)}


def resources_finish(run_id: int, parameters: JsonDict, results: list[JsonDict]) -> JsonDict:
    """Say how many resources the last turns were about; what became of them is in their own rows."""
    return {"resources": sum(result["resources"] for result in results)}


def _ask(context: PointContext, resources: list[Resource], call: Callable[..., Answer]) -> list[Answered]:
    answers = []
    for resource in resources:
        context.stop_if_cancelled()
        answers.append((resource, call(resource=resource, start=context.start, now=clock.now(), run_id=context.run_id)))
    return answers


def _wait_for_the_others(answers: list[Answered]) -> None:
    """Have the point taken up again as soon as the first unfinished resource wants to be asked after."""
    waits = [answer.ask_again_after for _, answer in answers if answer.ask_again_after]
    if waits:
        reasons = [answer.reason for _, answer in answers if answer.ask_again_after and answer.reason]
        raise TryLater(clock.now() + min(waits), " ".join(dict.fromkeys(reasons)))


register(MAIL_KIND, execute=mail_execute, finish=mail_finish)
register(BILL_KIND, execute=bill_execute, finish=bill_finish)
register(PROVISION_KIND, execute=provision_execute, finish=resources_finish)
register(RELEASE_KIND, execute=release_execute, finish=resources_finish)
