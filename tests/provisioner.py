"""A small external provisioner on this machine: a real HTTP server in a thread, which answers as a test tells it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class Call:
    """One call that the provisioner got."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.body)
        return message


@dataclass
class Provisioner:
    """What was asked of it, and how it answers: the status and body of the first event in `replies` that fits."""

    url: str = ""
    calls: list[Call] = field(default_factory=list)
    replies: dict[str, tuple[int, Any]] = field(default_factory=dict)

    def events(self) -> list[str]:
        return [call.message["event"] for call in self.calls]

    def reply_to(self, call: Call) -> tuple[int, bytes]:
        status, body = self.replies.get(call.message["event"], (202, None))
        return status, b"" if body is None else json.dumps(body).encode()


@contextmanager
def provisioner_running() -> Iterator[Provisioner]:
    """Run a provisioner until the block ends."""
    provisioner = Provisioner()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            call = Call(self.path, dict(self.headers), body)
            provisioner.calls.append(call)
            status, answer = provisioner.reply_to(call)
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:
            """Stay silent: what is asked is in `calls`."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provisioner.url = f"http://127.0.0.1:{server.server_port}/calls?for=rackwright"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provisioner
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
