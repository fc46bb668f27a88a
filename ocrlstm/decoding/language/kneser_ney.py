"""Modified Kneser-Ney smoothing: from the counts of n-grams to their probabilities.

Chen and Goodman, "An Empirical Study of Smoothing Techniques for Language Modeling" (Harvard
TR-10-98, 1998), section 3, interpolated. The probability of symbol w after the context h is

    p(w | h) = (c(hw) - D(c(hw))) / sum_v c(hv) + g(h) p(w | h')

where h' is h without its first symbol, c counts an n-gram of full length by its occurrences and a
shorter one by the different symbols that stand before it, D is one of three discounts of its
length, for counts of 1, 2, and more, and g(h) is what the discounts leave. Below the single symbols
all V symbols are alike, 1 / V.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.language.counts import NgramCounts

__all__ = ["Level", "estimate"]

# Where the counts of counts are none of a language (a tiny text, or the few letters of an alphabet)
# these stand in; the values of Heafield et al., "Scalable Modified Kneser-Ney Language Model
# Estimation", ACL 2013.
_FALL_BACK = (0.5, 1.0, 1.5)

# Shorter n-grams are always kept: they are few, and all others lean on them.
_SHORTEST_PRUNED = 3


@dataclass(frozen=True, eq=False)
class Level:
    """The n-grams of one length in a model.

    Attributes
    ----------
    keys : ndarray (K,) of uint64
        Packed as in `NgramCounts`, sorted.
    probabilities : ndarray (K,) of float64
        Of the last symbol after the others.
    left : ndarray of float64
        Of each n-gram of the level below, in its order: the share that goes to the probabilities
        after the shorter context.
    """

    keys: NDArray[np.uint64]
    probabilities: NDArray[np.float64]
    left: NDArray[np.float64]


def estimate(counts: NgramCounts, symbols: int, prune: int = 0) -> list[Level]:
    """Estimate the probabilities of all n-grams up to the length of those counted.

    Parameters
    ----------
    counts : NgramCounts
        Of the whole text.
    symbols : int
        V, all that may occur; those that do not still have a probability.
    prune : int
        N-grams of three symbols and more that occur so often or less are left out; their
        probability goes to the shorter contexts.

    Returns
    -------
    list of Level
        For the lengths 1, 2, ...; each n-gram's beginning and its end are there too.
    """
    bits = np.uint64(counts.bits)
    # For each length, how often an n-gram occurs, and what Kneser and Ney count of it.
    occurrences, counted = [counts], [counts.counts]
    while occurrences[0].order > 1:
        shorter_counts, varieties = occurrences[0].suffixes()
        occurrences.insert(0, shorter_counts)
        counted.insert(0, varieties)
    kept = _choose(occurrences, symbols, prune)
    levels: list[Level] = []
    below_keys, below = np.zeros(1, np.uint64), np.full(1, 1 / symbols)
    for seen, number, keys in zip(occurrences, counted, kept, strict=True):
        discounted = number - _discounts(number)[np.minimum(number, 3)]
        contexts = np.searchsorted(below_keys, keys >> bits)
        totals = _sum_by(below_keys, seen.keys >> bits, number)
        shares = _look_up(keys, seen.keys, discounted)
        # A context that begins no n-gram has nothing to share out.
        shares /= np.maximum(totals[contexts], 1)
        left = np.maximum(1 - np.bincount(contexts, shares, len(below_keys)), 0)
        left[totals == 0] = 1
        suffixes = keys & np.uint64((1 << seen.bits * (seen.order - 1)) - 1)
        shorter = below[np.searchsorted(below_keys, suffixes)]
        probabilities = shares + left[contexts] * shorter
        levels.append(Level(keys, probabilities, left))
        below_keys, below = keys, probabilities
    return levels


def _choose(occurrences: list[NgramCounts], symbols: int, prune: int) -> list[NDArray[np.uint64]]:
    """Return the n-grams of each length that the model has."""
    kept: list[NDArray[np.uint64]] = []
    needed = np.zeros(0, np.uint64)
    for seen in reversed(occurrences):
        if seen.order == 1:
            keys = np.arange(symbols, dtype=np.uint64)
        else:
            often = seen.counts > (prune if seen.order >= _SHORTEST_PRUNED else 0)
            keys = np.union1d(seen.keys[often], needed)
        kept.insert(0, keys)
        mask = np.uint64((1 << seen.bits * (seen.order - 1)) - 1)
        needed = np.union1d(keys >> np.uint64(seen.bits), keys & mask)
    return kept


def _discounts(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the discounts of the counts 0, 1, 2, and of more (Chen and Goodman, equation 17)."""
    once, twice, thrice, four = (int((counts == number).sum()) for number in (1, 2, 3, 4))
    if min(once, twice, thrice, four):
        share = once / (once + 2 * twice)
        found = (
            1 - 2 * share * twice / once,
            2 - 3 * share * thrice / twice,
            3 - 4 * share * four / thrice,
        )
        if all(0 < discount < number for number, discount in enumerate(found, 1)):
            return np.array([0, *found])
    return np.array([0, *_FALL_BACK])


def _sum_by(
    keys: NDArray[np.uint64], of: NDArray[np.uint64], values: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Sum values by the key that each belongs to; those of keys that are not there are dropped."""
    places = np.minimum(np.searchsorted(keys, of), len(keys) - 1)
    sums = np.bincount(places, np.where(keys[places] == of, values, 0), len(keys))
    return sums.astype(np.float64)


def _look_up(
    wanted: NDArray[np.uint64], keys: NDArray[np.uint64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the values of some keys, 0 for those that are not there."""
    if not len(keys):
        return np.zeros(len(wanted))
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0.0)
