"""The alignment that OCRopus trains with, of one line.

`ocrlstm.kernels.reference.ocropus_alignment` tells how it works and what is odd about it; this is
the same, compiled. Sums are kept as float64 logarithms.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ocrlstm.kernels.log_add import log_add

__all__ = ["ocropus_alignment", "ocropus_line"]

FLOOR = 1e-5
LOG_FLOOR = math.log(FLOOR)
SKIP = -5.0


@njit(nogil=True, cache=True)
def ocropus_alignment(
    log_posteriors: np.ndarray, labels: np.ndarray, gradient: np.ndarray
) -> float:
    """Return the loss of one line and write its gradient.

    Parameters
    ----------
    log_posteriors : ndarray (T, C)
        Natural logarithms of the frames' posteriors, any strides; label 0 is the blank.
    labels : ndarray (L,) of int
        Labels of the text, each in ``[1, C)``; not checked here.
    gradient : ndarray (T, C)
        Overwritten with minus the alignment, which sums to 1 in every frame.

    Returns
    -------
    float
        Cross entropy ``-sum(alignment * log_posteriors)``; inf, with the gradient 0, if the text
        has no room in the frames (by the measure of CTC).
    """
    frames, classes = log_posteriors.shape
    states = 2 * len(labels) + 1
    least = len(labels)
    for k in range(1, len(labels)):
        least += labels[k] == labels[k - 1]
    if frames < least:
        gradient[:] = 0.0
        return np.inf
    if frames == 0:
        return 0.0

    match = np.empty((frames, states))
    for t in range(frames):
        total = 0.0
        for c in range(classes):
            value = float(log_posteriors[t, c])
            total += math.exp(value) if value > LOG_FLOOR else FLOOR
        total = math.log(total)
        for s in range(states):
            value = float(log_posteriors[t, labels[s // 2] if s % 2 else 0])
            match[t, s] = max(value, LOG_FLOOR) - total

    shares = np.empty((frames, states))
    _forward(match[::1, ::1], shares[::1, ::1])
    back = np.empty((frames, states))
    _forward(match[::-1, ::-1], back[::-1, ::-1])
    largest = np.full(states, -np.inf)
    for t in range(frames):
        for s in range(states):
            shares[t, s] += back[t, s]
            largest[s] = max(largest[s], shares[t, s])
    mass = np.zeros(states)
    for t in range(frames):
        for s in range(states):
            shares[t, s] = math.exp(shares[t, s] - largest[s])
            mass[s] += shares[t, s]

    loss = 0.0
    alignment = np.zeros(classes)
    for t in range(frames):
        for s in range(states):
            alignment[labels[s // 2] if s % 2 else 0] += shares[t, s] / mass[s]
        total = 0.0
        for c in range(classes):
            alignment[c] = max(alignment[c], FLOOR)
            total += alignment[c]
        for c in range(classes):
            aligned = alignment[c] / total
            gradient[t, c] = -aligned
            loss -= aligned * float(log_posteriors[t, c])
            alignment[c] = 0.0
    return loss


@njit(nogil=True, cache=True)
def _forward(match: np.ndarray, forward: np.ndarray) -> None:
    frames, states = match.shape
    for s in range(states):
        arriving = SKIP * (s - 1) if s else 0.0
        forward[0, s] = log_add(SKIP * s, arriving) + match[0, s]
    for t in range(1, frames):
        forward[t, 0] = log_add(forward[t - 1, 0], SKIP * t) + match[t, 0]
        for s in range(1, states):
            forward[t, s] = log_add(forward[t - 1, s], forward[t - 1, s - 1]) + match[t, s]


@njit(nogil=True, cache=True)
def ocropus_line(
    log_posteriors: np.ndarray, line: int, frames: int, labels: np.ndarray, gradient: np.ndarray
) -> float:
    """Treat one line of a batch in place: `ocropus_alignment` of its valid frames.

    Parameters
    ----------
    log_posteriors, gradient : ndarray (T, N, C)
        The batch; ``gradient[:frames, line]`` is overwritten, the rest left as it is.
    line, frames : int
        Which line, and how many of its frames are valid.
    labels : ndarray (L,) of int64
        Labels of the line's text.

    Returns
    -------
    float
        The loss of the line.
    """
    return ocropus_alignment(log_posteriors[:frames, line], labels, gradient[:frames, line])
