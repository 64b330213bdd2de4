"""Pages of long lists."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet, Window

LARGEST_NUMBER = 1_000_000
LONGEST_NUMBER = len(str(LARGEST_NUMBER))


def counted_page(rows: QuerySet[Any, Any], *, number: str, size: int) -> Page[Any]:
    """Return a page as `Paginator.get_page` does, in one query: the count of all rows comes along with its own.

    A word that is no number asks for the first page; a number beyond the last page is answered with that one.
    """
    is_number = number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER
    wanted = int(number) if is_number else 1
    wanted = wanted if 1 <= wanted <= LARGEST_NUMBER else 1
    start = (wanted - 1) * size
    paginator = Paginator(rows, size)
    found = list(rows.annotate(rows_in_all=Window(Count("pk")))[start : start + size])
    if not found:
        return paginator.get_page(wanted)
    vars(paginator)["count"] = found[0].rows_in_all
    return Page(found, wanted, paginator)
