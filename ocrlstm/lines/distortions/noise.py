"""Smooth random waves and clouds."""

import numpy as np

__all__ = ["smooth_cloud", "smooth_noise"]


def smooth_noise(rng: np.random.Generator, waves: int, length: int, spacing: float) -> np.ndarray:
    """Give random waves: uniform values at knots, joined by 3t^2 - 2t^3.

    Parameters
    ----------
    rng : numpy.random.Generator
    waves, length : int
    spacing : float
        Distance of the knots.

    Returns
    -------
    ndarray of shape (waves, length), float64 in [-1, 1]
    """
    knots = rng.uniform(-1.0, 1.0, (waves, int(length / spacing) + 2))
    position = np.arange(length) / spacing
    left = position.astype(np.intp)
    t = position - left
    blend = t * t * (3.0 - 2.0 * t)
    noise: np.ndarray = knots[:, left] * (1.0 - blend) + knots[:, left + 1] * blend
    return noise


def smooth_cloud(rng: np.random.Generator, height: int, width: int, spacing: float) -> np.ndarray:
    """Give a random cloud: waves every `spacing` rows, and straight lines between them.

    Returns
    -------
    ndarray of shape (height, width), float32 in [-1, 1]
    """
    waves = smooth_noise(rng, int(height / spacing) + 2, width, spacing).astype(np.float32)
    position = np.arange(height) / spacing
    top = position.astype(np.intp)
    share = (position - top).astype(np.float32)[:, None]
    cloud: np.ndarray = waves[top] * (1 - share) + waves[top + 1] * share
    return cloud
