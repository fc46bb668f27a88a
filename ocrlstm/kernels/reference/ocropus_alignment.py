"""The alignment that OCRopus trains with, in plain NumPy: the definition and the oracle.

OCRopus (Breuel, Ul-Hasan, Al Azawi and Shafait, "High-Performance OCR for Printed English and
Fraktur using LSTM Networks", ICDAR 2013, and the program itself) calls it CTC, but it is an
alignment of its own:

1. Posteriors are raised to at least 1e-5 and made to sum to 1 again.
2. The text is the row of states *blank, l1, blank, l2, ..., blank*. At each frame a path stays or
   goes on by one; no blank is ever left out.
3. A path may begin in a later state, for 5 nats a state, or lie idle before its first state, for
   5 nats a frame; in the same way it may end early.
4. Forward and backward sums are added as they are, so that what a state emits at a frame counts
   twice.
5. The result is normalised over time: each state has one unit to share out among the frames.
6. The shares are added up by class, raised to at least 1e-5, and made to sum to 1 in every frame.

What stands here differs in two ways that do not show in practice: logarithms are added exactly
instead of by the larger one alone where they are more than 10 apart, and a state keeps its unit
also where its probability, beside that of the likeliest state, is too small for a float.
"""

from __future__ import annotations

import numpy as np

__all__ = ["ocropus_alignment"]

FLOOR = 1e-5
SKIP = -5.0


def ocropus_alignment(
    log_posteriors: np.ndarray, labels: np.ndarray, gradient: np.ndarray
) -> float:
    """Return the loss of one line and write its gradient.

    Parameters
    ----------
    log_posteriors : ndarray (T, C)
        Natural logarithms of the frames' posteriors; label 0 is the blank.
    labels : ndarray (L,) of int
        Labels of the text, each in ``[1, C)``.
    gradient : ndarray (T, C)
        Overwritten with minus the alignment, which sums to 1 in every frame.

    Returns
    -------
    float
        Cross entropy ``-sum(alignment * log_posteriors)``; inf, with the gradient 0, if the text
        has no room in the frames (by the measure of CTC).
    """
    gradient[:] = 0.0
    frames = len(log_posteriors)
    if frames < len(labels) + np.count_nonzero(labels[1:] == labels[:-1]):
        return np.inf
    if frames == 0:
        return 0.0

    posteriors = np.maximum(np.exp(log_posteriors.astype(np.float64)), FLOOR)
    posteriors /= posteriors.sum(axis=1, keepdims=True)
    states = np.zeros(2 * len(labels) + 1, np.int64)
    states[1::2] = labels
    match = np.log(posteriors[:, states])

    both = _forward(match) + _forward(match[::-1, ::-1])[::-1, ::-1]
    shares = np.exp(both - both.max(axis=0))
    shares /= shares.sum(axis=0)

    alignment = np.zeros(log_posteriors.shape)
    for state, label in enumerate(states):
        alignment[:, label] += shares[:, state]
    alignment = np.maximum(alignment, FLOOR)
    alignment /= alignment.sum(axis=1, keepdims=True)
    gradient[:] = -alignment
    return float(-np.sum(alignment * log_posteriors))


def _forward(match: np.ndarray) -> np.ndarray:
    """Return the log-sum (T, S) over the ways to be in a state at a frame."""
    forward = np.empty_like(match)
    before = SKIP * np.arange(match.shape[1])
    for t, emitted in enumerate(match):
        arriving = np.concatenate([[SKIP * t], before[:-1]])
        forward[t] = np.logaddexp(before, arriving) + emitted
        before = forward[t]
    return forward
