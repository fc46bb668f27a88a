"""Find the levels of a line that is seen, so that its order can be undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocrlstm.text.bidi import bidi_class, bracket_pairs, resolve_levels
from ocrlstm.text.mirroring import mirrored

__all__ = ["read_logically", "reorder"]

# More rounds than any line needed that was tried.
_MOST_ROUNDS = 8

_LEFT_TO_RIGHT, _RIGHT_TO_LEFT, _DIGITS = {"L"}, {"R", "AL", "AN"}, {"EN", "AN"}


def reorder(levels: Sequence[int]) -> list[int]:
    """Return the places of a line's characters in the order in which they are printed.

    Rule L2 of UAX #9: from the highest level down, runs of at least that level are reversed.

    Parameters
    ----------
    levels : sequence of int
        Of the characters in logical order.

    Returns
    -------
    list of int
        Numbers of characters, from left to right.
    """
    places = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        places = _reverse_runs(places, levels, level)
    return places


def read_logically(units: Sequence[str], base: int) -> list[str]:
    """Return the logical order of a line in visual order.

    Levels are guessed from the classes, the line is put in the order that they mean, the algorithm
    tells the levels of that order, and so on until both agree. Then the result prints as `units`.

    Parameters
    ----------
    units : sequence of str
        Graphemes from left to right.
    base : {0, 1}
        Level of the line.

    Returns
    -------
    list of str
        If no guess leads to an order that prints as `units`, since nothing may do so, that of the
        first guess.
    """
    kinds = [bidi_class(unit) for unit in units]
    brackets = bracket_pairs(kinds, units)
    result = None
    # Numbers go with the words that run from left to right where both are possible.
    for with_numbers in (True, False) if base == 1 else (False, True):
        levels = _guess_levels(kinds, brackets, base, with_numbers)
        for _ in range(_MOST_ROUNDS):
            places = _undo(levels)
            line = [
                mirrored(units[place]) if levels[place] % 2 else units[place] for place in places
            ]
            result = result or line
            found = [0] * len(units)
            for place, level in zip(places, resolve_levels(line, base), strict=True):
                found[place] = level
            if found == levels:
                return line
            levels = found
    return result or []


def _undo(levels: Sequence[int]) -> list[int]:
    """Undo `reorder`, for levels in visual order: the same steps from the last to the first."""
    places = list(range(len(levels)))
    for level in range(1, max(levels, default=0) + 1):
        places = _reverse_runs(places, levels, level)
    return places


def _reverse_runs(places: Sequence[int], levels: Sequence[int], level: int) -> list[int]:
    result: list[int] = []
    run: list[int] = []
    for place in places:
        if levels[place] >= level:
            run.append(place)
        else:
            result += [*reversed(run), place]
            run = []
    return result + run[::-1]


def _guess_levels(
    kinds: Sequence[str], brackets: Sequence[tuple[int, int]], base: int, with_numbers: bool
) -> list[int]:
    """Guess the levels of a line in visual order by the classes of its characters.

    Between two characters of the line's own direction, a run of the other one reaches from the
    first to the last of its characters; European numbers at its ends are in it or not. Brackets
    that began in it end in it: "abc (def)".
    """
    own, other = (_RIGHT_TO_LEFT, _LEFT_TO_RIGHT) if base else (_LEFT_TO_RIGHT, _RIGHT_TO_LEFT)
    ends = other | {"EN"} if with_numbers else other
    levels = [base] * len(kinds)
    for start, end in _stretches(kinds, own):
        if any(kind in other for kind in kinds[start:end]):
            inside = [n for n in range(start, end) if kinds[n] in ends]
            first, last = inside[0], inside[-1]
            # Its text ends on the right if it runs from left to right, else on the left.
            for left, right in brackets:
                if base == 1 and first <= left <= last < right < end:
                    last = right
                elif base == 0 and start <= left < first <= right <= last:
                    first = left
            for n in range(first, last + 1):
                levels[n] = 2 if kinds[n] in _DIGITS else base + 1
    if base:
        return [2 if kind in _DIGITS else level for kind, level in zip(kinds, levels, strict=True)]
    return levels


def _stretches(kinds: Sequence[str], own: set[str]) -> Iterator[tuple[int, int]]:
    """Find what lies between characters of some classes."""
    start = 0
    for n, kind in enumerate(kinds):
        if kind in own:
            yield start, n
            start = n + 1
    yield start, len(kinds)
