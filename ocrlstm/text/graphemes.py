"""Split a text into what a reader calls characters."""

from __future__ import annotations

import regex

__all__ = ["graphemes"]

_CLUSTER = regex.compile(r"\X")


def graphemes(text: str) -> list[str]:
    r"""Return the extended grapheme clusters of a text (UAX #29).

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of str
        Its clusters, each one or more code points; joined they give `text` again.

    Examples
    --------
    >>> [len(cluster) for cluster in graphemes("q\u0303a")]
    [2, 1]
    """
    # In ASCII only a carriage return followed by a line feed forms a longer cluster.
    if text.isascii() and "\r" not in text:
        return list(text)
    return _CLUSTER.findall(text)
