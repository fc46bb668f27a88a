"""The cross entropy of classes, one of which is right at each place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ocrlstm.losses.labels import labels_of_places
from ocrlstm.losses.places import Places
from ocrlstm.losses.values import check_dense

__all__ = ["cross_entropy_loss"]

# A log posterior that came out a little above 0 is rounding; probabilities lie well above.
_ROUNDING = 1e-3


def cross_entropy_loss(
    outputs: np.ndarray,
    lengths: np.ndarray,
    targets: np.ndarray | Sequence[np.ndarray],
    smoothing: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return each item's mean of ``-sum(t log(p))`` over its frames or pixels, and its gradient.

    The sum goes over the classes, the derivative of a log posterior is ``-t``; behind a
    log-softmax it becomes ``p sum(t) - t`` (Bridle, 1990).

    Parameters
    ----------
    outputs : ndarray (T, N, C) or (N, H, W, C)
        Natural logarithms of the posteriors, as the layer Softmax gives them.
    lengths : array_like (N,) of int
        Valid frames or columns of each item; what lies beyond them is not looked at.
    targets : ndarray, or sequence of ndarray
        The posteriors wished for, as an array shaped as `outputs`; or labels in [0, C): an array
        (N,) where the outputs have one frame or pixel, otherwise one array an item, (length,) for
        sequences and (H, length) for images.
    smoothing : float, default=0.0
        Share of every target, in [0, 1), that is spread evenly over all classes:
        ``t = (1 - smoothing) t + smoothing / C`` (Szegedy et al., CVPR 2016).

    Returns
    -------
    losses : ndarray (N,) of float64
        0 for an item of length 0; inf where a class that is wished for has posterior 0.
    gradient : ndarray, shaped and typed as `outputs`

    Raises
    ------
    ValueError
        If shapes, lengths or labels do not fit, the outputs are no logarithms of posteriors, or
        `smoothing` is out of range.

    Examples
    --------
    >>> losses, gradient = cross_entropy_loss(np.log([[[0.25, 0.75]]]), [1], [1])
    >>> losses.round(6).tolist(), gradient.tolist()
    ([0.287682], [[[-0.0, -1.0]]])
    """
    if not 0.0 <= smoothing < 1.0:
        raise ValueError(f"smoothing must lie in [0, 1), not {smoothing}")
    places = Places(outputs, lengths)
    classes = outputs.shape[-1]
    x = places.rows(outputs)
    if (x > _ROUNDING).any():
        raise ValueError(
            f"cross_entropy takes log posteriors, which are 0 or less, not {x[x > _ROUNDING][0]:g}"
        )
    if isinstance(targets, np.ndarray) and targets.ndim == outputs.ndim:
        t = places.rows(check_dense(targets, outputs))
    else:
        t = np.zeros_like(x)
        t[np.arange(len(t)), labels_of_places(targets, places, classes)] = 1.0
    if smoothing > 0.0:
        t = (1.0 - smoothing) * t + smoothing / classes
    # A class that nobody wishes for may have posterior 0: 0 times minus infinity is 0 here.
    losses = -np.multiply(t, x, out=np.zeros_like(x), where=t != 0.0).sum(axis=1)
    return places.mean(losses, -t, 1)
