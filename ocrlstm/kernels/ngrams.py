"""Look n-grams up in a tree of sorted arrays.

All n-grams of a model are numbered level by level: 0 is the empty one, then the single symbols,
the pairs, and so on, each level sorted by its symbols. So the n-grams that prolong n-gram i by one
symbol stand side by side, from ``first[i]`` to ``first[i + 1]``, sorted by that symbol.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

__all__ = ["NgramTables", "find_child", "link_ngrams", "ngram_step", "score_symbols"]


class NgramTables(NamedTuple):
    """An n-gram model of V symbols as arrays; N n-grams, I of them of less than the full length.

    Attributes
    ----------
    symbols : ndarray (N,) of uint16
        Last symbol of each n-gram; the single symbols are all there, so n-gram ``1 + s`` is s.
    first : ndarray (I + 1,) of int32
        Where the n-grams that prolong each begin.
    log_probabilities : ndarray (N,) of float32
        Natural logarithm of the probability of the last symbol after the others.
    backoffs : ndarray (I,) of float32
        What is added to it where the symbol was never seen after the n-gram, so that the
        probability after the shorter n-gram counts; 0 for an n-gram without prolongations.
    suffixes : ndarray (I,) of int32
        The longest n-gram of the model that a (shorter) n-gram ends in, itself not counted.
    states : ndarray (N,) of int32
        The longest n-gram with prolongations that each ends in, itself counted: what must be
        known of a text so far to tell how it goes on.
    """

    symbols: np.ndarray
    first: np.ndarray
    log_probabilities: np.ndarray
    backoffs: np.ndarray
    suffixes: np.ndarray
    states: np.ndarray


@njit(nogil=True, cache=True)
def find_child(symbols: np.ndarray, first: np.ndarray, node: int, symbol: int) -> int:
    """Return the number of the n-gram `node` prolonged by `symbol`, -1 if there is none."""
    if node >= len(first) - 1:
        return -1
    low, high = first[node], first[node + 1]
    end = high
    while low < high:
        middle = (low + high) // 2
        if symbols[middle] < symbol:
            low = middle + 1
        else:
            high = middle
    if low < end and symbols[low] == symbol:
        return low
    return -1


@njit(nogil=True, cache=True)
def link_ngrams(
    symbols: np.ndarray, first: np.ndarray, suffixes: np.ndarray, states: np.ndarray
) -> None:
    """Find suffix and state of every n-gram.

    Parameters
    ----------
    symbols, first : ndarrays
        As in `NgramTables`.
    suffixes, states : ndarrays of int32, shapes (I,) and (N,)
        Overwritten.
    """
    inner = len(first) - 1
    suffixes[0] = 0
    states[0] = 0
    for node in range(inner):
        for child in range(first[node], first[node + 1]):
            suffix = 0
            if node:
                context = suffixes[node]
                suffix = find_child(symbols, first, context, symbols[child])
                while suffix < 0:
                    # The empty n-gram has all symbols, so this ends there at the latest.
                    context = suffixes[context]
                    suffix = find_child(symbols, first, context, symbols[child])
            has_children = child < inner and first[child] < first[child + 1]
            states[child] = child if has_children else states[suffix]
            if child < inner:
                suffixes[child] = suffix


@njit(nogil=True, cache=True)
def ngram_step(tables: NgramTables, state: int, symbol: int) -> tuple[float, int]:
    """Return the log probability of `symbol` in `state`, and the state after it."""
    log_probability = 0.0
    while state:
        child = find_child(tables.symbols, tables.first, state, symbol)
        if child >= 0:
            return log_probability + tables.log_probabilities[child], tables.states[child]
        log_probability += tables.backoffs[state]
        state = tables.suffixes[state]
    return log_probability + tables.log_probabilities[1 + symbol], tables.states[1 + symbol]


@njit(nogil=True, cache=True)
def score_symbols(
    tables: NgramTables, state: int, sequence: np.ndarray, log_probabilities: np.ndarray
) -> int:
    """Give each symbol of a text its log probability after those before it.

    Parameters
    ----------
    tables : NgramTables
    state : int
        State before the first symbol; 0 where nothing is known.
    sequence : ndarray (L,) of int
        Symbols, each less than V; not checked here.
    log_probabilities : ndarray (L,) of float64
        Overwritten.

    Returns
    -------
    int
        State after the last symbol.
    """
    for i in range(len(sequence)):
        log_probabilities[i], state = ngram_step(tables, state, sequence[i])
    return state
