"""Browser journeys run on a live server in this process, with the shipped catalogue and the demo's people."""

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, sync_playwright
from pytest_django.live_server_helper import LiveServer

from accounts.demo import demo_load
from core.invariants import breaches_of
from orders.management.commands.check_invariants import EVERY_INVARIANT
from tests.browser.visitor import NARROW, WIDE, Visit, Visitor, enter
from tests.plugin import chromium

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    # Playwright's loop runs in this thread, and Django would take the tests for asynchronous code.
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        opened = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Browser, live_server: LiveServer) -> Iterator[Visit]:
    """Let people visit the product; in the end no browser may have complained, and no invariant may be violated."""
    call_command("catalog_load", stdout=StringIO())
    demo_load()
    visitors: list[Visitor] = []

    def visit(partner: str = "north", *, width: int = WIDE, has_javascript: bool = True) -> Visitor:
        origin = f"http://{partner}.localhost:{live_server.thread.port}"
        visitors.append(enter(browser, origin=origin, width=width, has_javascript=has_javascript))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.page.context.close()
    assert [words for visitor in visitors for words in visitor.unexpected()] == []
    assert breaches_of(EVERY_INVARIANT) == []


@pytest.fixture(params=[pytest.param(WIDE, id="wide"), pytest.param(NARROW, id="narrow", marks=pytest.mark.narrow)])
def width(request: pytest.FixtureRequest) -> int:
    return request.param
