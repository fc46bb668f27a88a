"""Neighbour lines that reach into the cut."""

import numpy as np

from ocrlstm.kernels.resample import resample_columns
from ocrlstm.lines.distortions.extent import ink_columns, ink_rows
from ocrlstm.lines.distortions.noise import smooth_noise

__all__ = ["add_neighbour"]

# Of the height of a normalised line: where the feet of letters without and with descenders lie, and
# their heads, seen upside down.
_FEET = (0.68, 0.92)


def add_neighbour(
    pixels: np.ndarray, rng: np.random.Generator, strength: float, other: np.ndarray
) -> np.ndarray:
    """Let lines above or below, or both, look in at the edges, as in a cut that is too generous.

    They fill the rows that the letters leave free, and go into these by up to a fourteenth of the
    height at strength 1. How deep they reach changes along the line, as the edge of a cut does.
    """
    first, last = ink_columns(pixels)
    pixels = pixels.copy()
    if last - first < 2:
        return pixels
    top, bottom = ink_rows(pixels)
    height = pixels.shape[0]
    above, below = ((True, False), (False, True), (True, True))[
        int(rng.choice(3, p=[0.4, 0.4, 0.2]))
    ]
    if above:
        _intrude(pixels[:, first:last], rng, strength, other, top)
    if below:
        _intrude(pixels[::-1, first:last], rng, strength, other[::-1], height - bottom)
    return pixels


def _intrude(
    pixels: np.ndarray, rng: np.random.Generator, strength: float, other: np.ndarray, free: int
) -> None:
    """Draw the last rows of another line upon the first ones of this, in place."""
    height, width = pixels.shape
    depth = rng.uniform(0.2, 1.0) * (free + min(0.07 * strength, 0.2) * height)
    reach = depth * (0.75 + 0.25 * smooth_noise(rng, 1, width, 2.0 * height)[0])
    rows = min(int(np.ceil(depth)), height)
    if rows == 0:
        return
    # Letters as large as those of this line or larger: where many rows are free, it was shrunk.
    step = rng.uniform(1.0, 1.0 + 1.5 * free / height)
    foot = height * rng.uniform(*_FEET)
    begin = rng.uniform(0.0, max(other.shape[1] - width * step, 0.0))
    flat = np.zeros(width)
    lent = resample_columns(
        np.ascontiguousarray(other),
        begin + step * np.arange(width),
        flat,
        foot - step * reach,
        flat + step,
        rows,
        1,
        1,
    )
    lent *= np.arange(rows)[:, None] < reach
    np.maximum(pixels[:rows], lent, out=pixels[:rows])
