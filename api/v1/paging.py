"""Lists in pages, always in the same order."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import EmptyPage, Page, Paginator
from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers

from api.v1.calls import StrictSerializer

LARGEST_PAGE = 100
USUAL_PAGE = 25
LAST_PAGE = 1_000_000


class WhichPage(StrictSerializer):
    """Which page of a list is asked for."""

    page = serializers.IntegerField(min_value=1, max_value=LAST_PAGE, default=1, help_text="The first one is 1.")
    page_size = serializers.IntegerField(min_value=1, max_value=LARGEST_PAGE, default=USUAL_PAGE)


class PageShape(serializers.Serializer[Any]):
    """What every list answers beside its rows."""

    count = serializers.IntegerField(help_text="How many rows there are on all pages.")
    page = serializers.IntegerField()
    pages = serializers.IntegerField(help_text="How many pages there are; at least one.")


def page_of(rows: QuerySet[Any, Any] | Sequence[Any], *, page: int, page_size: int) -> Page[Any]:
    """Return one page; a page that does not exist raises Http404."""
    try:
        return Paginator(rows, page_size).page(page)
    except EmptyPage:
        raise Http404 from None


def page_json(page: Page[Any], *, results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a page as its answer."""
    return {
        "count": page.paginator.count,
        "page": page.number,
        "pages": page.paginator.num_pages,
        "results": results,
    }
