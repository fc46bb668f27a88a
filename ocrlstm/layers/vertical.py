"""A layer of sequences that reads the columns of images."""

from __future__ import annotations

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.masking import valid
from ocrlstm.layers.wrapper import Wrapper

__all__ = ["Vertical"]


class Vertical(Wrapper):
    """Run a layer over every column of images, from the top row to the bottom: VGSL's ``y``.

    A column is a sequence of as many frames as the image has rows; columns beyond an image's width
    are left out. With ``Reversed(layer)`` inside, columns are read from bottom to top.

    Parameters
    ----------
    layer : Layer
        Takes sequences. Its frames become the rows of the output: all of them, or one where it
        gives only the last, as with ``LSTM(n, sequences=False)``.
    """

    def __init__(self, layer: Layer) -> None:
        super().__init__(layer)
        self._inside: Array | None = None

    def inner_shape(self, input_shape: Shape) -> Shape:
        """Return a column's shape (height, channels)."""
        if len(input_shape) != 3 or input_shape[0] is None:
            raise ValueError(f"Vertical takes images (height, width, channels), not {input_shape}")
        return (input_shape[0], input_shape[2])

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan the layer inside for columns (height, channels); see `Layer.plan`."""
        shape, weights = self.layer.plan(self.inner_shape(input_shape))
        if len(shape) != 2 or shape[0] is None:
            raise ValueError(f"{self.layer!r} makes {shape} of a column, not a sequence")
        return (shape[0], input_shape[1], shape[1]), weights

    def products(self, input_shape: Shape) -> int:
        """Count those of the layer inside for all rows; see `Layer.products`."""
        return super().products(input_shape) * (input_shape[0] or 1)

    def output_lengths(self, lengths: Array) -> Array:
        """Return the same lengths: the width stays."""
        return lengths

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return images (N, H', W, F) of the layer's outputs; see `Layer.forward`."""
        height = x.shape[1]
        inside = valid(x, lengths)[:, 0, :, 0]
        columns = _columns(x, inside)
        heights = np.full(columns.shape[1], height, np.int64)
        y, _ = self.layer.forward(columns, heights, training)
        if training:
            self._inside = inside
        return _images(y, inside), lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the images; see `Layer.backward`."""
        if self._inside is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        inside, self._inside = self._inside, None
        self.layer.input_gradient = self.input_gradient
        dx = self.layer.backward(_columns(dy, inside))
        return _images(dx, inside) if self.input_gradient else dx


def _columns(x: Array, inside: Array) -> Array:
    """Return the columns of images (N, H, W, C) that are `inside` (N, W), as (H, columns, C)."""
    return np.ascontiguousarray(x.transpose(1, 0, 2, 3)[:, inside])


def _images(columns: Array, inside: Array) -> Array:
    """Put columns back where `_columns` took them; the others are zero."""
    items, width = inside.shape
    y = np.zeros((items, columns.shape[0], width, columns.shape[2]), columns.dtype)
    y.transpose(1, 0, 2, 3)[:, inside] = columns
    return y
