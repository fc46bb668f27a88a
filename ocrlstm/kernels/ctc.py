"""Connectionist temporal classification of one line: exact loss and gradient.

The label sequence is widened to the 2L+1 states *blank, l1, blank, l2, ..., blank*. A path goes
through them one frame at a time; it may stay, go on to the next state, or leave out the blank
between two different labels. It starts in one of the first two states and ends in one of the last
two. The probability of the labels is the sum over all paths, found by the forward and backward
recursions of Graves, Fernandez, Gomez and Schmidhuber, "Connectionist Temporal Classification",
ICML 2006. `ocrlstm.kernels.reference.ctc` is the same written to be read.

Sums are kept as float64 logarithms. At frame t only the band of states is visited that can be
reached from the start in t+1 frames and from which the end can be reached in those left.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ocrlstm.kernels.log_add import log_add, log_add3

__all__ = ["ctc", "ctc_line"]


@njit(nogil=True, cache=True)
def ctc(log_posteriors: np.ndarray, labels: np.ndarray, gradient: np.ndarray) -> float:
    """Return the loss of one line and write its gradient.

    Parameters
    ----------
    log_posteriors : ndarray (T, C)
        Natural logarithms of the frames' posteriors, any strides; label 0 is the blank.
    labels : ndarray (L,) of int
        Labels of the text, each in ``[1, C)``; not checked here.
    gradient : ndarray (T, C)
        Overwritten with the derivative of the loss with respect to `log_posteriors`, which is
        minus the probability, given the labels, that a path emits the class at the frame.

    Returns
    -------
    float
        ``-log p(labels)``; inf, with the gradient 0, if no path has a probability above 0.
    """
    frames, classes = log_posteriors.shape
    states = 2 * len(labels) + 1
    least = len(labels)
    may_skip = np.zeros(len(labels), np.bool_)
    for k in range(1, len(labels)):
        may_skip[k] = labels[k] != labels[k - 1]
        least += not may_skip[k]
    if frames < least:
        gradient[:] = 0.0
        return np.inf
    if frames == 0:
        return 0.0  # nothing is the one text that no frames can spell

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


@njit(nogil=True, cache=True)
def ctc_line(
    log_posteriors: np.ndarray, line: int, frames: int, labels: np.ndarray, gradient: np.ndarray
) -> float:
    """Treat one line of a batch in place: `ctc` of its valid frames.

    Slicing inside compiled code gives one type of array whatever the size of the batch, so that
    the kernel is compiled once.

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
    return ctc(log_posteriors[:frames, line], labels, gradient[:frames, line])
