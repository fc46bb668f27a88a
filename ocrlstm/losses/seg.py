"""Squared errors of a map in which most targets are 0."""

from __future__ import annotations

import numpy as np

from ocrlstm.losses.values import mean_over_values

__all__ = ["seg_loss"]


def seg_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray, noobject_scale: float = 0.5
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``w d**2`` with ``d = output - target``, and its gradient.

    The weight w is `noobject_scale` where the target is 0, which means that nothing is there, and
    1 elsewhere, so that the few places with something are not drowned; the derivative of a value
    is ``2 w d``. The "seg" of darknet and NumPyNet, whose scale is 1 unless told.

    Parameters
    ----------
    outputs, lengths, targets
        As in `ocrlstm.losses.values.mean_over_values`.
    noobject_scale : float, default=0.5
        0 or more; the default is that of Redmon et al., "You only look once", CVPR 2016.

    Returns
    -------
    losses : ndarray (N,) of float64
    gradient : ndarray, shaped and typed as `outputs`

    Raises
    ------
    ValueError
        If shapes or lengths disagree, or `noobject_scale` is below 0.
    """
    if not 0.0 <= noobject_scale < np.inf:
        raise ValueError(f"noobject_scale must be 0 or more, not {noobject_scale}")

    def rule(x: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d = x - t
        weighted = np.where(t == 0.0, noobject_scale, 1.0) * d
        return weighted * d, 2.0 * weighted

    return mean_over_values(rule, outputs, lengths, targets)
