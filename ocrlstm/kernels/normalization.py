"""Sums over the valid pixels of each item and channel, and lines drawn through the values by them.

Sums are made in float64, one for every item and channel, so that they keep their digits and do not
depend on how items are spread over threads. What lies beyond an item's length is not read, and
zero in every array returned.

A kernel walks along a row of pixels by tiles of `K` pixels, and every place in the tile has a sum
of its own, since loops over one or two channels would be slow.
"""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.compiled import compiled
from ocrlstm.kernels.rows import run_on_rows

__all__ = ["combine", "deviations", "products", "scale", "sums"]

_TILE = 64


def sums(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Sum every channel of every item.

    Parameters
    ----------
    x : ndarray, shape (N, H, W, C) or (T, N, F)
    lengths : ndarray of int64, shape (N,)
        Valid columns or frames of each item.

    Returns
    -------
    ndarray of float64, shape (N, C)
    """
    out = _zeros(x, lengths)
    run_on_rows(_sums, x, lengths, x.reshape(-1), out)
    return _fold(out, x)


def deviations(x: np.ndarray, lengths: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Sum the squares ``(x - centre)**2`` of every channel of every item.

    Parameters
    ----------
    x, lengths
        As in `sums`.
    centre : ndarray of float64, shape (N, C)

    Returns
    -------
    ndarray of float64, shape (N, C)
    """
    out = _zeros(x, lengths)
    run_on_rows(_deviations, x, lengths, x.reshape(-1), _tile(centre, x), out)
    return _fold(out, x)


def scale(
    x: np.ndarray, lengths: np.ndarray, centre: np.ndarray, factor: np.ndarray, shift: np.ndarray
) -> np.ndarray:
    """Return ``(x - centre) * factor + shift``.

    Parameters
    ----------
    x, lengths
        As in `sums`.
    centre, factor, shift : ndarray, shape (N, C)

    Returns
    -------
    ndarray
        Of the shape and type of `x`.
    """
    y = np.zeros(x.shape, x.dtype)
    lines = [_tile(each.astype(x.dtype), x) for each in (centre, factor, shift)]
    run_on_rows(_scale, x, lengths, x.reshape(-1), *lines, y.reshape(-1))
    return y


def products(
    dy: np.ndarray, x: np.ndarray, lengths: np.ndarray, centre: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sum ``dy`` and ``dy * (x - centre)`` of every channel of every item.

    Parameters
    ----------
    dy : ndarray
        Of the shape of `x`.
    x, lengths
        As in `sums`.
    centre : ndarray of float64, shape (N, C)

    Returns
    -------
    plain, crossed : ndarray of float64, shape (N, C)
        The two sums.
    """
    plain, crossed = _zeros(x, lengths), _zeros(x, lengths)
    run_on_rows(
        _products, x, lengths, dy.reshape(-1), x.reshape(-1), _tile(centre, x), plain, crossed
    )  # fmt: skip
    return _fold(plain, x), _fold(crossed, x)


def combine(
    dy: np.ndarray,
    x: np.ndarray,
    lengths: np.ndarray,
    centre: np.ndarray,
    of_dy: np.ndarray,
    of_x: np.ndarray,
    shift: np.ndarray,
) -> np.ndarray:
    """Return ``dy * of_dy + (x - centre) * of_x + shift``.

    Parameters
    ----------
    dy : ndarray
        Of the shape of `x`.
    x, lengths
        As in `sums`.
    centre, of_dy, of_x, shift : ndarray, shape (N, C)

    Returns
    -------
    ndarray
        Of the shape and type of `x`.
    """
    dx = np.zeros(x.shape, x.dtype)
    lines = [_tile(each.astype(x.dtype), x) for each in (centre, of_dy, of_x, shift)]
    run_on_rows(_combine, x, lengths, dy.reshape(-1), x.reshape(-1), *lines, dx.reshape(-1))
    return dx


def _repeats(x: np.ndarray) -> int:
    """Return the pixels of a tile."""
    # Frames of a sequence do not lie side by side in memory: other items come between.
    return max(1, _TILE // max(1, x.shape[3])) if x.ndim == 4 else 1


def _tile(values: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Repeat values (N, C) for a tile's pixels, (N, K * C)."""
    # A copy of broadcast values has the order of its strides, unless told otherwise.
    return np.ascontiguousarray(np.tile(values, (1, _repeats(x))))


def _zeros(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return zeros for the sums (N, K * C) of a tile's pixels."""
    return np.zeros((len(lengths), _repeats(x) * x.shape[-1]))


def _fold(tiles: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Add the sums (N, K * C) of a tile's pixels up to (N, C)."""
    return tiles.reshape(len(tiles), _repeats(x), x.shape[-1]).sum(axis=1)


# The kernels take what `run_on_rows` gives, then flat arrays and tiles (N, K * C).


@compiled
def _sums(low, high, steps, rows, sizes, x, out):  # type: ignore[no-untyped-def]
    for i in range(low, high):
        total = out[i]
        for row in range(rows[i]):
            begin = i * steps[0] + row * steps[1]
            for at in range(begin, begin + sizes[i], len(total)):
                values = x[at : min(at + len(total), begin + sizes[i])]
                for c in range(len(values)):
                    total[c] += values[c]


@compiled
def _deviations(low, high, steps, rows, sizes, x, centre, out):  # type: ignore[no-untyped-def]
    for i in range(low, high):
        total, middle = out[i], centre[i]
        for row in range(rows[i]):
            begin = i * steps[0] + row * steps[1]
            for at in range(begin, begin + sizes[i], len(total)):
                values = x[at : min(at + len(total), begin + sizes[i])]
                for c in range(len(values)):
                    distance = values[c] - middle[c]
                    total[c] += distance * distance


@compiled
def _scale(low, high, steps, rows, sizes, x, centre, factor, shift, y):  # type: ignore[no-untyped-def]
    for i in range(low, high):
        middle, slope, base = centre[i], factor[i], shift[i]
        for row in range(rows[i]):
            begin = i * steps[0] + row * steps[1]
            for at in range(begin, begin + sizes[i], len(middle)):
                end = min(at + len(middle), begin + sizes[i])
                values, target = x[at:end], y[at:end]
                for c in range(len(values)):
                    target[c] = (values[c] - middle[c]) * slope[c] + base[c]


@compiled
def _products(low, high, steps, rows, sizes, dy, x, centre, plain, crossed):  # type: ignore[no-untyped-def]
    for i in range(low, high):
        first, second, middle = plain[i], crossed[i], centre[i]
        for row in range(rows[i]):
            begin = i * steps[0] + row * steps[1]
            for at in range(begin, begin + sizes[i], len(middle)):
                end = min(at + len(middle), begin + sizes[i])
                values, errors = x[at:end], dy[at:end]
                for c in range(len(values)):
                    first[c] += errors[c]
                    second[c] += errors[c] * (values[c] - middle[c])


@compiled
def _combine(low, high, steps, rows, sizes, dy, x, centre, of_dy, of_x, shift, dx):  # type: ignore[no-untyped-def]
    for i in range(low, high):
        middle, first, second, base = centre[i], of_dy[i], of_x[i], shift[i]
        for row in range(rows[i]):
            begin = i * steps[0] + row * steps[1]
            for at in range(begin, begin + sizes[i], len(middle)):
                end = min(at + len(middle), begin + sizes[i])
                values, errors, target = x[at:end], dy[at:end], dx[at:end]
                for c in range(len(values)):
                    target[c] = errors[c] * first[c] + (
                        (values[c] - middle[c]) * second[c] + base[c]
                    )
