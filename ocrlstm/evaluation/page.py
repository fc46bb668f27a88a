"""HTML pages that need nothing else: nothing is fetched, nothing runs, no text becomes markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

__all__ = ["escape_html", "facts_table", "html_page", "html_table"]

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

# What HTML does not allow even when escaped: control characters, halves of surrogate pairs,
# non-characters (HTML standard, section 13.2.3.5).
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


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


def facts_table(facts: Iterable[tuple[str, str]]) -> str:
    """Return a table of names and values, such as ``("CER", "2.31 %")``."""
    rows = "".join(
        f"<tr><th>{escape_html(name)}</th><td><bdi>{escape_html(value)}</bdi></td></tr>\n"
        for name, value in facts
    )
    return f"<table>\n{rows}</table>"


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with a head; cells are shown as their text."""
    head = "".join(f"<th>{escape_html(text)}</th>" for text in heads)
    body = "".join(
        f"<tr>{''.join(f'<td><bdi>{escape_html(str(cell))}</bdi></td>' for cell in row)}</tr>\n"
        for row in rows
    )
    return f"<table>\n<tr>{head}</tr>\n{body}</table>"
