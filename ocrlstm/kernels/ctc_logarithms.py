"""The CTC recursions in logarithms: never out of range, and slower than `ocrlstm.kernels.ctc`.

For the rare lines whose probabilities, scaled, span more than float64 does. What CTC is, the states
and the band of them that counts, is told there.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ocrlstm.kernels.log_add import log_add, log_add3

__all__ = ["ctc_in_logarithms"]


@njit(nogil=True, cache=True)
def ctc_in_logarithms(
    log_posteriors: np.ndarray, labels: np.ndarray, gradient: np.ndarray
) -> float:
    """Return the loss of one line and write its gradient: as `ocrlstm.kernels.ctc.ctc` does.

    There must be a frame, and no fewer than the labels need.
    """
    frames, classes = log_posteriors.shape
    states = 2 * len(labels) + 1
    may_skip = np.zeros(len(labels), np.bool_)
    for k in range(1, len(labels)):
        may_skip[k] = labels[k] != labels[k - 1]

    # forward[t, s + 2]: log-probability to be in state s at frame t, what it emits included;
    # two impossible states in front spare the recursion its special cases.
    forward = np.full((frames, states + 2), -np.inf)
    forward[0, 2] = log_posteriors[0, 0]
    if states > 1:
        forward[0, 3] = log_posteriors[0, labels[0]]
    for t in range(1, frames):
        before = forward[t - 1]
        row = forward[t]
        blank = float(log_posteriors[t, 0])
        first = max(0, states - 2 * (frames - t))
        last = min(states, 2 * (t + 1))
        for s in range(first + first % 2, last, 2):
            row[s + 2] = log_add(before[s + 2], before[s + 1]) + blank
        for s in range(first + 1 - first % 2, last, 2):
            k = s // 2
            if may_skip[k]:
                reached = log_add3(before[s + 2], before[s + 1], before[s])
            else:
                reached = log_add(before[s + 2], before[s + 1])
            row[s + 2] = reached + float(log_posteriors[t, labels[k]])
    total = log_add(forward[frames - 1, states + 1], forward[frames - 1, states])
    if total == -np.inf:
        gradient[:] = 0.0
        return np.inf

    # backward[s]: log-probability of all that follows frame t; ahead[s]: of entering s at t + 1.
    backward = np.full(states, -np.inf)
    ahead = np.full(states + 2, -np.inf)
    backward[max(0, states - 2) :] = 0.0
    occupancy = np.zeros(classes)
    for t in range(frames - 1, -1, -1):
        first = max(0, states - 2 * (frames - t))
        last = min(states, 2 * (t + 1))
        if t < frames - 1:
            for s in range(first + first % 2, last, 2):
                backward[s] = log_add(ahead[s], ahead[s + 1])
            for s in range(first + 1 - first % 2, last, 2):
                k = s // 2 + 1
                if k < len(labels) and may_skip[k]:
                    backward[s] = log_add3(ahead[s], ahead[s + 1], ahead[s + 2])
                else:
                    backward[s] = log_add(ahead[s], ahead[s + 1])
        row = forward[t]
        blank = float(log_posteriors[t, 0])
        for s in range(first, last):
            label = labels[s // 2] if s % 2 else 0
            logarithm = row[s + 2] + backward[s] - total
            if not logarithm < -100.0:  # e^-100 is lost beside the frame's sum of 1
                occupancy[label] += math.exp(logarithm)
            ahead[s] = backward[s] + (float(log_posteriors[t, label]) if s % 2 else blank)
        for c in range(classes):
            gradient[t, c] = 0.0 - occupancy[c]
            occupancy[c] = 0.0
    return -total
