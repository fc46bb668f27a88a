"""Plain text: what was read, nothing else."""

from __future__ import annotations

from ocrlstm.document import Line

__all__ = ["write"]


def write(line: Line) -> str:
    r"""Return the text of a line.

    Parameters
    ----------
    line : Line
        What was read.

    Returns
    -------
    str
        The text and a newline; only the newline for a blank line.

    Examples
    --------
    >>> write(Line("Fraktur", 0.9))
    'Fraktur\n'
    """
    return f"{line.text}\n"
