"""The sheet under the scanner: skewed, curled, of any size."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from ocrlstm.datasets.synthesis.clouds import Array
from ocrlstm.datasets.synthesis.effects import Wear
from ocrlstm.datasets.synthesis.type import X_HEIGHT
from ocrlstm.kernels.resample import resample_columns

__all__ = ["lay_down"]


def lay_down(page: Array, x_height: float, wear: Wear, rng: Generator) -> Array:
    """Scan the geometry of a page: its size, and where its columns come to lie.

    Parameters
    ----------
    page : float32 array of shape (H, W)
        Drawn with a small x of `X_HEIGHT` pixels.
    x_height : float
        That of the result.
    wear : Wear
        "skew", "curl" and "uneven" are looked at.
    rng : numpy.random.Generator

    Returns
    -------
    float32 array
        C-contiguous; higher than the page where that is bent.
    """
    height, width = page.shape
    scale = x_height / X_HEIGHT
    across = scale * rng.uniform(0.92, 1.08)
    shift = _shifts(width, wear, rng)
    top, bottom = float(shift.min()), float(shift.max())
    # What is cut out follows a bent line only roughly.
    slack = (bottom - top) * rng.uniform(0.3, 1.0)
    rows = max(2, round((height + slack) * scale))
    columns = max(2, round(width * across))
    x = (np.arange(columns) + 0.5) / across - 0.5
    moved = np.interp(x, np.arange(width), shift)
    y = 0.5 / scale - 0.5 + moved - (top + bottom) / 2 - slack / 2
    samples = 1 if scale > 0.8 else 2 if scale > 0.45 else 3
    step = np.full(columns, 1 / scale)
    return resample_columns(page, x, np.zeros(columns), y, step, rows, samples, samples)


def _shifts(width: int, wear: Wear, rng: Generator) -> np.ndarray:
    """Return how far each column of the page is moved, in pixels."""
    x = np.arange(width)
    shift = np.zeros(width)
    if skew := wear("skew"):
        tilt = np.clip(rng.normal(0, 0.006 * skew), -0.02, 0.02)
        shift += np.clip(tilt * (x - width / 2), -1.2 * X_HEIGHT, 1.2 * X_HEIGHT)
    if curl := wear("curl"):
        for waves in (0.5, 1.0):
            size = rng.normal(0, 0.12 * curl) * X_HEIGHT
            shift += size * np.sin(np.pi * (waves * x / width * 2 + rng.random() * 2))
        # At the fold a line dips within a word or two.
        if rng.random() < 0.4:
            reach = rng.uniform(3, 12) * X_HEIGHT
            end = x if rng.random() < 0.5 else width - x
            shift += rng.normal(0, 0.4 * curl) * X_HEIGHT * np.exp(-end / reach)
    if uneven := wear("uneven"):
        letters = max(2, int(width / (0.9 * X_HEIGHT)))
        steps = np.clip(rng.normal(0, 0.045 * uneven * X_HEIGHT, letters), -3, 3)
        shift += np.interp(x, np.linspace(0, width, letters), steps)
    return shift
