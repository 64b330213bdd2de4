"""The diagram of the model follows the models, and the document follows the diagram."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import models

from core.model_diagram import BEGIN, END, Box, Edge, Field, Room, markdown_of, our_rooms, replaced_in, rooms_of
from core.model_drawing import drawing_of

DOCUMENT = Path(settings.BASE_DIR) / "docs/model.md"
RUN = Box("jobs", "Run", "One piece of work.", (), ())
POINT = Box("jobs", "Point", "A share of <it>.", (), (Edge("Point", "run", "jobs", "Run", "one"),))
PLAN = Box("planner", "Plan", "A question.", (), (Edge("Plan", "run", "jobs", "Run", "one each"),))


def test_the_document_says_what_the_models_are():
    text = DOCUMENT.read_text()

    assert text == replaced_in(text, markdown_of(our_rooms())), "run bin/manage model_diagram"


def test_the_command_writes_the_document(settings, tmp_path):
    settings.BASE_DIR = tmp_path
    (tmp_path / "docs").mkdir()
    document = tmp_path / "docs/model.md"
    document.write_text(f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n")
    printed = StringIO()

    call_command("model_diagram", stdout=printed)

    assert document.read_text() == f"Before.\n\n{markdown_of(our_rooms())}\n\nAfter.\n"
    assert re.fullmatch(r"docs/model\.md: \d+ models in \d+ rooms\.\n", printed.getvalue())


def test_a_document_without_the_mark_gets_it_at_its_end():
    assert replaced_in("Words.\n", "drawn") == "Words.\n\ndrawn\n"


def test_every_model_of_the_product_has_its_box_and_every_reference_between_them_its_edge():
    boxes = {(box.room, box.name): box for room in our_rooms() for box in room.boxes}
    ours = {model for model in apps.get_models() if (model._meta.app_label, model.__name__) in boxes}
    references = [
        (model.__name__, field.name)
        for model in ours
        for field in (*model._meta.local_fields, *model._meta.local_many_to_many)
        if field.related_model in ours
    ]

    assert {("orders", "OrderLine"), ("core", "AuditEntry"), ("jobs", "Run")} <= boxes.keys()
    assert ("auth", "Group") not in boxes
    drawn = [(edge.source, edge.name) for box in boxes.values() for edge in box.edges]
    assert sorted(drawn) == sorted(references)


def test_a_new_reference_changes_the_text():
    class Shelf(models.Model):
        """A place for books."""

        class Meta:
            app_label = "core"
            managed = False

        def __str__(self):
            return "a shelf"

    class Book(models.Model):
        """Something to read."""

        shelf = models.ForeignKey(Shelf, on_delete=models.CASCADE, null=True, help_text="Where it stands.")

        class Meta:
            app_label = "core"
            managed = False

        def __str__(self):
            return "a book"

    del apps.all_models["core"]["shelf"], apps.all_models["core"]["book"]
    apps.clear_cache()

    (room,) = rooms_of([Shelf, Book])

    assert room.edges_inside == [Edge("Book", "shelf", "core", "Shelf", "one or none")]
    assert room.boxes[1].fields[1] == Field("shelf", "Shelf or none", "Where it stands.")
    assert "    Shelf |o--o{ Book : shelf\n" in markdown_of([room])
    assert "| `Book` | Something to read. | shelf → Shelf |\n" in markdown_of([room])
    assert "Book" not in markdown_of(rooms_of([Shelf]))


def test_a_room_is_drawn_with_its_boxes_its_arcs_and_escaped_words():
    picture = drawing_of(Room("jobs", (RUN, POINT)))

    assert picture.count('<g class="model-box">') == 2
    assert "<title>Point.run refers to one Run</title>" in picture
    assert "A share of &lt;it&gt;." in picture
    assert 'aria-label="jobs: 2 models and 1 references between them"' in picture


def test_a_reference_to_another_room_is_named_and_not_drawn():
    picture = drawing_of(Room("planner", (PLAN,)))

    assert "run → jobs.Run" in picture
    assert "model-arc" not in picture


@pytest.mark.parametrize("room", our_rooms(), ids=lambda room: room.name)
def test_no_two_arcs_of_a_room_share_a_stretch(room):
    stretches = re.findall(r'd="M\d+ (\d+)H(\d+)V(\d+)', drawing_of(room))

    assert len(stretches) == len(room.edges_inside)
    spans = [(int(x), *sorted((int(begins), int(ends)))) for begins, x, ends in stretches]
    for number, (x, low, high) in enumerate(spans):
        assert all(x != other or high < one or low > two for other, one, two in spans[:number])
