"""Find the levels of a line that is seen, so that its order can be undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, product

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
        If no guess leads to an order that prints as `units`, mostly since nothing does, that of
        the first guess.
    """
    result = None
    for levels in _guesses(units, base):
        for _ in range(_MOST_ROUNDS):
            places = _undo(levels)
            line = [mirrored(units[n]) if levels[n] % 2 else units[n] for n in places]
            result = result or line
            found = [0] * len(units)
            for place, level in zip(places, resolve_levels(line, base), strict=True):
                found[place] = level
            if found == levels:
                return line
            levels = found
    return result or []


def _guesses(units: Sequence[str], base: int) -> Iterator[list[int]]:
    """Guess the levels of a line in visual order, the likeliest first."""
    kinds = [bidi_class(unit) for unit in units]
    pairs = bracket_pairs(kinds, units)
    # Numbers go with the words that run from left to right where both are possible, and brackets
    # are kept together.
    for with_numbers, brackets in product((True, False) if base else (False, True), (pairs, [])):
        yield _guess_levels(kinds, brackets, base, with_numbers)
    # As if it were in logical order: runs are turned in themselves, but many stay where they are.
    if base == 0:
        yield resolve_levels(units, base)
    else:
        yield resolve_levels([mirrored(unit) for unit in reversed(units)], base)[::-1]


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
    """Guess the levels of a line in visual order by the classes of its characters."""
    levels = [2 if base == 1 and kind in _DIGITS else base for kind in kinds]
    # Runs of the other direction are looked for in that direction.
    if base == 1:
        runs = _foreign_runs(kinds, brackets, base, with_numbers)
    else:
        last = len(kinds) - 1
        turned = [(last - right, last - left) for left, right in brackets]
        runs = [
            range(last - run.stop + 1, last - run.start + 1)
            for run in _foreign_runs(kinds[::-1], turned, base, with_numbers)
        ]
    for run in runs:
        for n in run:
            levels[n] = 2 if kinds[n] in _DIGITS else base + 1
    return levels


def _foreign_runs(
    kinds: Sequence[str], brackets: Sequence[tuple[int, int]], base: int, with_numbers: bool
) -> list[range]:
    """Find the runs of the direction that is not the line's.

    Between two characters of the line's own direction, a run reaches from the first to the last of
    the other one; European numbers at its ends are in it or not. Brackets that began in it end in
    it, as in "abc (def)". It does not go on past brackets that began before it, or that hold a
    character of the line's own direction.
    """
    own, other = (_RIGHT_TO_LEFT, _LEFT_TO_RIGHT) if base else (_LEFT_TO_RIGHT, _RIGHT_TO_LEFT)
    ends = other | {"EN"} if with_numbers else other
    beginnings = {end: beginning for beginning, end in brackets}
    before = list(accumulate((kind in own for kind in kinds), initial=0))
    around_own = {n for pair in brackets if before[pair[0]] < before[pair[1]] for n in pair}
    runs: list[range] = []
    first = last = -1
    for n, kind in enumerate(kinds):
        beginning = beginnings.get(n, n)
        if kind in own or beginning < first or n in around_own:
            runs.append(range(first, last + 1))
            first = last = -1
        elif kind in ends or (first <= beginning <= last and n in beginnings):
            first, last = (n, n) if first < 0 else (first, n)
    runs.append(range(first, last + 1))
    return [run for run in runs if run.start >= 0 and any(kinds[n] in other for n in run)]
