"""A layer that reads its sequences from the end, or its images from the bottom."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.recurrent import Recurrent
from ocrlstm.layers.wrapper import Wrapper

__all__ = ["Reversed"]


class Reversed(Wrapper):
    """Run a layer over each item backwards, and turn what it gives back again.

    Parameters
    ----------
    layer : Layer
    axis : {"x", "y"}, default="x"
        "x": the frames of sequences or the columns of images are reversed, those of each item from
        its own end (Tesseract's ``Rx``); the output from its own end too, which may be elsewhere.
        "y": the rows of images are (``Ry``).
    """

    def __init__(self, layer: Layer, axis: Literal["x", "y"] = "x") -> None:
        if axis not in ("x", "y"):
            raise ValueError(f"axis 'x' or 'y' can be reversed, not {axis!r}")
        super().__init__(layer)
        self.axis = axis
        self._lengths: tuple[Array, Array] | None = None

    def __repr__(self) -> str:
        return f"Reversed({self.layer!r})" if self.axis == "x" else f"Reversed({self.layer!r}, 'y')"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan the layer inside; see `Layer.plan`."""
        shape, weights = super().plan(input_shape)
        if self.axis == "y" and not len(input_shape) == len(shape) == 3:
            raise ValueError(
                f"rows are reversed where images become images, not of {input_shape} to {shape}"
            )
        return shape, weights

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Reverse, run the layer inside, reverse again; see `Layer.forward`."""
        if (cells := self._both_ways()) is not None:
            return cells.forward(x, lengths, training, backwards=True)
        y, out_lengths = self.layer.forward(self._reverse(x, lengths), lengths, training)
        if training:
            self._lengths = (lengths, out_lengths)
        return self._reverse(y, out_lengths), out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        self.layer.input_gradient = self.input_gradient
        if (cells := self._both_ways()) is not None:
            return cells.backward(dy)
        if self._lengths is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (lengths, out_lengths), self._lengths = self._lengths, None
        dx = self.layer.backward(self._reverse(dy, out_lengths))
        return self._reverse(dx, lengths) if self.input_gradient else dx

    def _both_ways(self) -> Recurrent | None:
        """Return the layer inside if it can read from the end by itself, without copies."""
        if self.axis == "x" and isinstance(self.layer, Recurrent) and self.layer.both_ways:
            return self.layer
        return None

    def _reverse(self, x: Array, lengths: Array) -> Array:
        """Turn what is valid round; frames and columns beyond stay where they are."""
        if self.axis == "y":
            return np.ascontiguousarray(x[:, ::-1])
        if x.ndim == 3:
            t = np.arange(x.shape[0])[:, None]
            order = np.where(t < lengths, lengths - 1 - t, t)
            return x[order, np.arange(x.shape[1])]
        y = x.copy()
        for image, source, length in zip(y, x, lengths, strict=True):
            image[:, :length] = source[:, :length][:, ::-1]
        return y
