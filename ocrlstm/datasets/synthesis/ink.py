"""A drawn line before anything happened to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ink", "crop_ink"]


@dataclass(frozen=True, eq=False)
class Ink:
    """Where ink lies.

    Attributes
    ----------
    pixels : uint8 array of shape (H, W)
        255 for ink, 0 for paper; no blank row or column at the edges.
    baseline : int
        The row below the feet of the letters; may lie outside for a line of quotation marks.
    force : float32 array of shape (W,), or None
        How black each column is, from 0 to 1, where letters are struck one by one.
    """

    pixels: NDArray[np.uint8]
    baseline: int
    force: NDArray[np.float32] | None = None


def crop_ink(
    canvas: NDArray[np.uint8], baseline: int, force: NDArray[np.float32] | None = None
) -> Ink:
    """Cut away rows and columns without ink.

    Parameters
    ----------
    canvas : uint8 array of shape (H, W)
    baseline : int
        Row of `canvas`.
    force : float32 array of shape (W,), optional
        See `Ink`.

    Returns
    -------
    Ink
        Of one blank pixel if there is no ink at all.
    """
    rows = np.flatnonzero(canvas.max(axis=1))
    if len(rows) == 0:
        return Ink(np.zeros((1, 1), np.uint8), 0)
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    columns = np.flatnonzero(canvas[top:bottom].max(axis=0))
    left, right = int(columns[0]), int(columns[-1]) + 1
    pixels = np.ascontiguousarray(canvas[top:bottom, left:right])
    return Ink(pixels, baseline - top, None if force is None else force[left:right])
