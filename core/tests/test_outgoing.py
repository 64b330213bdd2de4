"""Calling addresses that somebody typed, on real sockets of this machine."""

import socket
from contextlib import contextmanager
from threading import Thread

import pytest

from core import outgoing
from core.errors import RuleBroken
from core.outgoing import CallFailed, post, require_address_allowed
from tests.provisioner import provisioner_running
from tests.servers import free_port


def call(url, *, allow_private=True):
    return post(url=url, body=b'{"event": "status"}', headers={"X-One": "1"}, allow_private=allow_private)


@pytest.fixture
def names(monkeypatch):
    """Names that lead to the addresses that a test gives them."""
    table: dict[str, list[str]] = {}

    def look_up(host, port, *rest, **options):
        if host not in table and host != "127.0.0.1":
            raise socket.gaierror("Name or service not known")
        family = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(family[":" in each], socket.SOCK_STREAM, 6, "", (each, port)) for each in table.get(host, [host])]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return table


def test_a_call_brings_the_status_and_the_body_back():
    with provisioner_running() as provisioner:
        provisioner.replies["status"] = (418, {"state": "active"})

        reply = call(provisioner.url)

    assert (reply.status, reply.body) == (418, b'{"state": "active"}')
    (got,) = provisioner.calls
    assert (got.path, got.body, got.headers["X-One"]) == ("/calls?for=rackwright", b'{"event": "status"}', "1")


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.9", "172.16.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "::1",
     "fd00::1", "fe80::1", "::ffff:10.0.0.1", "224.0.0.1"],
)  # fmt: skip
def test_a_name_that_leads_into_a_private_network_is_not_called(names, address):
    names["provisioner.example"] = ["8.8.8.8", address]

    with pytest.raises(RuleBroken) as refusal:
        call("https://provisioner.example/calls", allow_private=False)

    assert refusal.value.code == "address_refused"
    assert refusal.value.words == f"provisioner.example is at {address}, an address inside a private network."


def test_the_connection_goes_to_the_address_that_was_checked(names, monkeypatch):
    """A name that changes its address between the check and the call leads nowhere."""
    names["provisioner.example"] = ["8.8.8.8"]
    connected = []

    def connect(address, timeout):
        connected.append(address)
        raise OSError("no network here")

    monkeypatch.setattr(socket, "create_connection", connect)

    with pytest.raises(CallFailed):
        call("https://provisioner.example:8443/calls", allow_private=False)

    assert connected == [("8.8.8.8", 8443)]


@pytest.mark.parametrize(
    "url",
    ["ftp://provisioner.example/", "provisioner.example", "https://", "https://user:word@provisioner.example/",
     "https://provisioner.example:99999/", "file:///etc/passwd", "https://[::1", ""],
)  # fmt: skip
def test_what_is_no_address_is_refused(url):
    for allow_private in (True, False):
        with pytest.raises(RuleBroken) as refusal:
            require_address_allowed(url=url, allow_private=allow_private)
        assert refusal.value.code == "address_refused"


def test_unencrypted_addresses_are_for_private_networks_only():
    require_address_allowed(url="http://provisioner.example/", allow_private=True)
    with pytest.raises(RuleBroken) as refusal:
        require_address_allowed(url="http://provisioner.example/", allow_private=False)

    assert refusal.value.code == "address_refused"


def test_redirections_are_not_followed():
    with provisioner_running() as provisioner:
        provisioner.replies["status"] = (302, None)

        assert call(provisioner.url).status == 302
        assert len(provisioner.calls) == 1


def test_nobody_listening_and_unknown_names_are_failures_that_may_pass(names):
    names["here.example"] = ["127.0.0.1"]

    for url in (f"http://here.example:{free_port()}/", "http://nowhere.example/"):
        with pytest.raises(CallFailed):
            call(url)


@contextmanager
def drip():
    """A server that sends its headers one byte at a time and never comes to an end."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                try:
                    while True:
                        connection.sendall(b"H")
                except OSError:
                    return

        Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]


def test_a_server_that_never_comes_to_an_end_is_left_at_the_deadline(monkeypatch):
    monkeypatch.setattr(outgoing, "DEADLINE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(CallFailed):
        call(f"http://127.0.0.1:{silent.getsockname()[1]}/")
    with drip() as port, pytest.raises(CallFailed):
        call(f"http://127.0.0.1:{port}/")


def test_of_a_long_answer_only_the_beginning_is_read(monkeypatch):
    monkeypatch.setattr(outgoing, "LARGEST_REPLY", 10)
    with provisioner_running() as provisioner:
        provisioner.replies["status"] = (200, {"words": "x" * 10_000})

        assert call(provisioner.url).body == b'{"words": '
