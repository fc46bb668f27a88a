"""Sums of the parts of an output, kraken's way to write residual blocks."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.masking import zero_beyond

__all__ = ["Addition"]


class Addition(Layer):
    """Cut channels or rows into chunks of one size, and add the chunks up.

    ``y[c] = x[c] + x[chunk + c] + x[2 * chunk + c] + ...``. Behind a `Parallel` of layers that
    give `chunk` channels each, it adds what they give.

    Parameters
    ----------
    chunk : int
        Channels (features) or rows of the output; those of the input are a multiple of it.
    axis : {"channels", "height"}, default="channels"
        Height is for images only.

    Raises
    ------
    ValueError
        If `chunk` is below 1 or the axis is unknown.

    References
    ----------
    kraken's VGSL, ``A<axis>,<chunk>``, with axis 1 for the height and 3 for the channels.

    Examples
    --------
    A residual block:

    >>> from ocrlstm.layers import Convolution, Identity, Parallel, Stacked
    >>> block = Stacked(Parallel(Convolution(8, 3), Identity()), Addition(8))
    >>> block.plan((48, None, 8))[0]
    (48, None, 8)
    """

    def __init__(self, chunk: int, axis: Literal["channels", "height"] = "channels") -> None:
        if chunk < 1:
            raise ValueError(f"a chunk has at least 1 row or channel, not {chunk}")
        if axis not in ("channels", "height"):
            raise ValueError(f"axis must be channels or height, not {axis!r}")
        super().__init__()
        self.chunk = chunk
        self.axis = axis
        self._saved: tuple[tuple[int, ...], Array] | None = None

    def __repr__(self) -> str:
        axis = "" if self.axis == "channels" else f", {self.axis!r}"
        return f"Addition({self.chunk}{axis})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images or, if channels are added, for sequences; see `Layer.plan`."""
        if self.axis == "height" and len(input_shape) != 3:
            raise ValueError(f"only images have rows to add up, not {input_shape}")
        size = input_shape[0 if self.axis == "height" else -1]
        if size is None or size % self.chunk:
            kind = "rows" if self.axis == "height" else "channels"
            raise ValueError(f"{size} {kind} cannot be cut into chunks of {self.chunk}")
        if self.axis == "height":
            return (self.chunk, *input_shape[1:]), {}
        return (*input_shape[:-1], self.chunk), {}

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the sum of the chunks; see `Layer.forward`."""
        if training:
            self._saved = (x.shape, lengths)
        parts, axis = self._parts(x.shape)
        y = x.reshape(parts).sum(axis=axis)
        zero_beyond(y, lengths)
        return y, lengths

    def backward(self, dy: Array) -> Array:
        """Return `dy` for every chunk; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (shape, lengths), self._saved = self._saved, None
        parts, axis = self._parts(shape)
        dx = np.empty(shape, dy.dtype)
        dx.reshape(parts)[...] = np.expand_dims(dy, axis)
        zero_beyond(dx, lengths)
        return dx

    def _parts(self, shape: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """Return the input's shape with an axis for the chunks, and which that is."""
        if self.axis == "height":
            return (shape[0], shape[1] // self.chunk, self.chunk, *shape[2:]), 1
        return (*shape[:-1], shape[-1] // self.chunk, self.chunk), len(shape) - 1
