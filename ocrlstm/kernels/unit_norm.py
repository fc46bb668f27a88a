"""Pixels and frames divided by the norm of their channels.

What lies beyond an item's length is not read, and zero in every array returned.
"""

from __future__ import annotations

import math

import numpy as np

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.rows import run_on_rows

__all__ = ["unit_backward", "unit_forward"]


def unit_forward(
    x: np.ndarray, lengths: np.ndarray, order: int, epsilon: float
) -> tuple[np.ndarray, np.ndarray]:
    """Divide every pixel or frame by its norm.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C) or (T, N, F)
    lengths : ndarray of int64, shape (N,)
        Valid columns or frames of each item.
    order : {1, 2}
        The norm: ``sum |x| + epsilon`` or ``sqrt(sum x**2 + epsilon**2)``.
    epsilon : float

    Returns
    -------
    y : ndarray
        Of the shape and type of `x`.
    inverses : ndarray of float64, flat
        One over the norm of every pixel or frame; 0 where all its values are zero.
    """
    channels = x.shape[-1]
    y = np.zeros(x.shape, x.dtype)
    inverses = np.zeros(x.size // max(1, channels))
    run_on_rows(
        _forward, x, lengths, x.reshape(-1), channels, order, epsilon, y.reshape(-1), inverses
    )
    return y, inverses


def unit_backward(
    dy: np.ndarray, y: np.ndarray, inverses: np.ndarray, lengths: np.ndarray, order: int
) -> np.ndarray:
    """Return the gradient of the input of `unit_forward`.

    ``dx = (dy - v * sum(dy * y)) / norm`` with ``v = sign(y)`` for order 1 and ``v = y`` for order
    2; zero where the norm is.

    Parameters
    ----------
    dy : ndarray
        Of the shape of `y`.
    y, inverses
        From `unit_forward`.
    lengths, order
        As in `unit_forward`.

    Returns
    -------
    ndarray
        Of the shape and type of `y`.
    """
    dx = np.zeros(y.shape, y.dtype)
    run_on_rows(
        _backward, y, lengths, dy.reshape(-1), y.reshape(-1), inverses, y.shape[-1], order,
        dx.reshape(-1),
    )  # fmt: skip
    return dx


@compiled
def _forward(low, high, steps, rows, sizes, x, channels, order, epsilon, y, inverses):  # type: ignore[no-untyped-def]
    for i in range(low, high):
        for row in range(rows[i]):
            begin = i * steps[0] + row * steps[1]
            for at in range(begin, begin + sizes[i], channels):
                total = _size(x, at, channels) if order == 1 else _dot(x, x, at, channels)
                if total > 0.0:
                    norm = total + epsilon if order == 1 else math.sqrt(total + epsilon * epsilon)
                    inverses[at // channels] = 1.0 / norm
                    factor = x.dtype.type(1.0 / norm)
                    for c in range(at, at + channels):
                        y[c] = x[c] * factor


@compiled
def _backward(low, high, steps, rows, sizes, dy, y, inverses, channels, order, dx):  # type: ignore[no-untyped-def]
    zero = y.dtype.type(0)
    for i in range(low, high):
        for row in range(rows[i]):
            begin = i * steps[0] + row * steps[1]
            for at in range(begin, begin + sizes[i], channels):
                along = y.dtype.type(_dot(dy, y, at, channels))
                inverse = y.dtype.type(inverses[at // channels])
                if order == 1:
                    for c in range(at, at + channels):
                        above = along if y[c] > zero else zero
                        below = along if y[c] < zero else zero
                        dx[c] = (dy[c] - (above - below)) * inverse
                else:
                    for c in range(at, at + channels):
                        dx[c] = (dy[c] - along * y[c]) * inverse


# Four sums side by side, since each addition to one sum waits for that before it.


@compiled
def _size(x, at, channels):  # type: ignore[no-untyped-def]
    a = b = c = d = 0.0
    whole = at + channels // 4 * 4
    for k in range(at, whole, 4):
        a += abs(x[k])
        b += abs(x[k + 1])
        c += abs(x[k + 2])
        d += abs(x[k + 3])
    for k in range(whole, at + channels):
        a += abs(x[k])
    return (a + b) + (c + d)


@compiled
def _dot(x, y, at, channels):  # type: ignore[no-untyped-def]
    a = b = c = d = 0.0
    whole = at + channels // 4 * 4
    for k in range(at, whole, 4):
        a += np.float64(x[k]) * y[k]
        b += np.float64(x[k + 1]) * y[k + 1]
        c += np.float64(x[k + 2]) * y[k + 2]
        d += np.float64(x[k + 3]) * y[k + 3]
    for k in range(whole, at + channels):
        a += np.float64(x[k]) * y[k]
    return (a + b) + (c + d)
