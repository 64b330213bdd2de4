"""Quotes over the API: promised, compared, shared, and turned into orders without retyping."""

from datetime import timedelta

import pytest

from accounts.tests.factories import client_of, make_member, make_partner_staff
from api.tests.conftest import caller_for
from core.clock import now
from core.models import IdempotencyRecord
from orders.models import BillingOrder, OrderContainer, OrderLine, Quote
from orders.tests.factories import replace_price

pytestmark = pytest.mark.django_db

KEY = {"idempotency-key": "q-1"}
SHOWN = {"shown_monthly": "1036.80"}


@pytest.fixture
def quoted(program, draft):
    return program.post(f"/api/v1/orders/{draft.pk}/quote", SHOWN).json()


def test_a_draft_is_quoted_with_its_lines_word_for_word(program, draft):
    answer = program.post(f"/api/v1/orders/{draft.pk}/quote", {**SHOWN, "valid_days": 14})

    quote = Quote.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"/api/v1/quotes/{quote.pk}")
    body = answer.json()
    assert (body["number"], body["state"], body["order"], body["link"]) == (1, "open", draft.pk, None)
    assert body["totals"] == {
        "monthly": "1036.80",
        "once": "10.00",
        "over_12_months": "12451.60",
        "over_36_months": "37334.80",
    }
    assert [(item["name"], item["quantity"]) for item in body["items"]] == [("proxies", 2), ("storage nodes", 10)]
    assert body["items"] == quote.document["items"]
    assert quote.expires_at - quote.issued_at == timedelta(days=14)
    assert program.get(answer["Location"]).json() == body
    assert [row["id"] for row in program.get("/api/v1/quotes").json()["results"]] == [quote.pk]


def test_an_order_and_its_quote_tell_the_contract_and_what_use_is_included(program, draft, shop):
    system = shop.items["debian"]
    system.prices.update(usage_rate="0.10")
    system.capacity, system.units = 250, "GB"
    system.save()
    OrderContainer.objects.update(contract_months=12)
    program.post(f"/api/v1/orders/{draft.pk}/refresh")

    ordered = program.get(f"/api/v1/orders/{draft.pk}").json()["items"][0]["containers"][0]
    quoted = program.post(f"/api/v1/orders/{draft.pk}/quote", SHOWN).json()["items"][0]["containers"][0]

    assert (ordered["contract_months"], ordered["lines"][1]["usage_allowance"]) == (12, "250")
    assert ordered["lines"][0]["usage_allowance"] is None
    assert (quoted["contract_months"], quoted["usage_units"]) == (12, {"debian": "GB"})
    assert quoted["lines"][1]["usage_allowance"] == "250.0000"


def test_a_total_once_that_was_not_shown_is_not_promised(program, draft):
    answer = program.post(f"/api/v1/orders/{draft.pk}/quote", {**SHOWN, "shown_once": "9.00"})

    assert (answer.status_code, answer.json()["code"]) == (409, "price_changed")
    assert not Quote.objects.exists()


def test_a_withdrawn_quote_whose_order_moved_on_is_compared_with_nothing(program, quoted):
    program.post(f"{quoted['href']}/withdraw")
    OrderContainer.objects.update(quantity=7)
    program.post(f"/api/v1/orders/{quoted['order']}/refresh")

    answer = program.get(f"{quoted['href']}/changes").json()

    assert (answer["order_moved_on"], answer["changes"]) == (True, [])


def test_a_call_repeated_with_its_key_promises_once(program, draft):
    path = f"/api/v1/orders/{draft.pk}/quote"

    first, again = program.post(path, SHOWN, **KEY), program.post(path, SHOWN, **KEY)

    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert Quote.objects.count() == 1


def test_a_total_that_was_not_shown_is_not_promised(program, draft):
    answer = program.post(f"/api/v1/orders/{draft.pk}/quote", {"shown_monthly": "1000.00"}, **KEY)

    assert (answer.status_code, answer.json()["code"]) == (409, "price_changed")
    assert not Quote.objects.exists()
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.parametrize("valid_days", [0, 366])
def test_a_quote_for_no_time_or_for_too_long_is_refused(program, draft, valid_days):
    answer = program.post(f"/api/v1/orders/{draft.pk}/quote", {"valid_days": valid_days})

    assert (answer.status_code, answer.json()["code"]) == (409, "valid_days_out_of_range")
    assert not Quote.objects.exists()


def test_accepting_places_the_very_lines_although_prices_have_moved(program, draft, shop, quoted):
    before = list(OrderLine.objects.order_by("pk").values())
    replace_price(shop.items["m1.small"], hourly="0.500", at=now() - timedelta(minutes=1))

    first = program.post(f"{quoted['href']}/accept", **KEY)
    again = program.post(f"{quoted['href']}/accept", **KEY)

    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert (first.json()["state"], first.json()["number"]) == ("placed", 1)
    assert first.json()["totals"]["monthly"] == "1036.80"
    assert list(OrderLine.objects.order_by("pk").values()) == before
    assert program.get(quoted["href"]).json()["state"] == "accepted"
    later = program.post(f"{quoted['href']}/accept")
    assert (later.status_code, later.json()["code"]) == (409, "quote_already_accepted")


def test_an_expired_quote_is_issued_again_and_never_accepted(program, draft, quoted):
    Quote.objects.update(issued_at=now() - timedelta(days=31), expires_at=now() - timedelta(days=1))

    refused = program.post(f"{quoted['href']}/accept")
    again = program.post(f"{quoted['href']}/reissue", {"valid_days": 7}, **KEY)
    repeated = program.post(f"{quoted['href']}/reissue", {"valid_days": 7}, **KEY)

    assert (refused.status_code, refused.json()["code"]) == (409, "quote_expired")
    assert (again.status_code, again.json()["number"], again.json()["state"]) == (201, 2, "open")
    assert repeated.json() == again.json()
    assert program.get(quoted["href"]).json()["state"] == "withdrawn"
    assert BillingOrder.objects.get().state == "quoted"


def test_a_withdrawn_quote_leaves_a_draft(program, draft, quoted):
    answer = program.post(f"{quoted['href']}/withdraw", {"why": "The customer wants more."})

    assert (answer.status_code, answer.json()["state"]) == (200, "withdrawn")
    assert program.get(f"/api/v1/orders/{draft.pk}").json()["state"] == "draft"
    refused = program.post(f"{quoted['href']}/accept")
    assert (refused.status_code, refused.json()["code"]) == (409, "quote_withdrawn")


def test_a_shared_quote_has_a_link_until_it_is_ended(program, quoted):
    shared = program.post(f"{quoted['href']}/share").json()
    assert client_of(None).get(shared["link"]).status_code == 200
    assert program.post(f"{quoted['href']}/share").json()["link"] == shared["link"]

    ended = program.post(f"{quoted['href']}/unshare").json()

    assert ended["link"] is None
    assert client_of(None).get(shared["link"]).status_code == 404


def test_what_changed_since_is_told_for_now_and_for_a_day(program, shop, quoted):
    day = now().date()
    assert program.get(f"{quoted['href']}/changes").json()["changes"] == []
    replace_price(shop.items["m1.small"], hourly="0.090", at=now())

    today = program.get(f"{quoted['href']}/changes").json()
    before = program.get(f"{quoted['href']}/changes?on={day - timedelta(days=1)}").json()

    assert [(each["monthly_shown"], each["monthly_today"]) for each in today["changes"]] == [("576.00", "648.00")]
    assert before == {"on": f"{day - timedelta(days=1)}T23:59:59.999999Z", "order_moved_on": False, "changes": []}
    assert program.get(f"{quoted['href']}/changes?on=tomorrow").status_code == 422


def test_partner_staff_promise_and_do_not_accept(account, draft):
    nora = caller_for(account, make_partner_staff(account.partner))

    quoted = nora.post(f"/api/v1/orders/{draft.pk}/quote", SHOWN)
    refused = nora.post(f"{quoted.json()['href']}/accept")

    assert quoted.status_code == 201
    assert refused.status_code == 403
    assert Quote.objects.get().accepted_at is None


def test_a_viewer_promises_nothing(account, draft):
    vic = caller_for(account, make_member(account, email="vic@north.example", role="viewer"), scope="read")

    assert vic.post(f"/api/v1/orders/{draft.pk}/quote", SHOWN).status_code == 403
    assert not Quote.objects.exists()


def test_another_account_sees_and_does_nothing(draft, quoted, stranger):
    for path in ("accept", "withdraw", "reissue", "share", "unshare"):
        assert stranger.post(f"{quoted['href']}/{path}").status_code == 404
    assert stranger.post(f"/api/v1/orders/{draft.pk}/quote").status_code == 404
    assert stranger.get(quoted["href"]).status_code == 404
    assert stranger.get(f"{quoted['href']}/changes").status_code == 404
    assert stranger.get("/api/v1/quotes").json()["count"] == 0
    quote = Quote.objects.get()
    assert (quote.accepted_at, quote.withdrawn_at, quote.share_token) == (None, None, None)
