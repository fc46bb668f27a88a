"""The frames of a text that is known already."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.symbol import Symbol
from ocrlstm.kernels.ctc_path import ctc_path

__all__ = ["place_labels"]


def place_labels(log_posteriors: NDArray[np.floating], labels: Sequence[int]) -> list[Symbol]:
    """Find the frames of each label of a text, by its likeliest path.

    Parameters
    ----------
    log_posteriors : ndarray of shape (T, C)
        Logarithms of the posteriors, one row a frame; class 0 is the blank.
    labels : sequence of int, length L
        The labels of the text, none 0.

    Returns
    -------
    list of Symbol
        One for each label.

    Raises
    ------
    ValueError
        If no path through the frames gives the text.

    Examples
    --------
    >>> posteriors = np.log([[0.1, 0.9], [0.3, 0.7], [0.8, 0.2], [0.4, 0.6]])
    >>> [(s.start, s.end, round(s.confidence, 2)) for s in place_labels(posteriors, [1, 1])]
    [(0, 2, 0.9), (3, 4, 0.6)]
    """
    numbers = np.array(labels, np.int32)
    starts, ends = np.empty((2, len(numbers)), np.int32)
    if ctc_path(log_posteriors, numbers, starts, ends) == -np.inf:
        raise ValueError(f"no path through {len(log_posteriors)} frames gives the labels {labels}")
    symbols = []
    for label, start, end in zip(labels, starts.tolist(), ends.tolist(), strict=True):
        confidence = min(float(np.exp(log_posteriors[start:end, label].max())), 1.0)
        symbols.append(Symbol(label, start, end, confidence))
    return symbols
