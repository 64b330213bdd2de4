"""E-mails: each is a run, so that a killed worker or a mail server that is down loses none."""

from collections.abc import Sequence
from datetime import datetime

from jobs.models import Run
from jobs.services import run_start

MAIL_KIND = "mail"
"""The name under which orders/tasks.py registers the work."""


def mail_start(*, account_id: int, to: Sequence[str], subject: str, body: str, now: datetime) -> Run | None:
    """Have the same words sent to each address once the transaction is committed; nothing where there is no address."""
    if not to:
        return None
    return run_start(
        kind=MAIL_KIND,
        account_id=account_id,
        created_by="",
        parameters={"subject": subject, "body": body},
        points=[{"to": address} for address in to],
        now=now,
    )
