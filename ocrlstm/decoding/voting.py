"""Voting: what several models read of one line becomes one reading.

Where all readings agree there is nothing to decide. Elsewhere each stretch between two agreements
may be spelled as any of the models read it, and that spelling is taken which makes the whole text
most probable to all models together: the sum over the models of the logarithm of its CTC
probability (a product of experts, Hinton 1999). So a model is heard also where its own best reading
is another one, and a model that is not sure does not outvote one that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from ocrlstm.losses import LOSSES
from ocrlstm.text import Codec

__all__ = ["Choice", "Voter", "vote"]

# After the first pass over the stretches nearly all stay as they are.
_MOST_PASSES = 3
# For a text that does not fit into a voter's frames; worse than any that does.
_IMPOSSIBLE = -1e6
# How likely a voter thinks it that a character is one it does not know.
_UNKNOWN = 0.01


@dataclass(frozen=True, eq=False)
class Voter:
    """What one model makes of a line.

    Attributes
    ----------
    log_posteriors : ndarray of shape (T, C)
        Logarithms of the posteriors, one row a frame; class 0 is the blank.
    codec : Codec
        With C labels.
    reading : sequence of str
        The characters it reads, as `codec` spells them, in the order of the image.
    """

    log_posteriors: NDArray[np.floating]
    codec: Codec
    reading: Sequence[str]

    def log_probability(self, characters: Sequence[str]) -> float:
        """Return the logarithm of the CTC probability of some characters.

        For one that the codec lacks any character will do, at a hundredth of its probability: the
        voter cannot tell which it is, only that one stands there.
        """
        index, posteriors = self._with_unknown
        labels = np.array([index.get(c, len(index)) for c in characters], np.int64)
        losses, _ = LOSSES["ctc"](posteriors[:, None], np.array([len(posteriors)]), [labels])
        return max(-float(losses[0]), _IMPOSSIBLE)

    @cached_property
    def _with_unknown(self) -> tuple[dict[str, int], NDArray[np.floating]]:
        """The label of each character, and the posteriors with a column for any other one."""
        index = {label: number for number, label in enumerate(self.codec.labels)}
        some = np.maximum(-np.expm1(self.log_posteriors[:, :1]), np.finfo(np.float32).tiny)
        return index, np.hstack((self.log_posteriors, np.log(_UNKNOWN * some)))


@dataclass(frozen=True)
class Choice:
    """A character of the common reading.

    Attributes
    ----------
    text : str
    places : tuple of (int, int)
        Who read it, as number of the voter and place in its reading; the voter whose whole reading
        is the most probable comes first if it is among them.
    """

    text: str
    places: tuple[tuple[int, int], ...]


# One stretch: for each voter the first and the end of what it read there.
_Stretch = tuple[tuple[int, int], ...]


def vote(voters: Sequence[Voter]) -> list[Choice]:
    """Agree on one reading.

    Parameters
    ----------
    voters : sequence of Voter
        At least one; their frames need not be as many or stand in the same places.

    Returns
    -------
    list of Choice
        In the order of the image; every character is one that a voter read in that place.
    """
    readings = [tuple(voter.reading) for voter in voters]
    distinct = list(dict.fromkeys(readings))
    score = _remembering(voters)
    best = max(distinct, key=score) if len(distinct) > 1 else distinct[0]
    leader = readings.index(best)
    stretches = [part for whole in _stretches(readings, leader) for part in _split(whole)]
    spellings = [
        [readings[k][first:end] for k, (first, end) in enumerate(stretch)] for stretch in stretches
    ]
    chosen = [spelling[leader] for spelling in spellings]
    _improve(chosen, spellings, score)
    order = [leader, *(k for k in range(len(voters)) if k != leader)]
    choices = []
    for stretch, spelling, characters in zip(stretches, spellings, chosen, strict=True):
        readers = [k for k in order if spelling[k] == characters]
        for offset, character in enumerate(characters):
            places = tuple((k, stretch[k][0] + offset) for k in readers)
            choices.append(Choice(character, places))
    return choices


def _improve(
    chosen: list[tuple[str, ...]],
    spellings: Sequence[Sequence[tuple[str, ...]]],
    score: Callable[[tuple[str, ...]], float],
) -> None:
    """Try in each stretch what others read there, until no single change is for the better."""

    def joined(place: int, spelling: tuple[str, ...]) -> tuple[str, ...]:
        parts = [*chosen[:place], spelling, *chosen[place + 1 :]]
        return tuple(character for part in parts for character in part)

    disputed = [place for place, each in enumerate(spellings) if len(set(each)) > 1]
    for _ in range(_MOST_PASSES):
        changed = False
        for place in disputed:
            candidates = [chosen[place], *dict.fromkeys(spellings[place])]
            best = max(candidates, key=lambda spelling: score(joined(place, spelling)))
            changed |= best != chosen[place]
            chosen[place] = best
        if not changed:
            return


def _remembering(voters: Sequence[Voter]) -> Callable[[tuple[str, ...]], float]:
    """Return the sum of the voters' log-probabilities, which remembers what it was asked."""
    known: dict[tuple[str, ...], float] = {}

    def score(characters: tuple[str, ...]) -> float:
        if characters not in known:
            known[characters] = sum(voter.log_probability(characters) for voter in voters)
        return known[characters]

    return score


def _stretches(readings: Sequence[tuple[str, ...]], leader: int) -> Iterator[_Stretch]:
    """Part the readings where all agree with the leader; agreements are stretches of their own."""
    leading = readings[leader]
    matched = np.stack([_matches(leading, reading) for reading in readings])
    done = [0] * len(readings)
    for position in np.flatnonzero((matched >= 0).all(axis=0)):
        here = matched[:, position].tolist()
        if done != here:
            yield tuple(zip(done, here, strict=True))
        done = [place + 1 for place in here]
        yield tuple(zip(here, done, strict=True))
    ends = [len(reading) for reading in readings]
    if done != ends:
        yield tuple(zip(done, ends, strict=True))


def _split(stretch: _Stretch) -> Iterator[_Stretch]:
    """Part a stretch of which all read as many characters: each is then decided by itself."""
    lengths = {end - first for first, end in stretch}
    if len(lengths) > 1:
        yield stretch
        return
    for offset in range(lengths.pop()):
        yield tuple((first + offset, first + offset + 1) for first, _ in stretch)


def _matches(one: tuple[str, ...], other: tuple[str, ...]) -> NDArray[np.int64]:
    """Return for each character of `one` its place in `other`, or -1 (a cheapest alignment)."""
    places = np.full(len(one), -1)
    for block in Levenshtein.opcodes(one, other):
        if block.tag == "equal":
            places[block.src_start : block.src_end] = range(block.dest_start, block.dest_end)
    return places
