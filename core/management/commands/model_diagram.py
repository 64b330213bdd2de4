"""Draw the models into docs/model.md anew."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from core.model_diagram import markdown_of, our_rooms, replaced_in

DOCUMENT = "docs/model.md"


class Command(BaseCommand):
    help = f"Write the models as they are, room by room, into {DOCUMENT}."

    def handle(self, *args: Any, **options: Any) -> None:
        document = Path(settings.BASE_DIR) / DOCUMENT
        rooms = our_rooms()
        document.write_text(replaced_in(document.read_text(), markdown_of(rooms)))
        self.stdout.write(f"{DOCUMENT}: {sum(len(room.boxes) for room in rooms)} models in {len(rooms)} rooms.")
