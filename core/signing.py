"""Messages between this installation and programs outside, signed with a secret that both know.

Signed is the delivery's id, the time and the body: `v1=` and the HMAC-SHA256 of "id.seconds.body" in hexadecimal.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from core.errors import RuleBroken

DELIVERY_HEADER = "Rackwright-Delivery"
TIMESTAMP_HEADER = "Rackwright-Timestamp"
SIGNATURE_HEADER = "Rackwright-Signature"
WRONG_SIGNATURE = "This message is not signed with the secret that belongs to it."
TOLERANCE = timedelta(minutes=5)
DELIVERY = re.compile(r"[A-Za-z0-9_-]{1,64}")
TIMESTAMP = re.compile(r"[0-9]{1,10}")


def signed_headers(*, secret: str, delivery: str, body: bytes, now: datetime) -> dict[str, str]:
    """Return the three headers that prove a body to whoever knows the secret."""
    timestamp = str(int(now.timestamp()))
    return {
        DELIVERY_HEADER: delivery,
        TIMESTAMP_HEADER: timestamp,
        SIGNATURE_HEADER: _signature(secret=secret, delivery=delivery, timestamp=timestamp, body=body),
    }


def require_signed(*, secret: str, headers: Mapping[str, str], body: bytes, now: datetime) -> str:
    """Return the id of a delivery that was signed with this secret not long ago.

    Raises RuleBroken: `signature_wrong`, or `signature_too_old` beyond five minutes before or after.
    """
    delivery, timestamp = headers.get(DELIVERY_HEADER, ""), headers.get(TIMESTAMP_HEADER, "")
    given = headers.get(SIGNATURE_HEADER, "")
    is_well_formed = DELIVERY.fullmatch(delivery) and TIMESTAMP.fullmatch(timestamp)
    right = _signature(secret=secret, delivery=delivery, timestamp=timestamp, body=body)
    if not is_well_formed or not hmac.compare_digest(right.encode(), given.encode(errors="replace")):
        raise RuleBroken("signature_wrong", WRONG_SIGNATURE)
    signed_at = datetime.fromtimestamp(int(timestamp), tz=UTC)
    if abs(now - signed_at) > TOLERANCE:
        minutes = int(TOLERANCE.total_seconds() // 60)
        raise RuleBroken("signature_too_old", f"This message was signed more than {minutes} minutes away from now.")
    return delivery


def _signature(*, secret: str, delivery: str, timestamp: str, body: bytes) -> str:
    message = b".".join((delivery.encode(errors="replace"), timestamp.encode(errors="replace"), body))
    return f"v1={hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()}"
