"""The channels of one pixel divided by their norm, in plain NumPy."""

from __future__ import annotations

import numpy as np

__all__ = ["unit_backward", "unit_forward"]


def unit_forward(x: np.ndarray, order: int, epsilon: float) -> tuple[np.ndarray, float]:
    """Return `x` (C,) over its norm, and one over the norm; both 0 where `x` is."""
    if not x.any():
        return np.zeros_like(x), 0.0
    norm = np.abs(x).sum() + epsilon if order == 1 else np.sqrt((x * x).sum() + epsilon**2)
    return x / norm, 1 / norm


def unit_backward(dy: np.ndarray, y: np.ndarray, inverse: float, order: int) -> np.ndarray:
    """Return the gradient of the input (C,)."""
    direction = np.sign(y) if order == 1 else y
    return (dy - direction * (dy * y).sum()) * inverse
