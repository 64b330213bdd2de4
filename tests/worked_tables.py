"""The worked tables of docs/pricing.md, for the tests that calculate them again."""

from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs" / "pricing.md"


def rows_under(heading: str) -> list[dict[str, str]]:
    """Return the rows of the table under a heading, each by the names of its columns."""
    part = DOCUMENT.read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("\n#")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(header, row, strict=True)) for row in rows]
