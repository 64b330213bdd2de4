import pytest

from api.tests.factories import work_all


@pytest.mark.journey
@pytest.mark.django_db
def test_a_program_plans_orders_verifies_and_places(program, ec2):
    started = program.post("/api/v1/plans", {"throughput": "175 MB/s", "capacity": "2 TB"}, **{"idempotency-key": "1"})
    work_all()
    plan = program.get(started["Location"]).json()
    best = plan["answer"]["best"]

    ordered = program.post(f"{plan['href']}/order", **{"idempotency-key": "2"})
    order = ordered["Location"]
    verified = program.post(f"{order}/verify").json()
    shown = verified["totals"]["monthly"]
    placed = program.post(f"{order}/place", {"shown_monthly": shown}, **{"idempotency-key": "3"})
    twice = program.post(f"{order}/place", {"shown_monthly": shown})

    assert (plan["state"], verified["valid"], verified["violations"]) == ("done", True, [])
    assert shown == best["total_monthly_cost"]
    assert [item["name"] for item in ordered.json()["items"]] == ["Balancers", "Proxies", "Storage nodes"]
    assert (placed.status_code, placed.json()["state"], placed.json()["number"]) == (200, "placed", 1)
    assert placed.json()["totals"]["monthly"] == shown
    assert (twice.status_code, twice.json()["code"]) == (409, "order_already_placed")
