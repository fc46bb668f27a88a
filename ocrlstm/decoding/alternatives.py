"""What else a character might be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.symbol import Symbol

__all__ = ["find_alternatives"]

# Less likely ones are noise of the network.
_LEAST = 1e-4


def find_alternatives(
    symbols: Sequence[Symbol], log_posteriors: NDArray[np.floating], count: int
) -> list[list[tuple[int, float]]]:
    """Return the labels that come next in the frames of each symbol.

    They come from the posteriors, not from the language model, so that they tell what the image
    allows, also where the language model has decided otherwise.

    Parameters
    ----------
    symbols : sequence of Symbol, length L
        Decoded from `log_posteriors`.
    log_posteriors : ndarray of shape (T, C)
    count : int
        Most alternatives of a symbol.

    Returns
    -------
    list of list of (int, float)
        For each symbol labels and their confidence, the greatest posterior in the symbol's frames,
        the likeliest first; the symbol itself, the blank, and those below 0.0001 are left out.

    Examples
    --------
    >>> posteriors = np.log([[0.1, 0.6, 0.3], [0.5, 0.3, 0.2]])
    >>> find_alternatives([Symbol(1, 0, 1, 0.6)], posteriors, 5)
    [[(2, 0.3)]]
    """
    found = []
    for symbol in symbols:
        greatest = log_posteriors[symbol.start : symbol.end].max(axis=0)
        # The blank before, or the symbol itself, may be among the best.
        best = np.argsort(-greatest, kind="stable")[: count + 2].tolist()
        sure = [(label, min(round(float(np.exp(greatest[label])), 6), 1.0)) for label in best]
        others = [(k, p) for k, p in sure if k not in (0, symbol.label) and p >= _LEAST]
        found.append(others[:count])
    return found
