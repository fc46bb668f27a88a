"""Squared errors where a target is known."""

from __future__ import annotations

import math

import numpy as np

from ocrlstm.losses.places import Places
from ocrlstm.losses.values import check_dense

__all__ = ["masked_loss"]


def masked_loss(
    outputs: np.ndarray, lengths: np.ndarray, targets: np.ndarray, mask: float = math.nan
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``d**2`` over the values whose target is known, and its gradient.

    With ``d = output - target`` the derivative of a value is ``2 d``. A target equal to `mask`
    says that nothing is known: its value counts for nothing, as if it lay beyond the length. The
    "masked" of darknet and NumPyNet, where the mask is -1234 and the mean goes over all values.

    Parameters
    ----------
    outputs, lengths, targets
        As in `ocrlstm.losses.values.mean_over_values`.
    mask : float, default=nan
        Stands for a target that is not known.

    Returns
    -------
    losses : ndarray (N,) of float64
        0 for an item of which no target is known.
    gradient : ndarray, shaped and typed as `outputs`

    Raises
    ------
    ValueError
        If shapes or lengths disagree.

    Examples
    --------
    >>> targets = np.array([[[0.0, np.nan]]])
    >>> losses, gradient = masked_loss(np.array([[[3.0, 5.0]]]), [1], targets)
    >>> losses.tolist(), gradient.tolist()
    ([9.0], [[[6.0, 0.0]]])
    """
    places = Places(outputs, lengths)
    targets = check_dense(targets, outputs)
    if targets.dtype.kind == "f":
        mask = float(targets.dtype.type(mask))  # -0.1 is another number in float32
    t = places.rows(targets)
    known = ~np.isnan(t) if math.isnan(mask) else t != mask
    d = np.where(known, places.rows(outputs) - t, 0.0)
    return places.mean((d * d).sum(axis=1), 2.0 * d, known.sum(axis=1))
