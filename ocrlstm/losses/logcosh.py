"""The logarithm of the hyperbolic cosine of the error."""

from __future__ import annotations

import math

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["logcosh_loss"]


def logcosh_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``log(cosh(d))`` with ``d = output - target``, and its gradient.

    Half a square near the target, straight far off, and smooth everywhere; the derivative of a
    value is ``tanh(d)``. Taken as ``|d| + log(1 + exp(-2 |d|)) - log 2``, which never overflows
    (Green, 1990).

    Parameters
    ----------
    outputs, lengths, targets
        As in `ocrlstm.losses.values.mean_over_values`.

    Returns
    -------
    losses : ndarray (N,) of float64
    gradient : ndarray, shaped and typed as `outputs`

    Raises
    ------
    ValueError
        If shapes or lengths disagree.
    """
    return mean_over_values(_rule, outputs, lengths, targets)


def _rule(x: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    d = x - t
    size = np.abs(d)
    return size + np.log1p(np.exp(-2.0 * size)) - math.log(2.0), np.tanh(d)
