"""Squared near the target, straight further off."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["smooth_l1_loss"]


def smooth_l1_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of a smooth absolute error, and its gradient.

    With ``d = output - target`` a value's loss is ``d**2`` where ``|d| < 1`` and ``2 |d| - 1``
    elsewhere, its derivative ``2 d`` and ``2 sign(d)``. As in darknet and NumPyNet this is twice
    the loss of Girshick, "Fast R-CNN", ICCV 2015; after Huber, 1964.

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
    near = np.clip(d, -1.0, 1.0)
    return near * (2.0 * d - near), 2.0 * near
