"""Max and average pooling of one image in plain NumPy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

__all__ = ["average_backward", "average_forward", "max_backward", "max_forward"]

Pair = tuple[int, int]
Window = tuple[tuple[int, int], tuple[slice, slice]]


def max_forward(x: np.ndarray, size: Pair, stride: Pair, padding: Pair) -> np.ndarray:
    """Return the largest value of every whole window of `x` (H, W, C)."""
    y = np.empty(_output_shape(x.shape, size, stride, padding), x.dtype)
    for place, window in _windows(x.shape, size, stride, padding):
        y[place] = x[window].max(axis=(0, 1))
    return y


def max_backward(
    dy: np.ndarray, x: np.ndarray, size: Pair, stride: Pair, padding: Pair
) -> np.ndarray:
    """Return the gradient of the input: each window's goes to its first largest value."""
    dx = np.zeros_like(x)
    for place, window in _windows(x.shape, size, stride, padding):
        for k in range(x.shape[2]):
            pixels = x[window][..., k]
            winner = np.unravel_index(np.argmax(pixels), pixels.shape)
            dx[window][..., k][winner] += dy[place][k]
    return dx


def average_forward(x: np.ndarray, size: Pair, stride: Pair, padding: Pair) -> np.ndarray:
    """Return the mean of every whole window of `x` (H, W, C); padding does not count."""
    y = np.empty(_output_shape(x.shape, size, stride, padding), x.dtype)
    for place, window in _windows(x.shape, size, stride, padding):
        y[place] = x[window].mean(axis=(0, 1))
    return y


def average_backward(
    dy: np.ndarray, x: np.ndarray, size: Pair, stride: Pair, padding: Pair
) -> np.ndarray:
    """Return the gradient of the input: each window's in equal shares to its pixels."""
    dx = np.zeros_like(x)
    for place, window in _windows(x.shape, size, stride, padding):
        dx[window] += dy[place] / x[window][..., 0].size
    return dx


def _output_shape(
    shape: tuple[int, ...], size: Pair, stride: Pair, padding: Pair
) -> tuple[int, int, int]:
    rows, columns = (
        (shape[axis] + 2 * padding[axis] - size[axis]) // stride[axis] + 1 for axis in (0, 1)
    )
    return max(rows, 0), max(columns, 0), shape[2]


def _windows(shape: tuple[int, ...], size: Pair, stride: Pair, padding: Pair) -> Iterator[Window]:
    """Yield the place of every window in the output, and its pixels in the input."""
    for r, c in np.ndindex(_output_shape(shape, size, stride, padding)[:2]):
        top, left = r * stride[0] - padding[0], c * stride[1] - padding[1]
        rows = slice(max(top, 0), top + size[0])
        yield (r, c), (rows, slice(max(left, 0), left + size[1]))
