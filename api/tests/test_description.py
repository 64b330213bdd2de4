import pytest
from django.core.management import call_command
from django.test import Client

from api.tests.contract import description
from api.v1.urls import urlpatterns

TAGS = {
    "advice",
    "approvals",
    "billing",
    "catalog",
    "measurements",
    "orders",
    "plans",
    "quotes",
    "resources",
    "simulations",
}


def test_the_description_is_valid_and_complete(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", file=str(tmp_path / "schema.yaml"))

    assert (tmp_path / "schema.yaml").read_text().startswith("openapi: 3")


def test_every_call_is_named_tagged_and_says_how_it_is_refused():
    operations = [
        operation
        for path, methods in description()["paths"].items()
        if path.startswith("/api/v1/")
        for operation in methods.values()
    ]

    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names)) >= len(urlpatterns)
    for operation in operations:
        assert operation["tags"][0] in TAGS
        assert operation["summary"]
        assert operation["description"].startswith(operation["summary"])
        assert {"401", "403"} <= set(operation["responses"])
        assert operation["security"] == [{"apiKey": []}, {"cookieAuth": []}]


def test_every_address_of_version_1_is_described():
    described = {path for path in description()["paths"] if path.startswith("/api/v1/")}

    assert len(urlpatterns) == len(described) >= 21


@pytest.mark.django_db
def test_the_description_and_its_page_are_open(client: Client):
    schema = client.get("/api/schema?format=json", headers={"host": "localhost"})
    page = client.get("/api/docs", headers={"host": "localhost"})

    assert schema.json()["info"]["title"] == "Rackwright API"
    assert page.status_code == 200
    assert "swagger-ui" in page.content.decode()
    assert "Content-Security-Policy" not in page
    assert "https://" not in page.content.decode()
