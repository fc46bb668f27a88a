"""The press: ink that spreads or fails on uneven paper."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from ocrlstm.datasets.synthesis.clouds import Array, blurred, cloud, enlarge
from ocrlstm.datasets.synthesis.effects import Wear
from ocrlstm.datasets.synthesis.ink import Ink
from ocrlstm.datasets.synthesis.type import X_HEIGHT

__all__ = ["GROUND", "press"]

_STROKE = X_HEIGHT / 8  # about a thin stem of book type
#: Pixels of paper around the ink, for ink to spread into.
GROUND = 6


def press(drawn: Ink, wear: Wear, rng: Generator) -> Array:
    """Press a drawing on paper.

    Parameters
    ----------
    drawn : Ink
    wear : Wear
        "spread", "loss", "ragged", "fade" and "breaks" are looked at.
    rng : numpy.random.Generator

    Returns
    -------
    float32 array of shape (H + 12, W + 12)
        1.0 for ink, with six pixels of paper on each side.
    """
    spread, loss, ragged, fade = (wear(name) for name in ("spread", "loss", "ragged", "fade"))
    ink = np.pad(drawn.pixels, GROUND)
    if not (spread or loss or ragged or fade):
        printed = ink * np.float32(1 / 255)
    else:
        # What is left of a blurred stroke above a level is wider or narrower than the stroke, and
        # uneven levels make its edges ragged.
        radius = _STROKE * (0.25 + 0.2 * min(spread + loss, 2.0))
        # Hairlines would be lost in the blur; they may thin, but most of them are printed.
        floor = 0.8 - 0.2 * min(loss, 1.6)
        soft = np.maximum(blurred(ink, radius), ink * np.float32(floor / 255))
        level = 0.5 - 0.17 * min(spread, 1.8) + 0.1 * min(loss, 1.6)
        noise = _unevenness(ink.shape, ragged, fade, rng)
        # Where there was no ink at all, none comes from the noise.
        soft += noise * np.minimum(soft * 8, 1)
        edge = np.float32(1 / rng.uniform(0.15, 0.4))
        printed = np.clip((soft - np.float32(level)) * edge + np.float32(0.5), 0, 1)
        printed *= soft > 0.02
    if drawn.force is not None:
        printed = printed * np.pad(drawn.force, GROUND, mode="edge")
    if breaks := wear("breaks"):
        _break(printed, breaks, rng)
    return printed.astype(np.float32, copy=False)


def _unevenness(shape: tuple[int, int], ragged: float, fade: float, rng: Generator) -> Array:
    """Return how much more or less ink is left in each place."""
    # All of it is drawn on the grid of the finest noise, and stretched once.
    grain = 0.7 * _STROKE
    grid = int(shape[0] / grain) + 2, int(shape[1] / grain) + 2
    noise = cloud(grid, rng, 1.6 / 0.7) * np.float32(0.10 * ragged)
    noise += rng.standard_normal(grid, np.float32) * np.float32(0.07 * ragged)
    if fade:
        wide = X_HEIGHT * rng.uniform(0.8, 6.0)
        noise -= np.abs(cloud(grid, rng, wide / grain)) * np.float32(0.15 * fade)
    return enlarge(noise, shape)


def _break(printed: Array, strength: float, rng: Generator) -> None:
    """Leave strips without ink, along or across the line, in place."""
    height, width = printed.shape
    for _ in range(1 + int(rng.poisson(strength))):
        thick = max(1, round(rng.uniform(0.03, 0.12) * X_HEIGHT * (1 + strength)))
        rest = np.float32(rng.uniform(0, 0.5))
        if rng.random() < 0.5:
            row = int(rng.integers(height))
            start, end = np.sort(rng.integers(0, width + 1, 2))
            printed[row : row + thick, start:end] *= rest
        else:
            column = int(rng.integers(width))
            printed[:, column : column + thick] *= rest
