"""Tables with aligned columns."""

from collections.abc import Sequence


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a heading and a table; the first column to the left, the others to the right."""
    print(f"\n{title}")
    for line in aligned([columns, *([str(cell) for cell in row] for row in rows)]):
        print(f"  {line}", flush=True)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as text; equal first cells are written once."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines, above = [], None
    for row in rows:
        first = "" if row[0] == above else row[0]
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
        above = row[0]
    return lines


def note(text: str) -> None:
    """Print a remark below a table."""
    print(f"  {text}", flush=True)
