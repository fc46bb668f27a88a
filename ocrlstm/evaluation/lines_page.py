"""Lines with picture, truth and reading as one HTML page that needs nothing else.

Pictures are part of the page, nothing is fetched and nothing runs, so it can be mailed and opened
anywhere. All texts are taken for what they are: no text of a line or file can become markup.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ocrlstm.evaluation.differences import Stretch, list_differences
from ocrlstm.image import PNG_SIGNATURE, png_bytes

__all__ = ["ShownLine", "escape_html", "html_page", "lines_page", "lines_section"]

# Differences are told by line and by colour, for those who see no difference of red and green.
_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em;
  color: #222; background: #fff; }
table { border-collapse: collapse; }
th { text-align: start; font-weight: 600; }
th, td { padding: .15em 1em .15em 0; vertical-align: top; }
section.line { border-top: 1px solid #ccc; padding: .8em 0; }
section.line h3 { font-size: .85em; font-weight: 400; color: #555; margin: 0 0 .4em;
  overflow-wrap: anywhere; }
section.line img { display: block; max-width: 100%; border: 1px solid #ddd; }
section.line div { display: grid; grid-template-columns: 5em 1fr; align-items: baseline; }
section.line small, .legend { color: #555; font-size: .85em; }
p.text { font: 1.15em/1.7 Georgia, "Noto Serif", serif; margin: 0; white-space: pre-wrap;
  overflow-wrap: anywhere; unicode-bidi: plaintext; }
.replace, .delete, .insert { text-decoration: none; border-bottom: 2px solid; padding: 0 1px; }
.replace { background: #ffe7a8; border-color: #a66a00; }
.delete { background: #ffd3d0; border-color: #b3261e; border-bottom-style: double; }
.insert { background: #cfe8ff; border-color: #0b57a4; border-bottom-style: dashed; }
"""

# No page of ours fetches or runs anything; this also forbids it to whatever might slip in.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

_LEGEND = (
    '<p class="legend"><span class="replace">read as another</span> '
    '<span class="delete">not read</span> '
    '<span class="insert">read too much</span></p>'
)

# What HTML does not allow even when escaped: control characters, halves of surrogate pairs,
# non-characters (HTML standard, section 13.2.3.5).
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


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
    rows = "".join(
        f"<tr><th>{escape_html(name)}</th><td><bdi>{escape_html(value)}</bdi></td></tr>\n"
        for name, value in facts
    )
    table = f"<table>\n{rows}</table>\n" if rows else ""
    return html_page(title, f"<h1>{escape_html(title)}</h1>\n{table}{lines_section(lines)}")


def lines_section(lines: Sequence[ShownLine]) -> str:
    """Return the part of a page that shows lines, for `html_page`.

    Raises
    ------
    ValueError
        If a picture is none.
    """
    return "\n".join([_LEGEND, *map(_show, lines)]) if lines else "<p>No line is wrong.</p>"


def html_page(title: str, body: str) -> str:
    """Return a page around a body, with the style of all our pages.

    Parameters
    ----------
    title : str
        A text.
    body : str
        HTML; every text in it has gone through `escape_html`.
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape_html(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def escape_html(text: str) -> str:
    r"""Return a text as HTML that shows it, whatever is in it.

    Parameters
    ----------
    text : str
        What HTML has no way to show comes out as its escape, such as ``\x00``.

    Examples
    --------
    >>> escape_html('<a title="x">&\x07')
    '&lt;a title=&quot;x&quot;&gt;&amp;\\x07'
    """
    shown = _FORBIDDEN.sub(lambda found: ascii(found[0])[1:-1], text)
    return html.escape(shown)


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
