"""The softmax of many rows and its gradient, each row in one go while it is in the cache."""

from __future__ import annotations

import numpy as np
from numba import njit

from ocrlstm.kernels.exponential import exp

__all__ = ["backward", "forward"]

# As `ocrlstm.kernels.compiled`, but sums of a row may be taken in another order: in vectors.
_compiled = njit(
    nogil=True, cache=True, fastmath={"contract", "nsz", "reassoc"}, error_model="numpy"
)


@_compiled
def forward(scores, bias, scale, inside, log):  # type: ignore[no-untyped-def]
    """Replace scores by their posteriors or the logarithms of these.

    Parameters
    ----------
    scores : ndarray, shape (R, C), C-contiguous
        Overwritten.
    bias : ndarray, shape (C,)
        Added to the scores of each row.
    scale : float, of the same type
        One over the temperature; multiplied to the sum of scores and bias.
    inside : ndarray of bool, shape (R,)
        Rows that are not inside become 0.
    log : bool
    """
    rows, classes = scores.shape
    zero = scores.dtype.type(0)
    one = scores.dtype.type(1)
    for r in range(rows):
        row = scores[r]
        if not inside[r]:
            row[:] = zero
            continue
        for c in range(classes):
            row[c] = (row[c] + bias[c]) * scale
        largest = row[0]
        for c in range(1, classes):
            largest = max(largest, row[c])
        total = zero
        if log:
            for c in range(classes):
                row[c] -= largest
                total += exp(row[c])
            logarithm = np.log(total)
            for c in range(classes):
                row[c] -= logarithm
        else:
            for c in range(classes):
                row[c] = exp(row[c] - largest)
                total += row[c]
            share = one / total
            for c in range(classes):
                row[c] *= share


@_compiled
def backward(dy, y, scale, inside, log, dz):  # type: ignore[no-untyped-def]
    """Compute the gradient of the scores.

    Parameters
    ----------
    dy, y : ndarray, shape (R, C), C-contiguous
        Gradient of the output, and the output.
    scale, inside, log
        As in `forward`.
    dz : ndarray, shape (R, C), C-contiguous
        Overwritten with ``scale (dy - exp(y) sum(dy))`` or, unless `log`,
        ``scale y (dy - sum(y dy))``; 0 in rows that are not inside.
    """
    rows, classes = dy.shape
    zero = dy.dtype.type(0)
    for r in range(rows):
        if not inside[r]:
            dz[r] = zero
            continue
        total = zero
        if log:
            for c in range(classes):
                total += dy[r, c]
            for c in range(classes):
                dz[r, c] = (dy[r, c] - exp(y[r, c]) * total) * scale
        else:
            for c in range(classes):
                total += y[r, c] * dy[r, c]
            for c in range(classes):
                dz[r, c] = y[r, c] * (dy[r, c] - total) * scale
