"""Which script a character belongs to."""

from __future__ import annotations

from functools import lru_cache

import regex

__all__ = ["script_of"]

# Scripts of the Unicode standard that lines of text are likely to be in; the `regex` module knows
# what belongs to each.
_SCRIPTS = (
    "Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Nko Devanagari Bengali Gurmukhi "
    "Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian "
    "Hangul Ethiopic Cherokee Canadian_Aboriginal Ogham Runic Khmer Mongolian Hiragana Katakana "
    "Bopomofo Han Yi Old_Italic Gothic Coptic Glagolitic Tifinagh Samaritan Javanese Balinese "
    "Phoenician Cuneiform Egyptian_Hieroglyphs Common Inherited"
).split()

_PATTERN = regex.compile(
    "|".join(rf"(?P<{script}>\p{{Script={script}}})" for script in _SCRIPTS), regex.V1
)


@lru_cache(maxsize=65536)
def script_of(character: str) -> str:
    r"""Return the script of a character.

    Parameters
    ----------
    character : str
        A code point, or a grapheme, whose first code point decides.

    Returns
    -------
    str
        The long name of Unicode's property Script (UAX #24), such as "Latin" or "Greek"; "Common"
        for digits, punctuation and others that many scripts share, "Inherited" for most combining
        marks, "Other" for rare scripts, unassigned code points and the empty string.

    Examples
    --------
    >>> [script_of(character) for character in "aа1"]
    ['Latin', 'Cyrillic', 'Common']
    """
    match = _PATTERN.match(character)
    return match.lastgroup if match else "Other"
