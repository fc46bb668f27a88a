"""TSV: a row for each character, for spreadsheets and shell tools."""

from __future__ import annotations

from ocrlstm.document import Line

__all__ = ["write"]

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def write(line: Line) -> str:
    r"""Return the characters of a line as tab-separated values.

    Parameters
    ----------
    line : Line
        What was read.

    Returns
    -------
    str
        A header ``text x0 x1 confidence`` and a row for each character, from left to right in the
        image. Backslash, tab and line ends in the text are written as ``\\``, ``\t``, ``\n`` and
        ``\r``.

    Examples
    --------
    >>> write(Line("", 1.0))
    'text\tx0\tx1\tconfidence\n'
    """
    rows = ["text\tx0\tx1\tconfidence"]
    rows += [
        f"{character.text.translate(_ESCAPES)}\t{character.x0:.2f}\t{character.x1:.2f}"
        f"\t{character.confidence:.4f}"
        for character in line.characters
    ]
    return "\n".join(rows) + "\n"
