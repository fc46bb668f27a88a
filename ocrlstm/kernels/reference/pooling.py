"""Max pooling of one image in plain NumPy."""

from __future__ import annotations

import numpy as np

__all__ = ["max_backward", "max_forward"]

Pair = tuple[int, int]


def max_forward(x: np.ndarray, size: Pair, stride: Pair) -> np.ndarray:
    """Return the largest value of every whole window of `x` (H, W, C)."""
    rows = (x.shape[0] - size[0]) // stride[0] + 1
    columns = (x.shape[1] - size[1]) // stride[1] + 1
    y = np.empty((max(rows, 0), max(columns, 0), x.shape[2]), x.dtype)
    for r, c in np.ndindex(y.shape[:2]):
        top, left = r * stride[0], c * stride[1]
        y[r, c] = x[top : top + size[0], left : left + size[1]].max(axis=(0, 1))
    return y


def max_backward(dy: np.ndarray, x: np.ndarray, size: Pair, stride: Pair) -> np.ndarray:
    """Return the gradient of the input: each window's goes to its first largest value."""
    dx = np.zeros_like(x)
    for r, c, k in np.ndindex(dy.shape):
        top, left = r * stride[0], c * stride[1]
        window = x[top : top + size[0], left : left + size[1], k]
        ky, kx = np.unravel_index(np.argmax(window), window.shape)
        dx[top + ky, left + kx, k] += dy[r, c, k]
    return dx
