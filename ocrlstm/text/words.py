r"""Words: the longest runs of letters, marks, digits and underscores (``\w`` of UTS #18)."""

from __future__ import annotations

import regex

__all__ = ["find_words", "is_word_character"]

_WORD = regex.compile(r"\w+")
_CHARACTER = regex.compile(r"\w")


def find_words(text: str) -> list[str]:
    """Return the words of a text, in order.

    Examples
    --------
    >>> find_words("Don’t, said 3 men.")
    ['Don', 't', 'said', '3', 'men']
    """
    return _WORD.findall(text)


def is_word_character(character: str) -> bool:
    """Tell whether a character (its first code point) belongs to a word."""
    return _CHARACTER.match(character) is not None
