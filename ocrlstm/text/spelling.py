"""Characters as messages show them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

__all__ = ["character_name", "code_points", "spell", "spell_all"]

_NAMELESS = {
    "Cc": "control character",
    "Cn": "unassigned code point",
    "Co": "private use character",
    "Cs": "surrogate",
}


def spell(character: str) -> str:
    """Spell a character so that look-alikes and combining marks can be told apart.

    Examples
    --------
    >>> spell("ae")
    "'ae' (U+0061 U+0065)"
    """
    return f"{character!r} ({code_points(character)})"


def code_points(character: str) -> str:
    """Spell the code points of a character.

    Examples
    --------
    >>> code_points("ae")
    'U+0061 U+0065'
    """
    return " ".join(f"U+{ord(code):04X}" for code in character)


def character_name(character: str) -> str:
    r"""Return the Unicode names of the code points of a character.

    Examples
    --------
    >>> character_name("q\u0303")
    'LATIN SMALL LETTER Q + COMBINING TILDE'
    """
    return " + ".join(map(_name, character))


def _name(code: str) -> str:
    # A code point newer than Python's tables has no name there, but is no less a character.
    return unicodedata.name(code, "") or _NAMELESS.get(unicodedata.category(code), "unnamed")


def spell_all(characters: Sequence[str], most: int = 20) -> str:
    """Spell characters one after another; beyond so many a count is more use.

    Examples
    --------
    >>> spell_all("abc", most=2)
    "'a' (U+0061), 'b' (U+0062) and 1 more"
    """
    more = f" and {len(characters) - most} more" if len(characters) > most else ""
    return ", ".join(map(spell, characters[:most])) + more
