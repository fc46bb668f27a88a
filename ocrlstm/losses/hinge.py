"""The hinge loss of a classifier of two classes."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["hinge_loss"]


def hinge_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``max(0, 1 - t x)`` for targets t of 1 and -1, and its gradient.

    The derivative of a value is ``-t`` where ``t x < 1`` and 0 elsewhere (Cortes and Vapnik,
    "Support-vector networks", 1995). NumPyNet's derivative lacks the ``-t``.

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
        If shapes or lengths disagree, or a target is neither 1 nor -1.
    """
    return mean_over_values(_rule, outputs, lengths, targets)


def _rule(x: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    wrong = np.abs(t) != 1.0
    if wrong.any():
        raise ValueError(f"targets of hinge must be 1 or -1, not {t[wrong][0]:g}")
    margin = 1.0 - t * x
    return np.maximum(margin, 0.0), np.where(margin > 0.0, -t, 0.0)
