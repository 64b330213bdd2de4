"""Asking what a configuration will deliver: the question, waiting, the result, and two runs on the same scale."""

import pytest
from playwright.sync_api import expect

from planner.models import Simulation
from tests.browser.visitor import Visit, Visitor
from tests.browser.worker import work_on_one_part, work_until_idle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def ask_for_a_store(visitor: Visitor, *, machine: str, name: str) -> None:
    page = visitor.page
    visitor.open("/simulate/new/?workload=kv_store&duration_seconds=60+s&without_bands=on")
    page.get_by_label("Machine", exact=True).select_option(machine)
    page.get_by_text("Sweep: try several values").click()
    page.get_by_label("Try several values of").select_option("clients")
    page.locator("#id_sweep_values").fill("1, 2, 4…16")
    page.get_by_label("Name").fill(name)
    visitor.follow(page.get_by_role("button", name="Simulate", exact=True))


def test_an_architect_simulates_a_sweep_and_compares_bare_metal_with_virtual(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.sign_in("ana@north.example")
    ana.open("/simulate/")
    expect(ana.page.get_by_text("No simulations yet")).to_be_visible()
    ana.look("simulate-empty")
    ana.follow(ana.page.get_by_role("link", name="Simulate a configuration").first)
    ana.look("simulate-new")
    ana.follow(ana.page.get_by_text("Key-value store", exact=True))
    expect(ana.page.get_by_role("heading", name="Key-value store")).to_be_visible()
    ana.look("simulate-new-store")

    ask_for_a_store(ana, machine="bare_metal", name="Store: bare metal")
    work_on_one_part()
    expect(ana.page.get_by_role("status")).to_contain_text("Simulating 1 client: 1 of 6 turns")
    ana.look("simulate-progress")
    work_until_idle()
    expect(ana.page.get_by_role("link", name="Change and run again")).to_be_visible()
    ana.wait_until_ready()
    assert ana.heading().startswith("At best ")
    ana.look("simulate-result")

    ask_for_a_store(ana, machine="virtual", name="Store: virtual")
    work_until_idle()
    expect(ana.page.get_by_role("button", name="Compare")).to_be_visible()
    ana.follow(ana.page.get_by_role("button", name="Compare"))
    expect(ana.page.get_by_role("rowheader", name="Machine")).to_be_visible()
    ana.look("simulate-compare")
    ana.open("/simulate/")
    ana.look("simulate-list")


def test_a_refused_question_names_every_field_and_loses_nothing_typed(visit: Visit, width: int) -> None:
    ana = visit(width=width)
    ana.refusals.add("422")
    ana.sign_in("ana@north.example")
    ana.open("/simulate/new/?workload=block_io")

    ana.page.get_by_label("Number of drives").fill("3")
    ana.page.get_by_label("Block size").fill("eight")
    ana.follow(ana.page.get_by_role("button", name="Simulate", exact=True))

    expect(ana.page.get_by_role("alert").filter(has_text="needs a correction")).to_contain_text("even number of drives")
    expect(ana.page.get_by_label("Block size")).to_have_value("eight")
    assert not Simulation.objects.exists()
    ana.look("simulate-refused")


def test_without_javascript_a_configuration_fills_the_form_and_is_simulated(visit: Visit) -> None:
    ana = visit(has_javascript=False)
    ana.sign_in("ana@north.example")
    ana.open("/simulate/new/")
    ana.page.get_by_label("Configuration").select_option(label="MongoDB Medium, SSDs: MongoDB server")
    ana.follow(ana.page.get_by_role("button", name="Show its fields"))
    expect(ana.page.get_by_text("Filled in from")).to_be_visible()
    expect(ana.page.get_by_label("Number of drives")).to_have_value("4")
    ana.look("simulate-filled")

    ana.follow(ana.page.get_by_role("button", name="Simulate", exact=True))
    work_until_idle()
    ana.open(ana.address())

    assert "IOPS" in ana.heading()
