"""Count n-grams by sorting them, each packed into one 64-bit number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["NgramCounts", "bits_of", "count_ngrams", "leave_out", "pack_ngrams"]

_WORD = 64


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """How often each n-gram occurs.

    Attributes
    ----------
    order : int
        Symbols in an n-gram.
    bits : int
        Bits of a symbol.
    keys : ndarray (K,) of uint64
        The n-grams, sorted, each once; the first symbol is in the highest bits.
    counts : ndarray (K,) of int64
    """

    order: int
    bits: int
    keys: NDArray[np.uint64]
    counts: NDArray[np.int64]

    def suffixes(self) -> tuple[NgramCounts, NDArray[np.int64]]:
        """Leave out the first symbol of every n-gram.

        Returns
        -------
        counts : NgramCounts
            Of the n-grams of one symbol less: how often each occurs behind any symbol.
        varieties : ndarray of int64
            How many different symbols stand before each.
        """
        suffixes = self.keys & np.uint64((1 << self.bits * (self.order - 1)) - 1)
        order = np.argsort(suffixes, kind="stable")
        suffixes = suffixes[order]
        starts = _starts(suffixes)
        varieties = np.diff(np.append(starts, len(suffixes)))
        counts = _sums(self.counts[order], starts)
        return NgramCounts(self.order - 1, self.bits, suffixes[starts], counts), varieties


def bits_of(symbols: int) -> int:
    """Return the bits that a symbol needs, of so many."""
    return max(1, (symbols - 1).bit_length())


def pack_ngrams(symbols: NDArray[np.uint16], order: int, bits: int) -> NDArray[np.uint64]:
    """Return the packed n-grams of a text, shape (max(0, L - order + 1),), in its order.

    Parameters
    ----------
    symbols : ndarray (L,) of uint16
    order : int
        Length of the n-grams; ``order * bits`` is 64 at most.
    bits : int
        Bits of a symbol.
    """
    if order * bits > _WORD:
        raise ValueError(f"{order} symbols of {bits} bits do not fit into {_WORD} bits")
    keys = np.zeros(max(0, len(symbols) - order + 1), np.uint64)
    for offset in range(order):
        keys <<= np.uint64(bits)
        keys |= symbols[offset : offset + len(keys)]
    return keys


def count_ngrams(blocks: Iterable[NDArray[np.uint16]], order: int, bits: int) -> NgramCounts:
    """Count the n-grams of a text that comes in blocks.

    Parameters
    ----------
    blocks : iterable of ndarray of uint16
        Each but the first begins with the ``order - 1`` last symbols of the one before.
    order, bits : int
        As for `pack_ngrams`.

    Returns
    -------
    NgramCounts
    """
    total = NgramCounts(order, bits, np.zeros(0, np.uint64), np.zeros(0, np.int64))
    for block in blocks:
        keys, counts = np.unique(pack_ngrams(block, order, bits), return_counts=True)
        total = _merge(total, keys, counts)
    return total


def leave_out(counts: NgramCounts, keys: NDArray[np.uint64]) -> NgramCounts:
    """Take n-grams that were counted out of the counts again.

    Parameters
    ----------
    counts : NgramCounts
    keys : ndarray of uint64
        From `pack_ngrams`; as often as they shall be taken out.
    """
    rest = _merge(counts, keys, np.full(len(keys), -1))
    left = rest.counts > 0
    return NgramCounts(counts.order, counts.bits, rest.keys[left], rest.counts[left])


def _merge(table: NgramCounts, keys: NDArray[np.uint64], counts: NDArray[np.int64]) -> NgramCounts:
    merged = _collect(np.concatenate([table.keys, keys]), np.concatenate([table.counts, counts]))
    return NgramCounts(table.order, table.bits, *merged)


def _collect(
    keys: NDArray[np.uint64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Sort keys and sum the counts of equal ones."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = _starts(keys)
    return keys[starts], _sums(counts[order], starts)


def _starts(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return where each run of equal keys begins."""
    return np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)])


def _sums(counts: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum the counts of each run."""
    return np.add.reduceat(counts, starts) if len(starts) else counts
