"""Linear maps of many vectors at once, and their gradients, spread over threads."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array

__all__ = ["affine", "affine_gradients", "input_gradient"]

# Vectors a job. The cut depends on nothing else, and so does every digit of the sums.
_ROWS = 1024


def affine(x: Array, weights: Array, bias: Array | None = None) -> Array:
    """Return ``x W^T + b``.

    Parameters
    ----------
    x : ndarray, shape (R, F)
    weights : ndarray, shape (K, F)
    bias : ndarray, shape (K,), optional

    Returns
    -------
    ndarray, shape (R, K)
    """
    z = np.empty((len(x), len(weights)), x.dtype)

    def multiply(low: int, high: int) -> None:
        np.matmul(x[low:high], weights.T, out=z[low:high])
        if bias is not None:
            z[low:high] += bias

    run_parallel(multiply, _portions(len(x)))
    return z


def input_gradient(weights: Array, dz: Array) -> Array:
    """Return ``dz W``, the gradient of `affine`'s ``x``.

    Parameters
    ----------
    weights : ndarray, shape (K, F)
    dz : ndarray, shape (R, K)

    Returns
    -------
    ndarray, shape (R, F)
    """
    dx = np.empty((len(dz), weights.shape[1]), dz.dtype)

    def multiply(low: int, high: int) -> None:
        np.matmul(dz[low:high], weights, out=dx[low:high])

    run_parallel(multiply, _portions(len(dz)))
    return dx


def affine_gradients(x: Array, dz: Array, dweights: Array, dbias: Array | None = None) -> None:
    """Compute the gradients of `affine`'s weights, ``dz^T x``, and bias, the sum of ``dz``.

    Parameters
    ----------
    x : ndarray, shape (R, F)
    dz : ndarray, shape (R, K)
    dweights : ndarray, shape (K, F)
        Receives the gradient of the weights.
    dbias : ndarray, shape (K,), optional
        Receives that of the bias.
    """
    dweights[...] = 0
    if dbias is not None:
        dbias[...] = 0

    def multiply(low: int, high: int) -> tuple[Array, Array | None]:
        part = dz[low:high]
        return part.T @ x[low:high], None if dbias is None else part.sum(axis=0)

    for matrix, vector in run_parallel(multiply, _portions(len(x))):
        dweights += matrix
        if dbias is not None:
            dbias += vector


def _portions(rows: int) -> list[tuple[int, int]]:
    return split(rows, -(-rows // _ROWS))
