"""Move the letters: size, slope, slant, baseline and smooth waves.

Lines were straightened and scaled before, so the changes are those that the normaliser leaves over
between one line and the next, between one fount and another. Each goes as far as its constant says
at strength 1.
"""

from dataclasses import replace

import numpy as np

from ocrlstm.lines.distortions.columns import Columns
from ocrlstm.lines.distortions.noise import smooth_noise

__all__ = ["rotate", "scale", "shear", "shift", "warp", "widen"]

_WIDTH = 0.12  # of the width
# Remains of neighbour lines in a cut spread the ink, and the normaliser then shrinks the line: more
# are smaller than usual than are larger.
_SMALLER, _LARGER = 0.3, 0.12  # logarithms
_ANGLE = 0.035  # radians, two degrees
_RISE = 0.12  # of the height, from one end of the line to the other
_SLANT = 0.15  # columns a row
_SHIFT = 0.05  # of the height
_WANDER = 0.03  # of the height, over three heights and more
_WAVE_X = 0.03  # of the height: letters wider and narrower, over one height
_WAVE_Y = 0.025  # of the height: dancing letters
_WAVE_HEIGHT = 0.04  # letters taller and lower
_WAVE_SLANT = 0.06  # columns a row


def widen(columns: Columns, rng: np.random.Generator, strength: float) -> Columns:
    """Make all letters narrower or wider."""
    return columns.stretched(np.exp(_WIDTH * strength * rng.uniform(-1.0, 1.0)))


def scale(columns: Columns, rng: np.random.Generator, strength: float) -> Columns:
    """Make all letters smaller or larger, the smaller ones anywhere in the height."""
    factor = np.exp(strength * rng.triangular(-_SMALLER, 0.0, _LARGER))
    room = max(1.0 - factor, 0.0) * columns.height / 2
    middle = (columns.height - 1) / 2
    lower = rng.uniform(-0.8, 0.8) * room
    columns = columns.stretched(factor)
    return replace(
        columns,
        y=middle + (columns.y - middle - lower) / factor,
        x_step=columns.x_step / factor,
        y_step=columns.y_step / factor,
    )


def rotate(columns: Columns, rng: np.random.Generator, strength: float) -> Columns:
    """Turn the line by an angle so small that it stays in the height."""
    most = min(_ANGLE, _RISE * columns.height / columns.width)
    slope = np.tan(min(most * strength, 0.5) * rng.uniform(-1.0, 1.0))
    return replace(columns, y=columns.y + slope * columns.along, x_step=columns.x_step - slope)


def shear(columns: Columns, rng: np.random.Generator, strength: float) -> Columns:
    """Slant all letters."""
    return replace(columns, x_step=columns.x_step + _SLANT * strength * rng.uniform(-1.0, 1.0))


def shift(columns: Columns, rng: np.random.Generator, strength: float) -> Columns:
    """Lay the baseline higher or lower, and let it wander."""
    wave = smooth_noise(rng, 1, columns.width, 3.0 * columns.height)[0]
    rows = _SHIFT * rng.uniform(-1.0, 1.0) + _WANDER * wave
    return replace(columns, y=columns.y + columns.height * strength * rows)


def warp(columns: Columns, rng: np.random.Generator, strength: float) -> Columns:
    """Give letters a place, a width, a height and a slant of their own, in smooth waves."""
    height = columns.height
    waves = strength * smooth_noise(rng, 4, columns.width, max(height, 2))
    return replace(
        columns,
        x=columns.x + _WAVE_X * height * waves[0],
        y=columns.y + _WAVE_Y * height * waves[1],
        y_step=columns.y_step * np.exp(_WAVE_HEIGHT * waves[2]),
        x_step=columns.x_step + _WAVE_SLANT * waves[3],
    )
