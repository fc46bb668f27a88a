"""What was read as what, with the characters around it and an example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

__all__ = ["Confusion", "Context", "find_confusions"]

# Characters shown on each side, and contexts kept of each confusion.
_AROUND = 4
_CONTEXTS = 3


@dataclass(frozen=True)
class Context:
    """Where a confusion occurs.

    Attributes
    ----------
    before, after : str
        At most four characters of the ground truth on either side.
    count : int
        How often there.
    name : str
        The first line with it.
    """

    before: str
    after: str
    count: int
    name: str


@dataclass(frozen=True)
class Confusion:
    """A stretch of text that was read as another.

    Attributes
    ----------
    truth, read : str
        What stands there and what was read, up to the next character that is right on either side:
        "rn" read as "m" is one confusion. "" for nothing.
    count : int
        How often.
    contexts : tuple of Context
        The three most common, most common first.
    """

    truth: str
    read: str
    count: int
    contexts: tuple[Context, ...]


def find_confusions(lines: Iterable[tuple[str, str, str]]) -> tuple[Confusion, ...]:
    """Gather the confusions of all lines, in one cheapest alignment of each.

    Parameters
    ----------
    lines : iterable of (str, str, str)
        Name, ground truth and what was read, both normalised.

    Returns
    -------
    tuple of Confusion
        Most common first, equally common ones by what stands there.

    Examples
    --------
    >>> (one,) = find_confusions([("1.png", "a corner", "a comer"), ("2.png", "a born", "a bom")])
    >>> one.truth, one.read, one.count, one.contexts[0].before, one.contexts[0].after
    ('rn', 'm', 2, 'a co', 'er')
    """
    contexts: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    names: dict[tuple[str, str, str, str], str] = {}
    for name, truth, prediction in lines:
        for start, end, read in _wrong_stretches(truth, prediction):
            stands = truth[start:end]
            before, after = truth[max(start - _AROUND, 0) : start], truth[end : end + _AROUND]
            contexts.setdefault((stands, read), Counter())[before, after] += 1
            names.setdefault((stands, read, before, after), name)
    found = [
        Confusion(
            stands,
            read,
            sum(around.values()),
            tuple(
                Context(before, after, count, names[stands, read, before, after])
                for (before, after), count in around.most_common(_CONTEXTS)
            ),
        )
        for (stands, read), around in contexts.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.count, one.truth, one.read)))


def _wrong_stretches(truth: str, prediction: str) -> Iterator[tuple[int, int, str]]:
    """Yield where in the truth each wrong stretch begins and ends, and what was read for it."""
    begin: tuple[int, int] | None = None
    for code in Levenshtein.opcodes(truth, prediction):
        if code.tag == "equal":
            if begin is not None:
                yield begin[0], code.src_start, prediction[begin[1] : code.dest_start]
            begin = None
        elif begin is None:
            begin = code.src_start, code.dest_start
    if begin is not None:
        yield begin[0], len(truth), prediction[begin[1] :]
