"""Characters that are mirrored in right-to-left text, and brackets that belong together."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

__all__ = ["closing_of", "mirrored", "opening_of"]

# Words in the names of characters that tell the two of a pair apart.
_SIDES = {
    "LEFT": "RIGHT",
    "LESS-THAN": "GREATER-THAN",
    "SUBSET": "SUPERSET",
    "PRECEDES": "SUCCEEDS",
    "GYON": "GYAS",
}
_OTHER_SIDE = {**_SIDES, **{right: left for left, right in _SIDES.items()}}
_SIDE = re.compile("|".join(_OTHER_SIDE))
# The two pairs of canonical equivalents that count as one another (UAX #9, BD16).
_EQUAL = {"\u2329": "\u3008", "\u232a": "\u3009"}


@lru_cache(maxsize=4096)
def mirrored(character: str) -> str:
    """Return what a character looks like in right-to-left text.

    Parameters
    ----------
    character : str
        A grapheme.

    Returns
    -------
    str
        The character of the mirrored shape, by property Bidi_Mirrored of the first code point and
        by the names of the Unicode standard; `character` itself if it is not mirrored or Unicode
        has no character of that shape.

    Examples
    --------
    >>> mirrored("("), mirrored("»"), mirrored("a")
    (')', '«', 'a')
    """
    first = character[:1]
    if not first or not unicodedata.mirrored(first):
        return character
    name = unicodedata.name(first, "")
    try:
        other = unicodedata.lookup(_SIDE.sub(lambda side: _OTHER_SIDE[side.group()], name))
    except KeyError:
        return character
    return other + character[1:]


def closing_of(opening: str) -> str:
    """Return the closing bracket that belongs to an opening one, "" for any other character.

    Property Bidi_Paired_Bracket of the Unicode standard: of the characters that are mirrored, those
    of the categories Ps and Pe.
    """
    return _partner(opening, "Ps")


def opening_of(closing: str) -> str:
    """Return the opening bracket that belongs to a closing one, "" for any other character."""
    return _partner(closing, "Pe")


@lru_cache(maxsize=4096)
def _partner(character: str, category: str) -> str:
    if unicodedata.category(character) != category or not unicodedata.mirrored(character):
        return ""
    partner = mirrored(character)
    return "" if partner == character else _EQUAL.get(partner, partner)
