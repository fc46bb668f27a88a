"""From a clean drawing of a line to something that a press printed and a scanner saw.

All functions take and give float32 arrays (H, W); `ink` is 1.0 where ink lies and 0.0 on paper.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import ndimage

__all__ = ["bend", "blur", "cloud", "neighbours", "press", "print_and_scan", "shrink"]

Array = NDArray[np.float32]


def cloud(shape: tuple[int, int], rng: Generator, grain: float) -> Array:
    """Draw smooth noise with mean about 0 and values about -1 to 1.

    Parameters
    ----------
    shape : (H, W)
        Shape of the result.
    rng : numpy.random.Generator
        Decides all.
    grain : float
        Distance in pixels over which the noise changes.
    """
    height, width = shape
    coarse = rng.standard_normal((int(height / grain) + 3, int(width / grain) + 3))
    rows = np.linspace(0.5, coarse.shape[0] - 1.5, height)
    columns = np.linspace(0.5, coarse.shape[1] - 1.5, width)
    top, left = rows.astype(int), columns.astype(int)
    down, right = (rows - top)[:, None], columns - left
    across = coarse[:, left] * (1 - right) + coarse[:, left + 1] * right
    smooth = across[top] * (1 - down) + across[top + 1] * down
    return smooth.astype(np.float32)


def bend(ink: Array, rng: Generator, strength: float) -> Array:
    """Tilt and curl a line: each column moves up or down a little, smoothly along the line."""
    height, width = ink.shape
    x = np.linspace(-1, 1, width)
    tilt = rng.normal(0, 0.0025) * width / 2
    shift = strength * np.clip(tilt, -height / 12, height / 12) * x
    for waves in (0.5, 1.0, 2.0):
        shift += strength * rng.normal(0, height / 120) * np.sin(np.pi * (waves * x + rng.random()))
    whole = np.floor(shift).astype(int)
    part = (shift - whole).astype(np.float32)
    rows = np.arange(height)[:, None] + whole
    upper = np.take_along_axis(ink, np.clip(rows, 0, height - 1), axis=0)
    lower = np.take_along_axis(ink, np.clip(rows + 1, 0, height - 1), axis=0)
    return upper * (1 - part) + lower * part


def neighbours(ink: Array, rng: Generator) -> Array:
    """Let feet or heads of a neighbouring line reach into the image, as in a cut from a page."""
    height, width = ink.shape
    rows = np.flatnonzero(ink.max(axis=1) > 0.5)
    if len(rows) == 0:
        return ink
    other = np.roll(ink[:, ::-1] if rng.random() < 0.3 else ink, int(rng.integers(width)), axis=1)
    reach = int(rng.integers(1, max(2, height // 12)))
    result = ink.copy()
    if rng.random() < 0.5:
        result[:reach] = np.maximum(ink[:reach], other[rows[-1] + 1 - reach : rows[-1] + 1])
    else:
        result[-reach:] = np.maximum(ink[-reach:], other[rows[0] : rows[0] + reach])
    return result


def press(ink: Array, rng: Generator, strength: float) -> Array:
    """Spread the ink or let it fail: strokes grow or thin unevenly, and edges become ragged."""
    stroke = ink.shape[0] / 110  # about 110 rows in a drawing of twice the size of a usual line
    soft = ndimage.gaussian_filter(ink, stroke * rng.uniform(0.5, 0.6 + 1.0 * strength))
    uneven = 0.08 * cloud(ink.shape, rng, 7.0 * stroke) + 0.10 * cloud(ink.shape, rng, 60.0)
    fibre = ndimage.gaussian_filter(rng.standard_normal(ink.shape, np.float32), stroke)
    ragged = uneven + rng.uniform(0, 0.5) * fibre / stroke
    level = rng.uniform(0.5 - 0.26 * strength, 0.5 + 0.06 * strength)
    edge = (soft - level - strength * 0.7 * ragged) / rng.uniform(0.10, 0.35)
    return np.clip(edge + 0.5, 0, 1).astype(np.float32)


def shrink(pixels: Array, factor: int) -> Array:
    """Average blocks of `factor` by `factor` pixels; what does not fill a block is cut off."""
    height, width = (size // factor for size in pixels.shape)
    blocks = pixels[: height * factor, : width * factor].reshape(height, factor, width, factor)
    return blocks.mean(axis=(1, 3), dtype=np.float32)


def blur(pixels: Array, rng: Generator, strength: float) -> Array:
    """Blur as a lens does that is nearly in focus."""
    return ndimage.gaussian_filter(pixels, rng.uniform(0.2, 0.3 + 0.5 * strength))


def print_and_scan(ink: Array, rng: Generator, strength: float = 1.0) -> Array:
    """Make grey paper with a printed line on it from a clean drawing of twice its size.

    Parameters
    ----------
    ink : float32 array (2 H, 2 W)
        The drawing.
    rng : numpy.random.Generator
        Decides all.
    strength : float, default=1.0
        0 is a faultless print, 1 what old books show.

    Returns
    -------
    float32 array (H, W)
        Lightness in [0, 1], white is 1.
    """
    if rng.random() < 0.2 * strength:
        ink = neighbours(ink, rng)
    ink = press(bend(ink, rng, strength), rng, strength)
    ink = blur(shrink(ink, 2), rng, strength)
    paper = 1 - strength * rng.uniform(0, 0.22) + 0.02 * strength * cloud(ink.shape, rng, 80.0)
    black = rng.uniform(0, 0.1 + 0.25 * strength) + 0.04 * strength * cloud(ink.shape, rng, 40.0)
    grey = paper * (1 - ink) + black * ink
    grey += strength * rng.uniform(0, 0.03) * rng.standard_normal(ink.shape, np.float32)
    if rng.random() < 0.3 * strength:
        level = float(np.mean(paper)) * rng.uniform(0.5, 0.72) + float(np.mean(black)) * 0.2
        grey = (grey > level).astype(np.float32)
    return np.clip(grey, 0, 1).astype(np.float32)
