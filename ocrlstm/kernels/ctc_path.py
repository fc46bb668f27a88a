"""The likeliest path of a known text through the frames of a line (Viterbi)."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["ctc_path"]


@njit(nogil=True, cache=True)
def ctc_path(
    log_posteriors: np.ndarray, labels: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> float:
    """Find in which frames each label of a text stands.

    Of all paths of Graves et al. (ICML 2006) that give the text the likeliest one counts.

    Parameters
    ----------
    log_posteriors : ndarray (T, C)
        Natural logarithms of the frames' posteriors; label 0 is the blank.
    labels : ndarray (L,) of int32
        Each in ``[1, C)``; not checked here.
    starts, ends : ndarrays (L,) of int32
        Overwritten with the first frame of each label and the one after its last.

    Returns
    -------
    float
        Logarithm of the probability of the path; -inf, with nothing written, if there is none.
    """
    frames, states = len(log_posteriors), 2 * len(labels) + 1
    if frames == 0:
        return 0.0 if len(labels) == 0 else -np.inf
    # By how many states the best path to each comes on in a frame: 0, 1 or 2.
    steps = np.zeros((frames, states), np.uint8)
    score = np.full(states, -np.inf)
    for t in range(frames):
        for s in range(states - 1, -1, -1):
            if t == 0:
                best = 0.0 if s <= 1 else -np.inf
            else:
                best = score[s]
                if s >= 1 and score[s - 1] > best:
                    best, steps[t, s] = score[s - 1], 1
                apart = s % 2 and s >= 3 and labels[s // 2] != labels[s // 2 - 1]
                if apart and score[s - 2] > best:
                    best, steps[t, s] = score[s - 2], 2
            score[s] = best + log_posteriors[t, labels[s // 2] if s % 2 else 0]
    s = states - 1
    if states > 1 and score[s - 1] > score[s]:
        s -= 1
    if score[s] == -np.inf:
        return -np.inf
    total = score[s]
    above = -1
    for t in range(frames - 1, -1, -1):
        if s % 2:
            starts[s // 2] = t
            if s != above:
                ends[s // 2] = t + 1
        above = s
        s -= steps[t, s]
    return total
