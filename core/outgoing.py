"""Calling an address outside that somebody typed: never one inside this network, never longer than a deadline.

The name is looked up once and the connection goes to the address that was checked, so that a name which changes its
address in between leads nowhere. Redirections are not followed.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv6Address, ip_address
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from core.errors import RuleBroken

CONNECT_SECONDS = 5.0
DEADLINE_SECONDS = 15.0
LARGEST_REPLY = 64 * 1024
PORTS = {"http": 80, "https": 443}


class CallFailed(Exception):
    """The other side was not reached, or broke off; trying again later may help."""


@dataclass(frozen=True)
class Reply:
    """What the other side answered; of a long body the beginning."""

    status: int
    body: bytes


def post(*, url: str, body: bytes, headers: Mapping[str, str], allow_private: bool) -> Reply:
    """Send a body and return the reply, whatever its status.

    Raises RuleBroken `address_refused` where the address may not be called, and CallFailed. Unencrypted addresses are
    for private networks only.
    """
    parts = _checked(url, allow_private=allow_private)
    host, port = str(parts.hostname), parts.port or PORTS[parts.scheme]
    address = _address_of(host, port, allow_private=allow_private)
    target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    connection = HTTPConnection(host, port)
    try:
        connection.sock = _connected(address, port, host=host, is_encrypted=parts.scheme == "https")
        with _hung_up_at_the_deadline(connection.sock):
            connection.request("POST", target, body=body, headers=dict(headers))
            response = connection.getresponse()
            return Reply(response.status, response.read(LARGEST_REPLY))
    except (OSError, HTTPException) as error:
        raise CallFailed(f"{host} did not answer: {error or type(error).__name__}") from error
    finally:
        connection.close()


def require_address_allowed(*, url: str, allow_private: bool) -> None:
    """Raise RuleBroken `address_refused` unless the URL is one that may be called; its name is not looked up."""
    _checked(url, allow_private=allow_private)


def _checked(url: str, *, allow_private: bool) -> SplitResult:
    try:
        parts = urlsplit(url)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        raise RuleBroken("address_refused", f"“{url}” is not an address.") from None
    if parts.scheme not in PORTS or not parts.hostname or parts.username or not port_is_fine:
        raise RuleBroken("address_refused", f"“{url}” is not an address like https://example.com/orders.")
    if parts.scheme == "http" and not allow_private:
        raise RuleBroken("address_refused", f"“{url}” is not encrypted. Use an address that begins with https.")
    return parts


def _address_of(host: str, port: int, *, allow_private: bool) -> str:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CallFailed(f"There is no address of {host}: {error}") from error
    addresses = [str(entry[4][0]) for entry in found]
    private = [address for address in addresses if not _is_public(address)]
    if private and not allow_private:
        raise RuleBroken("address_refused", f"{host} is at {private[0]}, an address inside a private network.")
    return addresses[0]


def _is_public(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_global and not address.is_multicast


def _connected(address: str, port: int, *, host: str, is_encrypted: bool) -> socket.socket:
    opened = socket.create_connection((address, port), timeout=CONNECT_SECONDS)
    try:
        opened.settimeout(DEADLINE_SECONDS)
        return ssl.create_default_context().wrap_socket(opened, server_hostname=host) if is_encrypted else opened
    except OSError:
        opened.close()
        raise


@contextmanager
def _hung_up_at_the_deadline(opened: socket.socket) -> Iterator[None]:
    """Break a call off that lasts too long, however busily the other side sends: its next read then fails."""
    timer = Timer(DEADLINE_SECONDS, opened.shutdown, [socket.SHUT_RDWR])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
