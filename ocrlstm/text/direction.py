"""Logical order (as typed and stored) and visual order (as printed, from left to right).

The network reads an image from left to right, so the labels of a right-to-left line must follow
the printed order. The Unicode bidirectional algorithm (UAX #9) cannot serve as it stands: after a
Hebrew word it prints "abc 12" and "12 abc" alike, so it cannot be undone. Here is a smaller rule
set that can be undone, and that prints ordinary lines as the algorithm does; `to_visual` names the
exceptions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

__all__ = ["DIRECTIONS", "base_direction", "to_logical", "to_visual"]

DIRECTIONS = ("ltr", "rtl")

# Bidirectional classes of UAX #9 as single letters; every other class is neutral, "O".
_KINDS = {"L": "L", "R": "R", "AL": "A", "EN": "N", "AN": "N", "ES": "S", "CS": "C", "ET": "T"}

_BETWEEN_RIGHT_TO_LEFT = re.compile(r"[^RA]+")
# A number, the separators inside it (rule W4) and the signs next to it (rule W5). Beside Arabic
# letters European digits become Arabic ones (rule W2), to which signs and + - do not belong.
_NUMBER = re.compile(r"T*N[NT]*(?:[SC]T*N[NT]*)*")
_ARABIC_NUMBER = re.compile(r"N+(?:CN+)*")
_LETTERS_OR_NUMBER = re.compile(r"T*[LN][LNT]*")

_OPENING, _CLOSING = "([{<«‹⟨", ")]}>»›⟩"
_MIRRORED = dict(zip(_OPENING + _CLOSING, _CLOSING + _OPENING, strict=True))


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
    balance = 0
    for text in texts:
        for character in text:
            kind = _KINDS.get(unicodedata.bidirectional(character), "O")
            balance += (kind in "RA") - (kind == "L")
    return "rtl" if balance > 0 else "ltr"


def to_visual(units: Sequence[str], direction: str) -> list[str]:
    """Order graphemes as they are printed, from left to right.

    For "rtl" the whole line is reversed, except that left-to-right runs keep their order inside.
    Between two right-to-left letters such a run is the stretch from the first to the last
    left-to-right letter or number, if there is a letter in it, and else each number by itself.
    Brackets outside the runs are mirrored, since a label stands for the shape that is seen.

    It departs from UAX #9 in these: a number before a left-to-right word stays to the left of it
    ("12 km"), a sign that touches such a word stays with it ("C#"), brackets are not paired across
    the end of a run, a line with any Arabic letter counts as Arabic in all its numbers, and
    explicit marks are not heeded.

    Parameters
    ----------
    units : sequence of str
        Graphemes in logical order; the first code point of each decides.
    direction : {"ltr", "rtl"}
        Base direction of the line; "ltr" changes nothing, even where a right-to-left word occurs.

    Returns
    -------
    list of str
        As many graphemes; `to_logical` brings back `units`.

    Examples
    --------
    >>> "".join(to_visual("אב 1990", "rtl"))
    '1990 בא'
    """
    _check(direction)
    return list(units) if direction == "ltr" else _reverse_around_runs(units)


def to_logical(units: Sequence[str], direction: str) -> list[str]:
    """Undo `to_visual`.

    Parameters
    ----------
    units : sequence of str
        Graphemes in visual order.
    direction : {"ltr", "rtl"}
        Base direction of the line.

    Returns
    -------
    list of str
        Graphemes in logical order.
    """
    # Both ends of a run are treated alike, so it does not matter which neighbour comes to stand at
    # which end: the same runs are found again, and the same step goes back.
    return to_visual(units, direction)


def _reverse_around_runs(units: Sequence[str]) -> list[str]:
    """Reverse a line, its brackets mirrored, but not the inside of its left-to-right runs."""
    pieces: list[Sequence[str]] = []
    done = 0
    for start, end in _left_to_right_runs(units):
        pieces += [[_MIRRORED.get(unit, unit)] for unit in units[done:start]]
        pieces.append(units[start:end])
        done = end
    pieces += [[_MIRRORED.get(unit, unit)] for unit in units[done:]]
    return [unit for piece in reversed(pieces) for unit in piece]


def _left_to_right_runs(units: Sequence[str]) -> list[tuple[int, int]]:
    """Return (start, end) of the runs that keep their order in a right-to-left line."""
    kinds = "".join(_KINDS.get(unicodedata.bidirectional(unit[0]), "O") for unit in units)
    number = _ARABIC_NUMBER if "A" in kinds else _NUMBER
    runs: list[tuple[int, int]] = []
    for span in _BETWEEN_RIGHT_TO_LEFT.finditer(kinds):
        if "L" in span.group():
            pieces = [match.span() for match in _LETTERS_OR_NUMBER.finditer(kinds, *span.span())]
            runs.append((pieces[0][0], pieces[-1][1]))
        else:
            runs += [match.span() for match in number.finditer(kinds, *span.span())]
    return runs


def _check(direction: str) -> None:
    if direction not in DIRECTIONS:
        raise ValueError(f"direction {direction!r} is neither 'ltr' nor 'rtl'")
