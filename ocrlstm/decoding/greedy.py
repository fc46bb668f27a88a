"""Best path decoding: the likeliest label of every frame, repeats and blanks removed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.symbol import Symbol

__all__ = ["greedy"]


def greedy(log_posteriors: NDArray[np.floating]) -> list[Symbol]:
    """Decode a line by its best path (Graves et al., ICML 2006, section 3.2).

    Parameters
    ----------
    log_posteriors : ndarray of shape (T, C)
        Logarithms of the posteriors, one row a frame; class 0 is the blank.

    Returns
    -------
    list of Symbol
        One for each longest stretch of frames with the same label, in order. The same label twice
        in a row needs a blank between.

    Examples
    --------
    >>> posteriors = np.array([[0.1, 0.9], [0.3, 0.7], [0.8, 0.2], [0.4, 0.6]])
    >>> [(s.label, s.start, s.end) for s in greedy(np.log(posteriors))]
    [(1, 0, 2), (1, 3, 4)]
    """
    if not log_posteriors.size:
        return []
    labels = log_posteriors.argmax(axis=1)
    best = log_posteriors[np.arange(len(labels)), labels]
    starts = np.flatnonzero(np.r_[True, labels[1:] != labels[:-1]])
    ends = np.append(starts[1:], len(labels))
    confidences = np.minimum(np.exp(np.maximum.reduceat(best, starts)), 1.0)
    of_run = labels[starts]
    kept = of_run != 0
    runs = (of_run[kept], starts[kept], ends[kept], confidences[kept])
    return [Symbol(*run) for run in zip(*(values.tolist() for values in runs), strict=True)]
