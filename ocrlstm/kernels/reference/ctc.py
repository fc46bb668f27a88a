"""Connectionist temporal classification in plain NumPy: the definition and the oracle.

Graves, Fernandez, Gomez and Schmidhuber, "Connectionist Temporal Classification", ICML 2006,
equations 5 to 16, with logarithms in place of the rescaling at every frame.
"""

from __future__ import annotations

import numpy as np

__all__ = ["ctc"]


def ctc(log_posteriors: np.ndarray, labels: np.ndarray, gradient: np.ndarray) -> float:
    """Return the loss of one line and write its gradient; see `ocrlstm.kernels.ctc.ctc`.

    Parameters
    ----------
    log_posteriors : ndarray (T, C)
        Natural logarithms of the frames' posteriors; label 0 is the blank.
    labels : ndarray (L,) of int
        Labels of the text, each in ``[1, C)``.
    gradient : ndarray (T, C)
        Overwritten with the derivative of the loss with respect to `log_posteriors`.

    Returns
    -------
    float
        ``-log p(labels)``; inf, with the gradient 0, if no path has a probability above 0.
    """
    gradient[:] = 0.0
    frames = len(log_posteriors)
    if frames == 0:
        return 0.0 if len(labels) == 0 else np.inf

    extended = np.zeros(2 * len(labels) + 1, np.int64)
    extended[1::2] = labels
    emitted = log_posteriors[:, extended].astype(np.float64)
    forward = _forward(emitted, extended)
    # Backwards is forwards with time and states reversed; each emission is in both, so it is
    # taken out of one.
    backward = _forward(emitted[::-1, ::-1], extended[::-1])[::-1, ::-1]
    total = np.logaddexp.reduce(forward[-1, -2:])
    if total == -np.inf:
        return np.inf

    possible = emitted > -np.inf
    occupancy = np.zeros_like(forward)
    occupancy[possible] = np.exp((forward + backward)[possible] - emitted[possible] - total)
    for state, label in enumerate(extended):
        gradient[:, label] -= occupancy[:, state]
    return float(-total)


def _forward(emitted: np.ndarray, extended: np.ndarray) -> np.ndarray:
    """Return the log-probability (T, S) of each state at each frame, its emission included."""
    frames, states = emitted.shape
    forward = np.full((frames, states), -np.inf)
    forward[0, :2] = emitted[0, :2]
    for t in range(1, frames):
        for s in range(states):
            reached = forward[t - 1, s]
            if s >= 1:
                reached = np.logaddexp(reached, forward[t - 1, s - 1])
            # Of two equal neighbours two steps apart one pair are blanks, the other a doubled
            # letter, which the blank between must keep apart.
            if s >= 2 and extended[s] != extended[s - 2]:
                reached = np.logaddexp(reached, forward[t - 1, s - 2])
            forward[t, s] = reached + emitted[t, s]
    return forward
