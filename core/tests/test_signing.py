"""Signed messages: whoever knows the secret is believed, for five minutes and for exactly what was signed."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RuleBroken
from core.signing import DELIVERY_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, require_signed, signed_headers

NOW = datetime(2026, 5, 3, 12, 3, tzinfo=UTC)
SECRET, BODY = "a secret", b'{"state": "active"}'


def headers(**changes):
    signed = signed_headers(secret=SECRET, delivery="d-1", body=BODY, now=NOW)
    return signed | {name.replace("_", "-"): text for name, text in changes.items()}


def check(sent, *, secret=SECRET, body=BODY, now=NOW):
    return require_signed(secret=secret, headers=sent, body=body, now=now)


def test_the_signature_is_what_the_document_says():
    # openssl: printf 'd-1.1777809780.{"state": "active"}' | openssl dgst -sha256 -hmac 'a secret'
    assert headers()[TIMESTAMP_HEADER] == "1777809780"
    assert headers()[SIGNATURE_HEADER] == ("v1=1d69bf0d70de0cabefe9335772f76f58971dbc4aaf6162bc4b3aadeb5ebd9ec5")


@pytest.mark.parametrize("away", [timedelta(0), timedelta(minutes=5), timedelta(minutes=-5)])
def test_a_message_is_believed_for_five_minutes(away):
    assert check(headers(), now=NOW + away) == "d-1"


@pytest.mark.parametrize(
    "away", [timedelta(minutes=5, seconds=1), timedelta(minutes=-5, seconds=-1), timedelta(days=900)]
)
def test_a_message_from_another_time_is_refused(away):
    with pytest.raises(RuleBroken) as refusal:
        check(headers(), now=NOW + away)

    assert refusal.value.code == "signature_too_old"


@given(st.binary(max_size=40))
def test_another_body_is_not_what_was_signed(body):
    if body == BODY:
        return
    with pytest.raises(RuleBroken) as refusal:
        check(headers(), body=body)

    assert refusal.value.code == "signature_wrong"


@pytest.mark.parametrize(
    "changed",
    [
        {DELIVERY_HEADER: "d-2"},
        {DELIVERY_HEADER: "d-1.17"},
        {DELIVERY_HEADER: ""},
        {TIMESTAMP_HEADER: "1777809781"},
        {TIMESTAMP_HEADER: "soon"},
        {TIMESTAMP_HEADER: "9" * 40},
        {SIGNATURE_HEADER: ""},
        {SIGNATURE_HEADER: "v1="},
        {SIGNATURE_HEADER: "v0=é\ud800"},
    ],
    ids=str,
)
def test_a_message_with_another_header_is_refused(changed):
    with pytest.raises(RuleBroken) as refusal:
        check(headers() | changed)

    assert refusal.value.code == "signature_wrong"


def test_a_message_without_headers_or_under_another_secret_is_refused():
    for sent, secret in [({}, SECRET), (headers(), "another secret"), (headers(), "")]:
        with pytest.raises(RuleBroken) as refusal:
            check(sent, secret=secret)
        assert refusal.value.code == "signature_wrong"


def test_parts_cannot_be_shifted_from_the_id_to_the_time():
    """Signed is "id.time.body"; an id with a dot would let the same text stand for another message."""
    with pytest.raises(RuleBroken):
        check(headers() | {DELIVERY_HEADER: "d-1.1777809780", TIMESTAMP_HEADER: "1"}, body=BODY)
