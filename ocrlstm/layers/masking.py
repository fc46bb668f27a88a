"""What lies beyond an item's length is zero."""

from __future__ import annotations

import numpy as np

from ocrlstm.layers.base import Array

__all__ = ["resized", "time_axis", "valid", "zero_beyond"]


def time_axis(x: Array) -> int:
    """Return the axis of columns in images (N, H, W, C), of frames in sequences (T, N, F)."""
    return 2 if x.ndim == 4 else 0


def resized(x: Array, size: int) -> Array:
    """Return images or sequences cut, or filled up with zeros, to a number of columns or frames."""
    axis = time_axis(x)
    if x.shape[axis] < size:
        return np.pad(x, [(0, size - x.shape[i] if i == axis else 0) for i in range(x.ndim)])
    return x[(slice(None),) * axis + (slice(size),)]


def valid(x: Array, lengths: Array) -> Array:
    """Return which columns or frames are within the lengths, to be broadcast against `x`.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C) or (T, N, F)
    lengths : ndarray of int64, shape (N,)

    Returns
    -------
    ndarray of bool, shape (N, 1, W, 1) or (T, N, 1)
    """
    if x.ndim == 4:
        return (np.arange(x.shape[2]) < lengths[:, None])[:, None, :, None]
    return (np.arange(x.shape[0])[:, None] < lengths)[:, :, None]


def zero_beyond(x: Array, lengths: Array) -> None:
    """Set to zero, in place, what lies beyond the lengths of images or sequences."""
    for i, length in enumerate(lengths):
        if x.ndim == 4:
            x[i, :, length:] = 0
        else:
            x[length:, i] = 0
