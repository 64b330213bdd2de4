"""Pages of quotes and approvals, as their readers see them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.tests.factories import client_of, make_account, make_member, make_partner
from orders.models import ApprovalPolicy, BillingOrder, Quote
from orders.quoting import quote_issue, quote_share
from orders.tests.factories import replace_price


@pytest.fixture
def client(ana):
    return client_of(ana)


@pytest.fixture
def quote(draft, ana):
    return quote_issue(order_id=draft.pk, account_id=draft.account_id, user=ana, now=timezone.now())


def post(client, name, pk, **data):
    return client.post(reverse(name, args=[pk]), data, follow=True)


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_a_draft_is_quoted_from_its_page_and_the_quote_is_a_document(client, draft):
    answer = post(client, "quote-issue", draft.pk, shown_monthly="1036.80", valid_days="30")

    words = text_of(answer)
    assert "$1,036.80 a month, held until" in words
    assert "Aurora Studios" in words
    assert "10 × storage nodes" in words
    assert Quote.objects.get().order == draft


def test_a_quote_at_another_price_than_shown_is_refused_on_the_orders_page(client, draft):
    answer = post(client, "quote-issue", draft.pk, shown_monthly="1.00", valid_days="30")

    assert answer.status_code == 409
    assert "The price changed since it was shown" in text_of(answer)
    assert Quote.objects.count() == 0


def test_accepting_places_the_order(client, quote):
    answer = post(client, "quote-accept", quote.pk)

    assert "Order 1 is placed, with the very lines that were quoted." in text_of(answer)
    assert BillingOrder.objects.get().number == 1


def test_an_expired_quote_offers_to_be_issued_again_and_not_to_be_accepted(client, quote):
    Quote.objects.update(issued_at=timezone.now() - timedelta(days=2), expires_at=timezone.now() - timedelta(days=1))

    words = text_of(client.get(reverse("quote-detail", args=[quote.pk])))
    refused = post(client, "quote-accept", quote.pk)

    assert "Issue again at today&#x27;s prices" in words or "Issue again at today's prices" in words
    assert reverse("quote-accept", args=[quote.pk]) not in words
    assert refused.status_code == 409
    assert "expired on" in text_of(refused)


def test_a_quote_shows_what_changed_since(client, quote, shop):
    replace_price(shop.items["m1.small"], hourly="0.10", at=timezone.now())

    words = text_of(client.get(reverse("quote-detail", args=[quote.pk])))
    before = text_of(client.get(reverse("quote-detail", args=[quote.pk]), {"on": "2020-01-01"}))

    assert "1 line would cost something else at the prices of today" in words
    assert "at the prices of 1 January 2020" in before
    assert "$720.00" in words


def test_a_shared_quote_is_seen_signed_out_and_shows_nothing_else(quote, ana):
    shared = quote_share(quote_id=quote.pk, account_id=quote.order.account_id, user=ana, now=timezone.now())
    link = reverse("quote-shared", args=[shared.share_token])

    answer = client_of(None).get(link)

    assert answer.status_code == 200
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("no-store, private", "noindex")
    words = text_of(answer)
    assert "Sign in to accept" in words
    assert "site-nav" not in words
    assert "csrfmiddlewaretoken" not in words


def test_a_shared_quote_is_not_there_under_another_partners_name(quote, ana):
    shared = quote_share(quote_id=quote.pk, account_id=quote.order.account_id, user=ana, now=timezone.now())
    make_partner("Harbor")

    answer = client_of(None, host="harbor.localhost").get(reverse("quote-shared", args=[shared.share_token]))

    assert answer.status_code == 404


def test_a_viewer_sees_the_quote_and_none_of_its_buttons(quote):
    vera = make_member(quote.order.account, email="vera@north.example", role="viewer")

    words = text_of(client_of(vera).get(reverse("quote-detail", args=[quote.pk])))
    refused = client_of(vera).post(reverse("quote-accept", args=[quote.pk]))

    assert "Accept and order" not in words
    assert refused.status_code == 403
    assert BillingOrder.objects.get().state == "quoted"


def test_the_list_of_quotes_says_their_states(client, quote):
    words = text_of(client.get(reverse("quote-list")))

    assert "1 quote of Aurora Studios" in words
    assert "Open" in words


def test_an_order_beyond_the_limit_is_approved_from_its_page(client, draft, account):
    ApprovalPolicy.objects.create(account=account, order_limit=0)
    paul = make_member(account, email="paul@north.example", role="approver")
    placed = post(client, "order-place", draft.pk, shown_monthly="1036.80")

    listed = text_of(client_of(paul).get(reverse("approval-list")))
    answer = post(client_of(paul), "approval-decide", draft.pk, decision="approve", note="Go on.")

    assert "It waits for approval." in text_of(placed)
    assert "Storage for backups" in listed
    assert "Approved by paul@north.example" in text_of(answer)


def test_the_buyer_sees_that_the_order_waits_and_no_button(client, draft, account):
    ApprovalPolicy.objects.create(account=account, order_limit=0)

    words = text_of(post(client, "order-place", draft.pk, shown_monthly="1036.80"))

    assert "This order waits for approval" in words
    assert 'value="approve"' not in words


def test_the_link_of_the_e_mail_leads_to_the_order_in_its_own_account(draft, account, client):
    ApprovalPolicy.objects.create(account=account, order_limit=0)
    paul = make_member(account, email="paul@north.example", role="approver")
    make_member(make_account(partner=account.partner, name="AAA first"), email="paul@north.example", role="owner")
    post(client, "order-place", draft.pk, shown_monthly="1036.80")

    answer = client_of(paul).get(reverse("approval-by-link", args=[draft.approval.token]), follow=True)

    assert answer.redirect_chain[-1][0] == reverse("order-detail", args=[draft.pk])
    assert 'value="approve"' in text_of(answer)
    draft.refresh_from_db()
    assert draft.state == "pending_approval"


def test_an_owner_sets_the_limits_and_a_buyer_may_not(client, account):
    olga = make_member(account, email="olga@north.example", role="owner")
    url = reverse("approval-policy")

    refused = client.post(url, {"order_limit": "5"})
    wrong = client_of(olga).post(url, {"order_limit": "-1", "month_limit": "many"})
    answer = client_of(olga).post(url, {"order_limit": "1000", "month_limit": "", "approver": ""}, follow=True)

    assert refused.status_code == 403
    assert wrong.status_code == 422
    assert "Orders beyond these limits need approval" in text_of(answer)
    assert ApprovalPolicy.objects.get().order_limit == 1000
