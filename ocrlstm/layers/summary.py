"""The last frame, column or row of every item alone."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.masking import zero_beyond

__all__ = ["Summary", "last_frame", "spread_frame"]


class Summary(Layer):
    """Keep the last valid frame or column, or the last row: VGSL's ``s`` after a recurrent layer.

    Parameters
    ----------
    axis : {"x", "y"}, default="x"
        "x": sequences become sequences of one frame (a vector each), images one column wide. "y":
        images become one row high.

    Notes
    -----
    An item without a valid frame gives none. Behind a layer that reads backwards, as `Reversed`,
    the summary is the first frame: use the `sequences` argument of the recurrent layers there.
    """

    def __init__(self, axis: Literal["x", "y"] = "x") -> None:
        if axis not in ("x", "y"):
            raise ValueError(f"a summary goes over axis 'x' or 'y', not {axis!r}")
        super().__init__()
        self.axis = axis
        self._saved: tuple[tuple[int, ...], Array] | None = None

    def __repr__(self) -> str:
        return f"Summary({self.axis!r})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images, or over x for sequences too; see `Layer.plan`."""
        if len(input_shape) == 2 and self.axis == "x":
            return (1, input_shape[1]), {}
        if len(input_shape) != 3:
            raise ValueError(f"only images (height, width, channels) have rows, not {input_shape}")
        height, width, channels = input_shape
        return ((height, 1, channels) if self.axis == "x" else (1, width, channels)), {}

    def output_lengths(self, lengths: Array) -> Array:
        """Return 1, or 0 for what is empty; over y the lengths stay."""
        return np.minimum(lengths, 1) if self.axis == "x" else lengths

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return what is kept; see `Layer.forward`."""
        if training:
            self._saved = (x.shape, lengths)
        if self.axis == "y":
            y = x[:, -1:].copy()
            zero_beyond(y, lengths)
        elif x.ndim == 3:
            y = last_frame(x, lengths)
        else:
            y = np.zeros((x.shape[0], x.shape[1], 1, x.shape[3]), x.dtype)
            items = np.flatnonzero(lengths)
            y[items, :, 0] = x[items, :, lengths[items] - 1]
        return y, self.output_lengths(lengths)

    def backward(self, dy: Array) -> Array:
        """Put the gradient where its value came from; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (shape, lengths), self._saved = self._saved, None
        if self.axis == "x" and len(shape) == 3:
            return spread_frame(dy, lengths, shape[0])
        dx = np.zeros(shape, dy.dtype)
        if self.axis == "y":
            for image, gradient, length in zip(dx, dy, lengths, strict=True):
                image[-1, :length] = gradient[0, :length]
        else:
            items = np.flatnonzero(lengths)
            dx[items, :, lengths[items] - 1] = dy[items, :, 0]
        return dx


def last_frame(x: Array, lengths: Array) -> Array:
    """Return the last valid frame of every sequence, zero where there is none.

    Parameters
    ----------
    x : ndarray, shape (T, N, F)
    lengths : ndarray of int64, shape (N,)

    Returns
    -------
    ndarray, shape (1, N, F)
    """
    y = np.zeros((1, *x.shape[1:]), x.dtype)
    items = np.flatnonzero(lengths)
    y[0, items] = x[lengths[items] - 1, items]
    return y


def spread_frame(dy: Array, lengths: Array, frames: int) -> Array:
    """Return the gradient (frames, N, F) of what `last_frame` was given, for that of its result."""
    dx = np.zeros((frames, *dy.shape[1:]), dy.dtype)
    items = np.flatnonzero(lengths)
    dx[lengths[items] - 1, items] = dy[0, items]
    return dx
