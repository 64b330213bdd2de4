"""An address that leads nowhere answers a program in the shape of every other refusal."""

import pytest
from django.test import Client


@pytest.mark.django_db
def test_an_unknown_address_of_the_api_answers_in_json() -> None:
    response = Client().get("/api/v1/nowhere")

    assert response.status_code == 404
    assert response.json() == {"code": "not_found", "message": "There is no such address.", "violations": []}


@pytest.mark.django_db
def test_an_unknown_address_of_the_portal_answers_with_a_page() -> None:
    response = Client().get("/nowhere/")

    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")
