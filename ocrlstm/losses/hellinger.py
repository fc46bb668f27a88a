"""The squared Hellinger distance."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["hellinger_loss"]


def hellinger_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``(sqrt(t) - sqrt(x))**2``, and its gradient.

    For outputs and targets of 0 or more, such as probabilities; the derivative of a value is
    ``(sqrt(x) - sqrt(t)) / sqrt(x)``. An output below the machine epsilon of its type counts as
    that epsilon, so that the gradient stays finite and points the right way. Summed and halved
    instead of averaged, it is the square of the distance of Hellinger, 1909.

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
        If shapes or lengths disagree, or a target is below 0.
    """

    def rule(x: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if (t < 0.0).any():
            raise ValueError(f"targets of hellinger must be 0 or more, not {t.min():g}")
        least = float(np.finfo(outputs.dtype).eps)
        root = np.sqrt(np.maximum(x, least))
        d = root - np.sqrt(t)
        return d * d, d / root

    return mean_over_values(rule, outputs, lengths, targets)
