"""Two-dimensional convolution of one image in plain NumPy."""

from __future__ import annotations

import numpy as np

__all__ = ["backward", "forward"]

Pair = tuple[int, int]


def forward(
    x: np.ndarray,
    weights: np.ndarray,
    bias: np.ndarray,
    stride: Pair,
    padding: Pair,
    dilation: Pair,
) -> np.ndarray:
    """Return the convolution of `x` (H, W, C) with `weights` (kh, kw, C, K), zero outside.

    In the habit of neural networks this is a cross-correlation: the kernel is not flipped.
    """
    kh, kw = _reach(weights, dilation)
    padded = np.pad(x, ((padding[0],) * 2, (padding[1],) * 2, (0, 0)))
    rows = (padded.shape[0] - kh) // stride[0] + 1
    columns = (padded.shape[1] - kw) // stride[1] + 1
    y = np.empty((max(rows, 0), max(columns, 0), weights.shape[3]), x.dtype)
    for r in range(y.shape[0]):
        for c in range(y.shape[1]):
            top, left = r * stride[0], c * stride[1]
            patch = padded[top : top + kh : dilation[0], left : left + kw : dilation[1]]
            y[r, c] = np.tensordot(patch, weights, 3) + bias
    return y


def backward(
    dy: np.ndarray,
    x: np.ndarray,
    weights: np.ndarray,
    stride: Pair,
    padding: Pair,
    dilation: Pair,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the gradients of input, weights and bias for the output gradient `dy` (H', W', K)."""
    kh, kw = _reach(weights, dilation)
    padded = np.pad(x, ((padding[0],) * 2, (padding[1],) * 2, (0, 0)))
    dpadded = np.zeros_like(padded)
    dweights = np.zeros_like(weights)
    for r in range(dy.shape[0]):
        for c in range(dy.shape[1]):
            top, left = r * stride[0], c * stride[1]
            places = np.s_[top : top + kh : dilation[0], left : left + kw : dilation[1]]
            dweights += padded[places][..., None] * dy[r, c]
            dpadded[places] += weights @ dy[r, c]
    height, width = x.shape[:2]
    dx = dpadded[padding[0] : padding[0] + height, padding[1] : padding[1] + width]
    return dx, dweights, dy.sum(axis=(0, 1))


def _reach(weights: np.ndarray, dilation: Pair) -> Pair:
    kh, kw = weights.shape[:2]
    return (kh - 1) * dilation[0] + 1, (kw - 1) * dilation[1] + 1
