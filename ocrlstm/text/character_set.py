r"""Sets of characters as users write them: ``0-9``, ``a-zäöü``, ``\p{Greek}``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from ocrlstm.text.graphemes import graphemes
from ocrlstm.text.spelling import spell

__all__ = ["CharacterSet"]

_CLASSES = {"d": r"\d", "w": r"\w", "s": r"\s"}
# Code points of a character that are looked at; real ones have a handful.
_LONGEST = 32
_PROPERTY = regex.compile(r"[pP]\{[\w =:-]{1,60}\}")


@dataclass(frozen=True)
class CharacterSet:
    r"""Characters, ranges of code points, and Unicode classes.

    Attributes
    ----------
    characters : frozenset of str
        Single characters (graphemes).
    ranges : tuple of (str, str)
        First and last code point.
    classes : tuple of str
        Regular expressions of one code point.

    Examples
    --------
    >>> digits = CharacterSet.parse("0-9.,")
    >>> [digits.holds(c) for c in "7.x"]
    [True, True, False]
    >>> CharacterSet.parse(r"\p{Greek}\-").holds("α")
    True
    """

    characters: frozenset[str] = frozenset()
    ranges: tuple[tuple[str, str], ...] = ()
    classes: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> CharacterSet:
        r"""Read a set from a text.

        ``x-y`` is a range of code points, ``\d`` are digits, ``\w`` letters, marks, digits and
        the underscore, ``\s`` spaces, ``\p{NAME}`` and ``\P{NAME}`` what has a Unicode property or
        script and what has not (``\p{Lu}``, ``\p{Greek}``). A backslash before any other character
        makes it stand for itself, as all others do; so does a hyphen at either end.

        Raises
        ------
        ValueError
            If a range runs backwards or has no single code points at its ends, a class is not
            known, or a backslash stands last.
        """
        characters: set[str] = set()
        ranges: list[tuple[str, str]] = []
        classes: list[str] = []
        tokens = list(_tokens(text))
        place = 0
        while place < len(tokens):
            kind, value = tokens[place]
            place += 1
            if kind == "class":
                classes.append(value)
            elif tokens[place : place + 1] == [("hyphen", "-")] and place + 1 < len(tokens):
                ranges.append(_range(value, *tokens[place + 1]))
                place += 2
            else:
                characters.add(value)
        return cls(frozenset(characters), tuple(ranges), tuple(classes))

    def holds(self, character: str) -> bool:
        """Tell whether a character is in the set, itself or with each of its code points."""
        return character in self.characters or all(self._holds_code(code) for code in character)

    def _holds_code(self, code: str) -> bool:
        return (
            code in self.characters
            or any(first <= code <= last for first, last in self.ranges)
            or any(regex.match(pattern, code) for pattern in self.classes)
        )


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, value): "class", "hyphen" for one that may make a range, or "character"."""
    place = 0
    while place < len(text):
        if text[place] != "\\":
            character = graphemes(text[place : place + _LONGEST])[0]
            yield ("hyphen" if character == "-" else "character"), character
            place += len(character)
            continue
        rest = text[place + 1 :]
        if not rest:
            raise ValueError(f"{text!r} ends in a backslash; write two for a backslash itself")
        found = _PROPERTY.match(rest)
        if found is None and rest[0] in "pP":
            raise ValueError(f"{text!r}: behind \\{rest[0]} a name is expected, as in \\p{{Greek}}")
        if found is not None:
            pattern = "\\" + found.group()
            try:
                regex.compile(pattern)
            except regex.error as error:
                raise ValueError(f"{pattern} is no class of characters that is known") from error
            yield "class", pattern
            place += 1 + len(found.group())
        elif rest[0] in _CLASSES:
            yield "class", _CLASSES[rest[0]]
            place += 2
        else:
            character = graphemes(rest[:_LONGEST])[0]
            yield "character", character
            place += 1 + len(character)


def _range(first: str, kind: str, last: str) -> tuple[str, str]:
    if kind == "class" or len(first) > 1 or len(last) > 1:
        raise ValueError(f"{first}-{last} is no range: its ends are not single code points")
    if first > last:
        raise ValueError(f"{first}-{last} runs from {spell(first)} back to {spell(last)}")
    return first, last
