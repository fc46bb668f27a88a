"""Distort a normalised line for training, so that few lines teach what many would."""

import numpy as np

from ocrlstm.lines.degrade import degrade
from ocrlstm.lines.warp import warp

__all__ = ["augment"]


def augment(pixels: np.ndarray, rng: np.random.Generator, strength: float = 1.0) -> np.ndarray:
    """Distort a normalised line as another print, press or scanner might have.

    First the shape (`warp`), then ink and paper (`degrade`).

    Parameters
    ----------
    pixels : ndarray of shape (H, W), float32 in [0, 1]
        Ink 1.0, paper 0.0.
    rng : numpy.random.Generator
        The same state gives the same line.
    strength : float, default=1.0
        0 changes nothing, 2 distorts twice as far.

    Returns
    -------
    ndarray of shape (H, W'), float32 in [0, 1], C-contiguous
        A new array. W' lies near W, and is never below 33, the least that a normalised line has.
    """
    if strength < 0:
        raise ValueError(f"strength is 0 or more, not {strength}")
    if strength == 0:
        return np.array(pixels, np.float32, order="C")
    warped = warp(np.ascontiguousarray(pixels, np.float32), rng, strength)
    return degrade(warped, rng, strength)
