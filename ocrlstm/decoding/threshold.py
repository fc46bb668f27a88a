"""The decoding of the historical OCRopus recogniser."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.symbol import Symbol

__all__ = ["threshold"]

# Below this posterior of the blank a frame counts as part of a character; the value of OCRopus.
_BLANK_THRESHOLD = 0.7


def threshold(log_posteriors: NDArray[np.floating]) -> list[Symbol]:
    """Decode a line as the historical `translate_back` does.

    In each connected stretch of frames whose blank is less likely than 0.7, the greatest posterior
    of any frame and class decides. The blank may win too; then the stretch gives nothing.

    Parameters
    ----------
    log_posteriors : ndarray of shape (T, C)
        Logarithms of the posteriors, one row a frame; class 0 is the blank.

    Returns
    -------
    list of Symbol
        At most one for each stretch, in order.
    """
    if not log_posteriors.size:
        return []
    inside = np.exp(log_posteriors[:, 0]) < _BLANK_THRESHOLD
    edges = np.flatnonzero(np.diff(np.r_[False, inside, False].astype(np.int8)))
    symbols = []
    for start, end in edges.reshape(-1, 2).tolist():
        region = log_posteriors[start:end]
        frame, label = divmod(int(region.argmax()), region.shape[1])
        if label:
            confidence = min(float(np.exp(region[frame, label])), 1.0)
            symbols.append(Symbol(label, start, end, confidence))
    return symbols
