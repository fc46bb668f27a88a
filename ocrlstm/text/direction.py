"""Logical order (as typed and stored) and visual order (as printed, from left to right).

The network reads an image from left to right, so the labels of a line must follow the printed
order. That is the one of the Unicode bidirectional algorithm (UAX #9) for the base direction of
the line: words of the other direction, and numbers, keep their own.

What cannot be undone
---------------------
Different texts may be printed alike, and then no reader can tell which was typed:

- In a right-to-left line a number and a left-to-right word beside it: "abc 12" and "12 abc" are
  both printed "abc 12", and read as "abc 12". So with two numbers of which only one stands behind
  the word, and so on.
- In a left-to-right line a number beside right-to-left words: "12 אב" is read where "אב 12" may
  have been meant before more text in Latin letters.
- Signs between texts of both directions, such as a full stop behind a Latin word in an Arabic
  line, go with the line.

Nor can be expressed what takes explicit marks: they are dropped from texts (`normalize_text`),
since no ink tells of them. A Hebrew line that was set with "12 km" in this order, where UAX #9
prints "km 12", does not fit its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import regex

from ocrlstm.text.bidi import bidi_class, resolve_levels
from ocrlstm.text.mirroring import mirrored
from ocrlstm.text.visual_levels import read_logically, reorder

__all__ = ["DIRECTIONS", "base_direction", "has_right_to_left", "to_logical", "to_visual"]

DIRECTIONS = ("ltr", "rtl")

_RIGHT_TO_LEFT = regex.compile(r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}\p{Bidi_Class=AN}]")


def base_direction(texts: Iterable[str]) -> str:
    """Guess the direction in which most of the letters of some texts run.

    Parameters
    ----------
    texts : iterable of str
        Lines in logical order.

    Returns
    -------
    {"ltr", "rtl"}
        "rtl" if more characters are strongly right-to-left (classes R and AL) than left-to-right
        (L); "ltr" otherwise, so also where there is no letter at all.

    Examples
    --------
    >>> base_direction(["שלום 2024"])
    'rtl'
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text)
    balance = 0
    for character, count in counts.items():
        kind = bidi_class(character)
        balance += count * ((kind in ("R", "AL")) - (kind == "L"))
    return "rtl" if balance > 0 else "ltr"


def has_right_to_left(text: str) -> bool:
    """Tell whether anything in a text may be printed in another order than it is typed."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def to_visual(units: Sequence[str], direction: str) -> list[str]:
    """Order graphemes as they are printed, from left to right, by UAX #9.

    Brackets and other mirrored characters become those whose shape is seen, since a label stands
    for a shape.

    Parameters
    ----------
    units : sequence of str
        Graphemes in logical order; the first code point of each decides.
    direction : {"ltr", "rtl"}
        Base direction of the line.

    Returns
    -------
    list of str
        As many graphemes.

    Examples
    --------
    >>> "".join(to_visual("אב (1990)", "rtl"))
    '(1990) בא'
    """
    base = _level(direction)
    if base == 0 and not has_right_to_left("".join(units)):
        return list(units)
    levels = resolve_levels(units, base)
    return [mirrored(units[n]) if levels[n] % 2 else units[n] for n in reorder(levels)]


def to_logical(units: Sequence[str], direction: str) -> list[str]:
    """Undo `to_visual`, as far as that can be done.

    Parameters
    ----------
    units : sequence of str
        Graphemes in visual order.
    direction : {"ltr", "rtl"}
        Base direction of the line.

    Returns
    -------
    list of str
        Graphemes in an order that is printed as `units`, if there is one. Of several it is the one
        in which numbers stand in left-to-right text rather than beside it; see the module.

    Examples
    --------
    >>> "".join(to_logical("(1990) בא", "rtl"))
    'אב (1990)'
    """
    base = _level(direction)
    if base == 0 and not has_right_to_left("".join(units)):
        return list(units)
    return read_logically(units, base)


def _level(direction: str) -> int:
    if direction not in DIRECTIONS:
        raise ValueError(f"direction {direction!r} is neither 'ltr' nor 'rtl'")
    return DIRECTIONS.index(direction)
