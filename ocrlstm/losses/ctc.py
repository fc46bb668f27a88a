"""The CTC loss: minus the log-probability of a text over all ways to spell it in the frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.kernels.ctc import ctc_line
from ocrlstm.losses.batch import loss_of_batch

__all__ = ["ctc_loss"]


def ctc_loss(
    log_posteriors: np.ndarray, lengths: np.ndarray, targets: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the CTC loss of each line and its gradient.

    Exact, and in float64, whatever the type of the input (Graves et al., ICML 2006). The gradient
    is minus the posterior occupancy gamma of the classes; behind a log-softmax with posteriors p,
    whose backward pass takes ``p * sum(g)`` from a gradient g, it becomes the well-known
    ``p - gamma``, because gamma sums to 1 over the classes.

    Parameters
    ----------
    log_posteriors : ndarray (T, N, C)
        Natural logarithms of the posteriors, float32 or float64; label 0 is the blank.
    lengths : ndarray (N,) of int
        Valid frames of each line.
    targets : sequence of ndarray (L,) of int
        Labels of each line's text, without blanks.

    Returns
    -------
    losses : ndarray (N,) of float64
        ``-log p(target)``; inf where the target does not fit into the frames.
    gradient : ndarray (T, N, C)
        Derivative of each line's loss, not averaged, in the type of `log_posteriors`; 0 beyond
        the length and for lines whose loss is inf.

    Examples
    --------
    Two frames of even odds spell label 1 in three of the four possible ways:

    >>> losses, gradient = ctc_loss(np.log(np.full((2, 1, 2), 0.5)), [2], [np.array([1])])
    >>> float(np.exp(-losses[0]).round(6))
    0.75
    >>> gradient[0, 0].round(3).tolist()
    [-0.333, -0.667]
    """
    return loss_of_batch(ctc_line, log_posteriors, lengths, targets)
