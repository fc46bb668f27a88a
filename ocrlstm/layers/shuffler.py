"""Pixel shuffle: channels become blocks of pixels, or blocks become channels."""

from __future__ import annotations

import math

import numpy as np

from ocrlstm.kernels import blocks as kernel
from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.pairs import pair

__all__ = ["Shuffler"]


class Shuffler(Layer):
    """Lay the channels of every pixel out as a block of pixels, or the other way round.

    Parameters
    ----------
    factor : int or (int, int)
        Height and width of a block, fy and fx.
    inverse : bool, default=False
        False takes images (H, W, C fy fx) and gives (H fy, W fx, C). True is the way back, VGSL's
        ``S fy,fx``: the height must be a multiple of fy; columns that fill no whole block are left
        out.

    Raises
    ------
    ValueError
        If the factor is below 1.

    Notes
    -----
    ``y[r fy + i, c fx + j, k] = x[r, c, (k fy + i) fx + j]``, PyTorch's order of channels. Shi et
    al., *Real-time single image and video super-resolution using an efficient sub-pixel
    convolutional neural network*, CVPR 2016, equation 4.
    """

    def __init__(self, factor: int | tuple[int, int], inverse: bool = False) -> None:
        super().__init__()
        self.factor = pair(factor, "the factor of a pixel shuffle")
        self.inverse = inverse
        self._saved: tuple[tuple[int, ...], Array] | None = None

    def __repr__(self) -> str:
        return f"Shuffler({self.factor}{', inverse=True' if self.inverse else ''})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images (height, width, channels); see `Layer.plan`."""
        if len(input_shape) != 3 or input_shape[0] is None or input_shape[2] is None:
            raise ValueError(
                f"a pixel shuffle takes images (height, width, channels), not {input_shape}"
            )
        height, width, channels = input_shape[0], input_shape[1], input_shape[2]
        (fy, fx), block = self.factor, math.prod(self.factor)
        if not self.inverse:
            if channels % block:
                raise ValueError(f"{channels} channels do not fill blocks of {fy}x{fx} pixels")
            return (height * fy, None if width is None else width * fx, channels // block), {}
        if height % fy:
            raise ValueError(f"height {height} is no multiple of {fy}, the height of a block")
        if width is not None and width < fx:
            raise ValueError(f"blocks {fx} wide do not fit width {width}")
        return (height // fy, None if width is None else width // fx, channels * block), {}

    def output_lengths(self, lengths: Array) -> Array:
        """Return the valid columns of the output."""
        return lengths // self.factor[1] if self.inverse else lengths * self.factor[1]

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the shuffled images; see `Layer.forward`."""
        out_lengths = self.output_lengths(lengths)
        (fy, _), block = self.factor, math.prod(self.factor)
        items, height, _, channels = x.shape
        rows = height // fy if self.inverse else height * fy
        deep = channels * block if self.inverse else channels // block
        y = np.empty((items, rows, int(out_lengths.max(initial=0)), deep), x.dtype)
        if training:
            self._saved = (x.shape, lengths)
        self._exchange(x, y, self.inverse, out_lengths if self.inverse else lengths)
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input: shuffled back; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        shape, lengths = self._saved
        self._saved = None
        dx = np.empty(shape, dy.dtype)
        whole = self.output_lengths(lengths) if self.inverse else lengths
        self._exchange(dy, dx, not self.inverse, whole)
        return dx

    def _exchange(self, x: Array, y: Array, to_channels: bool, widths: Array) -> None:
        """Fill `y` from `x`; `widths` counts the columns of the image whose channels are many."""
        move = kernel.blocks_to_channels if to_channels else kernel.channels_to_blocks

        def exchange(low: int, high: int) -> None:
            move(x[low:high], widths[low:high], self.factor, y[low:high])

        run_parallel(exchange, split(x.shape[0]))
