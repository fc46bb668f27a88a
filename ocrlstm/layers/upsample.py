"""Larger or smaller images by whole factors."""

from __future__ import annotations

import math

import numpy as np

from ocrlstm.kernels import blocks as kernel
from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.pairs import pair

__all__ = ["Upsample"]


class Upsample(Layer):
    """Make a block of equal pixels of every pixel, or the mean of every block one pixel.

    Parameters
    ----------
    factor : int or (int, int)
        Height and width of a block, fy and fx.
    down : bool, default=False
        False enlarges, True takes means. Rows and columns that fill no whole block are left out.
    scale : float, default=1.0
        Factor of all values.

    Raises
    ------
    ValueError
        If the factor is below 1 or the scale not finite.

    Notes
    -----
    Up: ``y[r, c] = scale x[r // fy, c // fx]``, and a pixel's gradient is the scaled sum over its
    block. Down: ``y[r, c] = scale / (fy fx) sum x[r fy + i, c fx + j]``, and each pixel of a block
    gets the gradient with the same factor. NumPyNet's layer, there with stride -fy for down.
    """

    def __init__(
        self, factor: int | tuple[int, int], down: bool = False, scale: float = 1.0
    ) -> None:
        super().__init__()
        if not math.isfinite(scale):
            raise ValueError(f"the scale of an upsampling must be finite, not {scale}")
        self.factor = pair(factor, "the factor of an upsampling")
        self.down = down
        self.scale = scale
        self._saved: tuple[tuple[int, ...], Array] | None = None

    def __repr__(self) -> str:
        down = ", down=True" if self.down else ""
        scale = f", scale={self.scale!r}" if self.scale != 1 else ""
        return f"Upsample({self.factor}{down}{scale})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images (height, width, channels); see `Layer.plan`."""
        if len(input_shape) != 3 or input_shape[0] is None:
            raise ValueError(
                f"an upsampling takes images (height, width, channels), not {input_shape}"
            )
        height, width, channels = input_shape[0], input_shape[1], input_shape[2]
        rows, columns = self._resize(height, 0), None if width is None else self._resize(width, 1)
        if rows < 1:
            raise ValueError(f"blocks {self.factor[0]} high do not fit height {height}")
        if columns is not None and columns < 1:
            raise ValueError(f"blocks {self.factor[1]} wide do not fit width {width}")
        return (rows, columns, channels), {}

    def _resize(self, pixels: int, axis: int) -> int:
        return pixels // self.factor[axis] if self.down else pixels * self.factor[axis]

    def output_lengths(self, lengths: Array) -> Array:
        """Return the valid columns of the output."""
        return lengths // self.factor[1] if self.down else lengths * self.factor[1]

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the resized images; see `Layer.forward`."""
        out_lengths = self.output_lengths(lengths)
        rows, columns = self._resize(x.shape[1], 0), int(out_lengths.max(initial=0))
        y = np.empty((x.shape[0], rows, columns, x.shape[3]), x.dtype)
        if training:
            self._saved = (x.shape, lengths)
        if self.down:
            self._sum_blocks(x, out_lengths, y, self.scale / math.prod(self.factor))
        else:
            self._repeat_blocks(x, lengths, y, self.scale)
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        shape, lengths = self._saved
        self._saved = None
        dx = np.empty(shape, dy.dtype)
        if self.down:
            out_lengths = self.output_lengths(lengths)
            self._repeat_blocks(dy, out_lengths, dx, self.scale / math.prod(self.factor))
        else:
            self._sum_blocks(dy, lengths, dx, self.scale)
        return dx

    def _repeat_blocks(self, x: Array, lengths: Array, y: Array, scale: float) -> None:
        def repeat(low: int, high: int) -> None:
            kernel.repeat_blocks(x[low:high], lengths[low:high], self.factor, scale, y[low:high])

        run_parallel(repeat, split(x.shape[0]))

    def _sum_blocks(self, x: Array, lengths: Array, y: Array, scale: float) -> None:
        def add(low: int, high: int) -> None:
            kernel.sum_blocks(x[low:high], lengths[low:high], self.factor, scale, y[low:high])

        run_parallel(add, split(x.shape[0]))
