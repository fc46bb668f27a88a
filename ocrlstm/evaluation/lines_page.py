"""Lines with picture, truth and reading as one HTML page that needs nothing else.

Pictures are part of the page, nothing is fetched and nothing runs, so it can be mailed and opened
anywhere. All texts are taken for what they are: no text of a line or file can become markup.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ocrlstm.evaluation.differences import Stretch, list_differences
from ocrlstm.evaluation.page import escape_html, facts_table, html_page
from ocrlstm.image import PNG_SIGNATURE, png_bytes

__all__ = ["ShownLine", "lines_page", "lines_section"]

_LEGEND = (
    '<p class="legend"><span class="replace">read as another</span> '
    '<span class="delete">not read</span> '
    '<span class="insert">read too much</span></p>'
)


@dataclass(frozen=True, eq=False)
class ShownLine:
    """A line as a page shows it.

    Attributes
    ----------
    name : str
        Path of its image, or what else it is called.
    truth, reading : str
        Ground truth and what was read, in logical order.
    edits : int
        Code point edits between them.
    picture : bytes, ndarray of shape (H, W), or None
        A PNG file, or ink as `png_bytes` takes it; None where there is no picture to show.
    note : str
        Anything else to say of it, such as why it could not be read.
    """

    name: str
    truth: str
    reading: str
    edits: int
    picture: bytes | np.ndarray | None = None
    note: str = ""


def lines_page(
    lines: Sequence[ShownLine], title: str, facts: Sequence[tuple[str, str]] = ()
) -> str:
    """Return a whole page: a title, a table of facts, and the lines.

    Parameters
    ----------
    lines : sequence of ShownLine
        In the order they are shown, most often the worst first.
    title : str
    facts : sequence of (str, str)
        Names and values, such as ``("CER", "2.31 %")``.

    Returns
    -------
    str
        HTML; written as UTF-8 it is complete.

    Raises
    ------
    ValueError
        If a picture is none.
    """
    table = f"{facts_table(facts)}\n" if facts else ""
    return html_page(title, f"<h1>{escape_html(title)}</h1>\n{table}{lines_section(lines)}")


def lines_section(lines: Sequence[ShownLine]) -> str:
    """Return the part of a page that shows lines, for `html_page`.

    Raises
    ------
    ValueError
        If a picture is none.
    """
    return "\n".join([_LEGEND, *map(_show, lines)]) if lines else "<p>No line is wrong.</p>"


def _show(line: ShownLine) -> str:
    edits = f"{line.edits} edit{'' if line.edits == 1 else 's'}"
    note = f"\n<small><bdi>{escape_html(line.note)}</bdi></small>" if line.note else ""
    stretches = list_differences(line.truth, line.reading)
    return (
        f'<section class="line">\n<h3>{edits} &middot; <bdi>{escape_html(line.name)}</bdi></h3>\n'
        f"{_image(line)}"
        f"<div><small>truth</small>{_text([(s, s.truth) for s in stretches])}</div>\n"
        f"<div><small>reading</small>{_text([(s, s.reading) for s in stretches])}</div>"
        f"{note}\n</section>"
    )


def _image(line: ShownLine) -> str:
    picture = line.picture
    if picture is None:
        return ""
    if isinstance(picture, np.ndarray):
        picture = png_bytes(picture)
    elif not picture.startswith(PNG_SIGNATURE):
        raise ValueError(f"the picture of {line.name} begins with {picture[:8]!r}, expected a PNG")
    data = base64.b64encode(picture).decode("ascii")
    return f'<img alt="" src="data:image/png;base64,{data}">\n'


def _text(pieces: Sequence[tuple[Stretch, str]]) -> str:
    # No line ends between the pieces: they would show. Spans do not keep letters from joining nor
    # take part in bidi, so right-to-left lines look as they do without.
    shown = "".join(
        escape_html(text)
        if part.kind == "equal"
        else f'<span class="{part.kind}">{escape_html(text)}</span>'
        for part, text in pieces
        if text
    )
    return f'<p class="text" dir="auto">{shown}</p>'
