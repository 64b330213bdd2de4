"""Two partners, one product: each under its own name, logo and colour, with the catalogue and its reasons."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BRAND = """() => ({
    name: document.querySelector(".brand").innerText.trim(),
    logo: document.querySelector(".brand img").src.split("/").pop(),
    accent: getComputedStyle(document.documentElement).getPropertyValue("--brand-accent").trim(),
    button: getComputedStyle(document.querySelector(".btn-primary")).backgroundColor,
})"""


def test_each_host_shows_its_partner_s_name_logo_and_colour(visit: Visit, width: int) -> None:
    north, harbor = visit("north", width=width), visit("harbor", width=width)
    north.open("/")
    harbor.open("/")

    assert north.page.evaluate(BRAND) == {
        "name": "North",
        "logo": "north.svg",
        "accent": "#1f5a8a",
        "button": "rgb(31, 90, 138)",
    }
    assert harbor.page.evaluate(BRAND) == {
        "name": "Harbor",
        "logo": "harbor.svg",
        "accent": "#0f6b5c",
        "button": "rgb(15, 107, 92)",
    }
    harbor.look("sign-in-harbor")


def test_the_catalogue_leads_to_the_reason_of_a_price(visit: Visit, width: int) -> None:
    ben = visit("harbor", width=width)
    ben.sign_in("ben@harbor.example")
    ben.follow(ben.page.get_by_role("link", name="Browse the catalogue"))
    ben.look("catalog")

    ben.follow(ben.page.get_by_role("link", name="Virtual server (EC2, April 2012)"))
    ben.look("package")
    ben.follow(ben.page.get_by_role("link", name="for Standard Large, why this price"))

    assert ben.heading() == "Standard Large: $230.40 a month"
    expect(ben.page.get_by_role("listitem").filter(has_text="0.32 USD an hour")).to_have_text(
        "0.32 USD an hour × 720 hours a month = $230.40."
    )
    ben.look("why-this-price")
