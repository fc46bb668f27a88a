"""Sums a channel of one item, and lines drawn through its values, in plain NumPy.

`x` and `dy` are an item's valid part: (H, W, C) of an image or (T, F) of a sequence. Values a
channel are (C,).
"""

from __future__ import annotations

import numpy as np

__all__ = ["combine", "deviations", "products", "scale", "sums"]

Array = np.ndarray


def sums(x: Array) -> Array:
    """Sum every channel."""
    return x.reshape(-1, x.shape[-1]).sum(axis=0, dtype=np.float64)


def deviations(x: Array, centre: Array) -> Array:
    """Sum the squares ``(x - centre)**2`` of every channel."""
    return sums((x - centre) ** 2)


def scale(x: Array, centre: Array, factor: Array, shift: Array) -> Array:
    """Return ``(x - centre) * factor + shift``."""
    return (x - centre) * factor + shift


def products(dy: Array, x: Array, centre: Array) -> tuple[Array, Array]:
    """Sum ``dy`` and ``dy * (x - centre)`` of every channel."""
    return sums(dy), sums(dy * (x - centre))


def combine(dy: Array, x: Array, centre: Array, of_dy: Array, of_x: Array, shift: Array) -> Array:
    """Return ``dy * of_dy + (x - centre) * of_x + shift``."""
    return dy * of_dy + (x - centre) * of_x + shift
