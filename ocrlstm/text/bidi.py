"""The Unicode bidirectional algorithm (UAX #9) for a line whose base direction is known.

Names of rules are those of the standard. Explicit marks (rules X1 to X8) are not heeded: text has
none of them when it comes here, see `normalize_text`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from ocrlstm.text.mirroring import closing_of, opening_of

__all__ = ["bidi_class", "bracket_pairs", "resolve_levels"]

# What leaves no trace in the order of the rest (rule X9), marks that are not heeded among it.
_IGNORED = frozenset("BN LRE RLE LRO RLO PDF LRI RLI FSI PDI".split())
_NEUTRAL = frozenset("B S WS ON".split())
# As many opening brackets wait for their closing ones at most (definition BD16).
_MOST_OPEN = 63


@lru_cache(maxsize=65536)
def bidi_class(character: str) -> str:
    """Return the property Bidi_Class of the first code point of a character."""
    # Code points that Python's tables do not know run from left to right, as most of them do.
    return unicodedata.bidirectional(character[:1]) or "L"


def resolve_levels(units: Sequence[str], base: int) -> list[int]:
    """Return the embedding level of each character of a line.

    Parameters
    ----------
    units : sequence of str
        Graphemes in logical order; the first code point of each decides.
    base : {0, 1}
        Level of the line: 0 runs from left to right, 1 from right to left.

    Returns
    -------
    list of int
        0, 1 or 2; odd levels run from right to left.
    """
    original = [bidi_class(unit) for unit in units]
    places = [n for n, kind in enumerate(original) if kind not in _IGNORED]
    kinds = [original[place] for place in places]
    embedding = "LR"[base]
    _resolve_weak(kinds, embedding)
    _resolve_brackets(kinds, [units[place] for place in places], embedding)
    _resolve_neutral(kinds, embedding)
    levels = [base] * len(units)
    for place, kind in zip(places, kinds, strict=True):
        levels[place] = _level(kind, base)
    _level_ignored(levels, original, base)
    _level_white_space(levels, original, base)
    return levels


def _resolve_weak(kinds: list[str], embedding: str) -> None:
    """Rules W1 to W7: marks, numbers and what stands in and beside them."""
    before = embedding
    for n, kind in enumerate(kinds):
        if kind == "NSM":
            kinds[n] = before
        before = kinds[n]
    strong = embedding
    for n, kind in enumerate(kinds):
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kinds[n] = "AN"
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]
    for n in range(1, len(kinds) - 1):
        left, kind, right = kinds[n - 1 : n + 2]
        between = left == right and (left == "EN" or (left == "AN" and kind == "CS"))
        if kind in ("ES", "CS") and between:
            kinds[n] = left
    _resolve_terminators(kinds)
    kinds[:] = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in kinds]
    strong = embedding
    for n, kind in enumerate(kinds):
        if kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[n] = "L"


def _resolve_terminators(kinds: list[str]) -> None:
    """Rule W5: signs such as % belong to the European number that they touch."""
    for n in range(1, len(kinds)):
        if kinds[n] == "ET" and kinds[n - 1] == "EN":
            kinds[n] = "EN"
    for n in range(len(kinds) - 2, -1, -1):
        if kinds[n] == "ET" and kinds[n + 1] == "EN":
            kinds[n] = "EN"


def _resolve_brackets(kinds: list[str], units: Sequence[str], embedding: str) -> None:
    """Rule N0: both brackets of a pair run as what is in them, or as what is before them."""
    before, seen = embedding, 0
    for start, end in bracket_pairs(kinds, units):
        for kind in kinds[seen:start]:
            before = _strong(kind) or before
        seen = start
        inside = {_strong(kind) for kind in kinds[start + 1 : end]} - {""}
        if not inside:
            continue
        direction = embedding if embedding in inside else before
        kinds[start] = kinds[end] = direction
        for place in (start, end):
            for n in range(place + 1, len(kinds)):
                if bidi_class(units[n]) != "NSM":
                    break
                kinds[n] = direction


def bracket_pairs(kinds: Sequence[str], units: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of brackets of a line, sorted by their beginnings (definition BD16).

    Parameters
    ----------
    kinds : sequence of str
        Classes of the characters; brackets of another class than "ON" do not count.
    units : sequence of str
        The characters.
    """
    waiting: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for n, unit in enumerate(units):
        if kinds[n] != "ON":
            continue
        if closing := closing_of(unit[:1]):
            if len(waiting) == _MOST_OPEN:
                return []
            waiting.append((closing, n))
        elif opening_of(unit[:1]):
            same = closing_of(opening_of(unit[:1]))
            for k in range(len(waiting) - 1, -1, -1):
                if waiting[k][0] == same:
                    pairs.append((waiting[k][1], n))
                    del waiting[k:]
                    break
    return sorted(pairs)


def _strong(kind: str) -> str:
    """Return the direction of a class after rules W1 to W7, or ""; numbers count as R."""
    return "R" if kind in ("R", "EN", "AN") else "L" if kind == "L" else ""


def _resolve_neutral(kinds: list[str], embedding: str) -> None:
    """Rules N1 and N2: what has no direction takes that of its neighbours, if both agree."""
    n = 0
    while n < len(kinds):
        start = n
        while n < len(kinds) and kinds[n] in _NEUTRAL:
            n += 1
        if n > start:
            before = _strong(kinds[start - 1]) if start > 0 else embedding
            after = _strong(kinds[n]) if n < len(kinds) else embedding
            kinds[start:n] = [before if before == after else embedding] * (n - start)
        n += 1


def _level(kind: str, base: int) -> int:
    """Rules I1 and I2."""
    if base == 0:
        return {"L": 0, "R": 1}.get(kind, 2)
    return 1 if kind == "R" else 2


def _level_ignored(levels: list[int], original: Sequence[str], base: int) -> None:
    """Let what rule X9 takes out go with what stands before it."""
    before = base
    for n, kind in enumerate(original):
        if kind in _IGNORED:
            levels[n] = before
        before = levels[n]


def _level_white_space(levels: list[int], original: Sequence[str], base: int) -> None:
    """Rule L1: separators, and white space before them and at the end, run as the line does."""
    at_end = True
    for n in range(len(levels) - 1, -1, -1):
        if original[n] in ("B", "S"):
            at_end = True
            levels[n] = base
        elif original[n] == "WS" or original[n] in _IGNORED:
            if at_end:
                levels[n] = base
        else:
            at_end = False
