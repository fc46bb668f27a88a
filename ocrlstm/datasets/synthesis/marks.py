"""Marks above letters that a font lacks, made of its other characters, as printers made them.

Few fonts of old types have the small e above a vowel or the tilde above any letter. A printer set
them by casting a small sign above the letter; here it is drawn from the font's own e or tilde.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["MadeMark", "split_mark"]


@dataclass(frozen=True)
class MadeMark:
    """How a mark is made.

    Attributes
    ----------
    sources : tuple of str
        Characters to make it of; the first that the font has is taken.
    scale : float
        Its size, in that of the letters.
    """

    sources: tuple[str, ...]
    scale: float = 1.0


#: By combining character. Accents of type have a spacing twin of the same size.
MADE_MARKS: dict[str, MadeMark] = {
    "\u0300": MadeMark(("`", "\u02cb")),
    "\u0301": MadeMark(("\u00b4", "\u02ca")),
    "\u0302": MadeMark(("\u02c6", "^")),
    "\u0303": MadeMark(("\u02dc", "~"), 0.9),
    "\u0304": MadeMark(("\u00af", "\u02c9")),
    "\u0308": MadeMark(("\u00a8",)),
    "\u0363": MadeMark(("a",), 0.55),
    "\u0364": MadeMark(("e",), 0.55),
    "\u0365": MadeMark(("i",), 0.55),
    "\u0366": MadeMark(("o",), 0.55),
    "\u0367": MadeMark(("u",), 0.55),
    "\u036d": MadeMark(("t",), 0.55),
    "\u036e": MadeMark(("v",), 0.55),
}


def split_mark(cluster: str, has: Callable[[str], bool]) -> tuple[str, str, float] | None:
    r"""Take a cluster apart into a letter and a mark to be drawn above it.

    Parameters
    ----------
    cluster : str
        What a reader calls a character.
    has : callable
        Tells whether the font has a character.

    Returns
    -------
    tuple of (str, str, float), or None
        The letter, what to draw above it, and in which size; None if it cannot be made.

    Examples
    --------
    >>> split_mark("a\u0364", str.isascii)
    ('a', 'e', 0.55)
    >>> split_mark("\u1ebd", str.isascii)
    ('e', '~', 0.9)
    >>> split_mark("\u1e5b", str.isascii)
    """
    parts = unicodedata.normalize("NFD", cluster)
    if len(parts) != 2 or not has(parts[0]) or parts[1] not in MADE_MARKS:
        return None
    made = MADE_MARKS[parts[1]]
    for source in made.sources:
        if has(source):
            return parts[0], source, made.scale
    return None
