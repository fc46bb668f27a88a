"""From images to sequences: every column of an image becomes a frame."""

from __future__ import annotations

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Columns"]


class Columns(Layer):
    """Turn images (N, H, W, C) into sequences (T=W, N, H*C): VGSL's ``S1(1x0)1,3``."""

    def __init__(self) -> None:
        super().__init__()
        self._shape: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        return "Columns()"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images (height, width, channels); see `Layer.plan`."""
        if len(input_shape) != 3 or input_shape[0] is None or input_shape[2] is None:
            raise ValueError(f"only images have columns, not {input_shape}")
        return (input_shape[1], input_shape[0] * input_shape[2]), {}

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the columns, top row first, as frames; see `Layer.forward`."""
        items, height, width, channels = x.shape
        if training:
            self._shape = x.shape
        columns = x.transpose(2, 0, 1, 3).reshape(width, items, height * channels)
        return np.ascontiguousarray(columns), lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient as an image; see `Layer.backward`."""
        if self._shape is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        items, height, width, channels = self._shape
        self._shape = None
        images = dy.reshape(width, items, height, channels).transpose(1, 2, 0, 3)
        return np.ascontiguousarray(images)
