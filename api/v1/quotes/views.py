"""Calls about quotes: promise a draft's prices, read, accept, withdraw, issue again, share, compare."""

from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.calls import AccountView, NothingSent, answer_once, body_of, caller_of, query_of
from api.v1.describing import described
from api.v1.orders.rows import order_json, price_change
from api.v1.orders.shapes import OrderShape
from api.v1.paging import WhichPage, page_json, page_of
from api.v1.quotes import shapes
from api.v1.quotes.rows import quote_json, quote_line
from api.v1.texts import time_text
from catalog.price_history import moment_on
from core.clock import now
from core.idempotency import Answer
from orders import quoting
from orders.models import Quote
from orders.quote_selectors import quote_of, quotes_of
from orders.selectors import order_tree, orders_of


class QuoteList(AccountView):
    @described("quotes_list", tag="quotes", query=WhichPage, answer=shapes.QuotePage, refuses=(404, 422))
    def get(self, request: Request) -> Response:
        """List the account's quotes, the newest first."""
        page = page_of(quotes_of(account_id=_account_id(request)), **query_of(request, shape=WhichPage))
        return Response(page_json(page, results=[quote_line(quote, now=now()) for quote in page]))


class OrderQuote(AccountView):
    to_change = "quote"

    @described(
        "orders_quote", tag="quotes", takes=shapes.QuoteAsked, answer=shapes.QuoteShape, status=201,
        refuses=(400, 404, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request, order_id: int) -> Response:
        """Promise a draft's lines and prices for some time; until that ends the draft cannot be changed."""
        order = orders_of(account_id=_account_id(request)).get(pk=order_id)

        def issue() -> Answer:
            asked = body_of(request, shape=shapes.QuoteAsked)
            quote = quoting.quote_issue(
                order_id=order.pk, account_id=order.account_id, user=caller_of(request).user, now=now(), **asked
            )
            return 201, quote_json(_own_quote(request, quote.pk), now=now())

        return answer_once(request, issue)


class QuoteDetail(AccountView):
    @described("quotes_read", tag="quotes", answer=shapes.QuoteShape, refuses=(404,))
    def get(self, request: Request, quote_id: int) -> Response:
        """Show a quote with the lines and amounts that it promises."""
        return Response(quote_json(_own_quote(request, quote_id), now=now()))


class QuoteAccept(AccountView):
    to_change = "place"

    @described(
        "quotes_accept", tag="quotes", takes=NothingSent, answer=OrderShape, refuses=(400, 404, 409, 422),
        is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request, quote_id: int) -> Response:
        """Place the order of a quote with the very lines that were quoted."""
        quote = _own_quote(request, quote_id)

        def accept() -> Answer:
            body_of(request, shape=NothingSent)
            order = quoting.quote_accept(
                quote_id=quote.pk, account_id=_account_id(request), user=caller_of(request).user, now=now()
            )
            return 200, order_json(order_tree(order_id=order.pk, account_id=order.account_id))

        return answer_once(request, accept)


class QuoteWithdraw(AccountView):
    to_change = "quote"

    @described(
        "quotes_withdraw", tag="quotes", takes=shapes.WhyWithdrawn, answer=shapes.QuoteShape,
        refuses=(400, 404, 409, 422),
    )  # fmt: skip
    def post(self, request: Request, quote_id: int) -> Response:
        """Take a quote back that nobody accepted; its order is a draft again."""
        quote = _own_quote(request, quote_id)
        why = body_of(request, shape=shapes.WhyWithdrawn)
        quoting.quote_withdraw(
            quote_id=quote.pk, account_id=_account_id(request), user=caller_of(request).user, now=now(), **why
        )
        return Response(quote_json(_own_quote(request, quote_id), now=now()))


class QuoteReissue(AccountView):
    to_change = "quote"

    @described(
        "quotes_reissue", tag="quotes", takes=shapes.HoldsFor, answer=shapes.QuoteShape, status=201,
        refuses=(400, 404, 409, 422), is_repeatable=True,
    )  # fmt: skip
    def post(self, request: Request, quote_id: int) -> Response:
        """Replace a quote, expired or not, by a new one at the prices of now."""
        quote = _own_quote(request, quote_id)

        def reissue() -> Answer:
            holds = body_of(request, shape=shapes.HoldsFor)
            issued = quoting.quote_reissue(
                quote_id=quote.pk, account_id=_account_id(request), user=caller_of(request).user, now=now(), **holds
            )
            return 201, quote_json(_own_quote(request, issued.pk), now=now())

        return answer_once(request, reissue)


class QuoteShare(AccountView):
    to_change = "quote"

    @described("quotes_share", tag="quotes", takes=NothingSent, answer=shapes.QuoteShape, refuses=(400, 404, 422))
    def post(self, request: Request, quote_id: int) -> Response:
        """Make the link under which anybody who has it sees this quote and nothing else."""
        quote = _own_quote(request, quote_id)
        body_of(request, shape=NothingSent)
        quoting.quote_share(quote_id=quote.pk, account_id=_account_id(request), user=caller_of(request).user, now=now())
        return Response(quote_json(_own_quote(request, quote_id), now=now()))


class QuoteUnshare(AccountView):
    to_change = "quote"

    @described("quotes_unshare", tag="quotes", takes=NothingSent, answer=shapes.QuoteShape, refuses=(400, 404, 422))
    def post(self, request: Request, quote_id: int) -> Response:
        """Make the link of a quote lead nowhere from now on."""
        quote = _own_quote(request, quote_id)
        body_of(request, shape=NothingSent)
        quoting.quote_unshare(
            quote_id=quote.pk, account_id=_account_id(request), user=caller_of(request).user, now=now()
        )
        return Response(quote_json(_own_quote(request, quote_id), now=now()))


class QuoteChanges(AccountView):
    @described("quotes_changes", tag="quotes", query=shapes.WhichDay, answer=shapes.QuoteChanges, refuses=(404, 422))
    def get(self, request: Request, quote_id: int) -> Response:
        """Name the quoted lines that would cost something else today, or on a day."""
        quote = _own_quote(request, quote_id)
        at = moment_on(query_of(request, shape=shapes.WhichDay).get("on"), now=now())
        changes = quoting.quote_changes(quote=quote, at=at)
        return Response(
            {
                "on": time_text(at),
                "order_moved_on": changes is None,
                "changes": [price_change(change) for change in changes or ()],
            }
        )


def _own_quote(request: Request, quote_id: int) -> Quote:
    return quote_of(quote_id=quote_id, account_id=_account_id(request))


def _account_id(request: Request) -> int:
    return caller_of(request).account.pk
