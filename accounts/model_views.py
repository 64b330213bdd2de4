"""The page of the model: what there is, for those who build on it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.model_diagram import our_rooms
from core.model_drawing import drawing_of


@login_required
@require_safe
def model_page(request: HttpRequest) -> HttpResponse:
    rooms = [room for room in our_rooms() if room.boxes]
    drawn = [{"room": room, "drawing": drawing_of(room)} for room in rooms]
    context = {
        "drawn": drawn,
        "models": sum(len(room.boxes) for room in rooms),
        "references": sum(len(box.edges) for room in rooms for box in room.boxes),
    }
    return render(request, "accounts/model.html", context)
