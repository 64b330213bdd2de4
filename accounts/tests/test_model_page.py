"""The page of the model, for anybody who is signed in."""

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of, make_account, make_member
from core.model_diagram import our_rooms

pytestmark = pytest.mark.django_db


def test_the_page_draws_every_room_with_every_model():
    page = client_of(make_member(make_account(), role="viewer")).get(reverse("model")).content.decode()

    rooms = [room for room in our_rooms() if room.boxes]
    assert page.count('<svg class="model-drawing"') == len(rooms) >= 6
    for room in rooms:
        assert f'<section class="panel" id="room-{room.name}">' in page
        for box in room.boxes:
            assert f'<h3 class="model-heading">{box.name}</h3>' in page
    assert f"<h1>{sum(len(room.boxes) for room in rooms)} models in {len(rooms)} rooms" in page
