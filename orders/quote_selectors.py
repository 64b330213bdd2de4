"""Reading quotes. Every question names the account that asks; the link of a shared one names its partner."""

from django.db.models import QuerySet

from orders.models import Quote


def quotes_of(*, account_id: int) -> QuerySet[Quote]:
    """Return the account's quotes, the newest first."""
    return Quote.objects.filter(order__account_id=account_id).select_related(
        "order__account", "order__partner", "partner", "issued_by", "accepted_by"
    )


def quote_of(*, quote_id: int, account_id: int) -> Quote:
    """Return one quote; raises Quote.DoesNotExist."""
    return quotes_of(account_id=account_id).get(pk=quote_id)


def quote_shared(*, token: str, partner_id: int) -> Quote:
    """Return the quote of a partner whose link holds this token; raises Quote.DoesNotExist."""
    shared = Quote.objects.select_related("order__account", "partner", "issued_by", "accepted_by")
    return shared.get(share_token=token, partner_id=partner_id)
