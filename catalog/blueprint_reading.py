"""Reading one row about a blueprint: a part of a role, or the place of a service."""

from catalog.cells import Cells
from catalog.files import Columns
from catalog.layout import BlueprintPartRow, PlacementRow
from catalog.row_reading import Sources, source_and_basis

MOST_PIECES = 100_000
YES = "yes"
BLUEPRINT_COLUMNS: Columns = (
    {"blueprint", "name", "role", "count", "package", "category", "item", "source", "basis"},
    {"description", "least", "most", "optional"},
)
BLUEPRINT_KEY = ("blueprint", "role", "category", "item")
PLACEMENT_COLUMNS: Columns = (
    {"blueprint", "service", "name", "role"},
    {"otherwise", "agents", "shares_up_to", "needs"},
)
PLACEMENT_KEY = ("blueprint", "service")


def read_blueprint_part(cells: Cells, sources: Sources) -> BlueprintPartRow:
    source, basis = source_and_basis(cells, sources)
    least = cells.whole("least", smallest=1, largest=MOST_PIECES) or 1
    is_optional = bool(cells.text("optional")) and cells.choice("optional", [YES]) == YES
    count = cells.whole("count", largest=MOST_PIECES)
    row = BlueprintPartRow(
        blueprint=cells.required("blueprint", longest=80),
        name=cells.required("name", longest=120),
        description=cells.text("description", longest=2000),
        role=cells.required("role", longest=80),
        count=1 if count is None else count,
        package=cells.required("package", longest=80),
        category_code=cells.required("category", longest=60),
        item=cells.required("item", longest=60),
        source=source,
        basis=basis,
        least=least,
        most=cells.whole("most", smallest=1, largest=MOST_PIECES),
        is_optional=is_optional,
    )
    if row.count < row.least and not (row.is_optional and row.count == 0):
        words = f"{row.count} is fewer than the {row.least} that the role needs. Write more, or a smaller “least”."
        cells.refuse("count", "below_least", words)
    if row.most is not None and row.count > row.most:
        words = f"{row.count} is more than the {row.most} that the role may have. Write fewer, or a larger “most”."
        cells.refuse("count", "above_most", words)
    return row


def read_placement(cells: Cells) -> PlacementRow:
    row = PlacementRow(
        blueprint=cells.required("blueprint", longest=80),
        service=cells.required("service", longest=60),
        name=cells.required("name", longest=80),
        role=cells.required("role", longest=80),
        otherwise=cells.text("otherwise", longest=80),
        agents=cells.text("agents", longest=80),
        shares_up_to=cells.whole("shares_up_to", smallest=1),
        needs=tuple(_need(cells, words) for words in cells.list_of("needs")),
    )
    if row.otherwise and row.otherwise == row.role:
        cells.refuse("otherwise", "same_role", "Is the service's own role. Name another one, or leave it empty.")
    if row.shares_up_to is not None and not row.otherwise:
        words = "Has a limit although the service shares nothing. Fill in “otherwise”, or remove the limit."
        cells.refuse("shares_up_to", "shares_nothing", words)
    return row


def _need(cells: Cells, words: str) -> tuple[str, str]:
    category_code, _, item = words.partition(":")
    if not (category_code and item):
        cells.refuse("needs", "not_a_need", f"“{words}” is no need. Write a category and an item like disk0:6173.")
    return category_code, item
