"""One visitor with a browser of their own: clicks are counted, and every page that is looked at is checked."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Response

from accounts.demo import DEMO_PASSWORD

WIDE, NARROW = 1280, 390
HEIGHTS = {WIDE: 900, NARROW: 844}
PATIENCE_MILLISECONDS = 15_000
AXE = (Path(__file__).parent.parent / "vendor" / "axe.min.js").read_text()
FAULTS_OF_AXE = """() => axe.run().then(found => found.violations
    .filter(each => ["serious", "critical"].includes(each.impact))
    .map(each => `${each.id}: ${each.nodes.map(node => node.target.join(" ")).join(", ")}`))"""


@dataclass
class Visitor:
    """Somebody at one partner's host, with a window of some width."""

    page: Page
    origin: str
    width: int
    has_javascript: bool = True
    clicks: int = 0
    refusals: set[str] = field(default_factory=set)
    """Statuses of pages that the journey provokes, such as "422"; the browser's console tells of each."""
    console: list[str] = field(default_factory=list)

    def open(self, path: str) -> Response:
        """Open an address of this host."""
        response = self.page.goto(self.origin + path)
        assert response is not None
        self.wait_until_ready()
        return response

    def sign_in(self, email: str) -> None:
        """Sign in with the form, as people do who type; the button is one click."""
        self.open("/")
        self.page.get_by_label("E-mail").fill(email)
        self.page.get_by_label("Password").fill(DEMO_PASSWORD)
        self.follow(self.page.get_by_role("button", name="Sign in", exact=True))

    def click(self, locator: Locator) -> None:
        """Click once on something that stays on this page."""
        locator.click()
        self.clicks += 1

    def follow(self, locator: Locator) -> None:
        """Click once on something that leads to another page, and wait for it."""
        with self.page.expect_navigation():
            self.click(locator)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        self.page.wait_for_load_state()
        if self.has_javascript:
            self.page.wait_for_selector('body[data-ready="true"]')

    def heading(self) -> str:
        return self.page.locator("h1").inner_text()

    def address(self) -> str:
        """Return the path of the page that is open."""
        return self.page.url.removeprefix(self.origin)

    def look(self, name: str) -> None:
        """Check what a person would see at once: nothing too wide, nothing that axe calls serious; keep a picture."""
        self.wait_until_ready()
        folder = os.environ.get("RACKWRIGHT_SCREENSHOTS")
        if folder:
            self.take_picture(Path(folder) / f"{name}-{self.width}.png")
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.width, f"{name} is too wide"
        if self.has_javascript:
            self.page.evaluate(AXE)
            faults = self.page.evaluate(FAULTS_OF_AXE)
            assert not faults, f"axe finds on {name}: {faults}"

    def take_picture(self, path: Path) -> None:
        """Save a picture of the whole page, in a window as high as the page: what sticks to its bottom stays there."""
        height = self.page.evaluate("document.documentElement.scrollHeight")
        self.page.set_viewport_size({"width": self.width, "height": max(height, HEIGHTS[self.width])})
        self.page.screenshot(path=path)
        self.page.set_viewport_size({"width": self.width, "height": HEIGHTS[self.width]})

    def unexpected(self) -> list[str]:
        """Return what the console said, without the refusals that the journey provokes."""
        expected = [f"responded with a status of {status} " for status in self.refusals]
        return [words for words in self.console if not any(each in words for each in expected)]


class Visit(Protocol):
    """Let somebody visit a partner's host; what the fixture `visit` gives."""

    def __call__(self, partner: str = "north", *, width: int = WIDE, has_javascript: bool = True) -> Visitor: ...


def enter(browser: Browser, *, origin: str, width: int, has_javascript: bool) -> Visitor:
    """Open a window at this origin with no history and no cookies."""
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHTS[width]},
        is_mobile=width == NARROW,
        has_touch=width == NARROW,
        java_script_enabled=has_javascript,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    visitor = Visitor(page=context.new_page(), origin=origin, width=width, has_javascript=has_javascript)

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            visitor.console.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    visitor.page.on("console", hear)
    visitor.page.on("pageerror", lambda error: visitor.console.append(f"uncaught: {error}"))
    return visitor
