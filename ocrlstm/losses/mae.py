"""The mean absolute error."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["mae_loss"]


def mae_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``|d|`` with ``d = output - target``, and its gradient.

    The derivative of a value is ``sign(d)``, 0 where the output hits the target (Boscovich, 1757).

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
    return np.abs(d), np.sign(d)
