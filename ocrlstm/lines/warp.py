"""Distort the shape of a line: size, slant, slope and smooth waves, in one sampling."""

import numpy as np

from ocrlstm.kernels.resample import resample_columns

__all__ = ["smooth_noise", "warp"]

# Greatest changes at strength 1. Lines were straightened and scaled before, so these are what the
# normaliser leaves over between one line and the next, and between one fount and another.
_WIDTH = 0.12  # of the width
_HEIGHT = 0.10  # of the height
_SLANT = 0.15  # columns a row
_SHIFT = 0.05  # of the height
_SLOPE = 0.06  # of the height, from one end of the line to the other
_WAVE_X = 0.03  # of the height: letters wider and narrower, knots one height apart
_WAVE_Y = 0.025  # of the height: dancing letters
_WAVE_HEIGHT = 0.04  # letters taller and lower

# No result is narrower: a normalised line has padding at both ends and a column between.
_LEAST_WIDTH = 33


def warp(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Change size, slant, slope, position and evenness of a line at random.

    Parameters
    ----------
    pixels : ndarray of shape (H, W), float32
    rng : numpy.random.Generator
    strength : float
        Factor of all changes.

    Returns
    -------
    ndarray of shape (H, W'), float32
    """
    height, columns = pixels.shape
    change = rng.uniform(-1.0, 1.0, 6) * strength
    width = max(round(columns * np.exp(_WIDTH * change[0])), _LEAST_WIDTH)
    waves = smooth_noise(rng, 3, width, max(height, 2)) * strength
    along = (np.arange(width) + 0.5) / width
    middle = (height - 1) / 2
    y_step = np.exp(_HEIGHT * change[1] + _WAVE_HEIGHT * waves[0])
    y_middle = middle + height * (
        _SHIFT * change[2] + _SLOPE * change[3] * (along - 0.5) + _WAVE_Y * waves[1]
    )
    slant = _SLANT * change[4]
    x_middle = along * columns - 0.5 + _WAVE_X * height * waves[2]
    return resample_columns(
        pixels,
        x_middle - slant * middle,
        np.full(width, slant),
        y_middle - y_step * middle,
        y_step,
        height,
        1,
        1,
    )


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
