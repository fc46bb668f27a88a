"""The mean squared error."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["mse_loss"]


def mse_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``d**2`` with ``d = output - target``, and its gradient.

    The derivative of a value is ``2 d``. Not halved, as in NumPyNet; Legendre, 1805.

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

    Examples
    --------
    >>> losses, gradient = mse_loss(np.array([[[1.0, 5.0]]]), [1], np.array([[[0.0, 3.0]]]))
    >>> losses.tolist(), gradient.tolist()
    ([2.5], [[[1.0, 2.0]]])
    """
    return mean_over_values(_rule, outputs, lengths, targets)


def _rule(x: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    d = x - t
    return d * d, 2.0 * d
