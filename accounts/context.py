"""What every page shows: the brand, the account and the navigation."""

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from accounts.middleware import partner_of_request

ROOMS = (
    ("Home", "home"),
    ("New plan", "plan-new"),
    ("Plans", "plan-list"),
    ("Simulate", "simulation-list"),
    ("Catalogue", "catalog"),
    ("Orders", "order-list"),
)


class NavigationItem(NamedTuple):
    """One entry of the navigation."""

    label: str
    url: str
    is_current: bool


def brand_and_navigation(request: HttpRequest) -> dict[str, Any]:
    """Give templates `partner`, `account`, `standings` and `nav`."""
    # An address that leads nowhere passes no view, so the middleware has not looked for its partner.
    partner = request.partner if hasattr(request, "partner") else partner_of_request(request)
    return {
        "partner": partner,
        "account": getattr(request, "account", None),
        "standings": getattr(request, "standings", []),
        "nav": _navigation(request),
    }


def _navigation(request: HttpRequest) -> list[NavigationItem]:
    entries = []
    if getattr(request, "account", None) is not None:
        entries = [(label, reverse(name)) for label, name in ROOMS]
    is_operator = hasattr(request, "user") and request.user.is_staff
    if is_operator:
        entries.append(("Work", reverse("work-list")))
    if is_operator or getattr(request, "serves_partner", False):
        entries.append(("Price books", reverse("price-books")))
    if is_operator:
        entries.append(("Admin", reverse("admin:index")))
    current = _current([url for _, url in entries], request.path)
    return [NavigationItem(label, url, url == current) for label, url in entries]


def _current(urls: list[str], path: str) -> str | None:
    """Return the most specific address that the page lies under; home is only itself."""
    above = [url for url in urls if url == path or (url != "/" and path.startswith(url))]
    return max(above, key=len, default=None)
