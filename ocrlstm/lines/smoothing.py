"""Gaussian smoothing of rows and curves.

The same as SciPy's `gaussian_filter1d`, kept here because loading `scipy.ndimage` takes a quarter
of the time in which the command line reads one line.
"""

import functools

import numpy as np

__all__ = ["gaussian_weights", "smooth_curve", "smooth_rows"]

# Where the bell is cut off, in standard deviations.
_REACH = 4.0


@functools.lru_cache(maxsize=64)
def gaussian_weights(sigma: float) -> np.ndarray:
    """Return the weights of a Gaussian at whole steps, cut at four `sigma`, shape (2 r + 1,)."""
    reach = int(_REACH * sigma + 0.5)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    weights.flags.writeable = False
    return weights


def smooth_rows(image: np.ndarray, sigma: float) -> np.ndarray:
    """Smooth each row of `image` (H, W); nothing lies beyond its ends."""
    weights = gaussian_weights(sigma)
    rows, columns = image.shape
    # All rows in one go, with gaps between them over which none reaches the next.
    apart = np.zeros((rows, columns + len(weights) // 2))
    apart[:, :columns] = image
    smoothed = np.convolve(apart.ravel(), weights)
    reach = len(weights) // 2
    return smoothed[reach : reach + apart.size].reshape(apart.shape)[:, :columns]


def smooth_curve(values: np.ndarray, sigma: float) -> np.ndarray:
    """Smooth `values` (W,), mirrored beyond its ends."""
    weights = gaussian_weights(sigma)
    reach = len(weights) // 2
    return np.convolve(np.pad(values, reach, mode="symmetric"), weights, mode="valid")
