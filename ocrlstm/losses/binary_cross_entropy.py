"""The cross entropy of yes and no."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["binary_cross_entropy_loss"]


def binary_cross_entropy_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``-t log(p) - (1 - t) log(1 - p)``, and its gradient.

    For probabilities p in [0, 1], as the logistic function gives them; the derivative of a value
    is ``(p - t) / (p (1 - p))``, which behind a logistic function becomes ``p - t``. A p within
    the machine epsilon of its type from 0 or 1 counts as that far away, so that loss and gradient
    stay finite (Good, 1952).

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
        If shapes or lengths disagree, or a value is outside [0, 1].

    Examples
    --------
    >>> losses, gradient = binary_cross_entropy_loss(np.array([[[0.5]]]), [1], np.array([[[1]]]))
    >>> losses.round(6).tolist(), gradient.tolist()
    ([0.693147], [[[-2.0]]])
    """

    def rule(x: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for what, values in (("outputs", x), ("targets", t)):
            outside = (values < 0.0) | (values > 1.0)
            if outside.any():
                raise ValueError(
                    f"{what} of binary_cross_entropy must lie in [0, 1], not {values[outside][0]:g}"
                )
        least = float(np.finfo(outputs.dtype).eps)
        p = np.clip(x, least, 1.0 - least)
        return -t * np.log(p) - (1.0 - t) * np.log1p(-p), (p - t) / (p * (1.0 - p))

    return mean_over_values(rule, outputs, lengths, targets)
