"""Max pooling."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels import pooling as kernel
from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array
from ocrlstm.layers.windows import Windows

__all__ = ["MaxPool"]


class MaxPool(Windows):
    """Keep the largest value of every window, channel by channel.

    Parameters
    ----------
    size : int or (int, int)
        Height and width of a window, at most 256 pixels in all.
    stride : int or (int, int), optional
        Default: the size, so that windows touch. Rows and columns that fill no whole window are
        left out.
    padding : int or (int, int), default=0
        How far windows may reach over the borders, at most half the size; padding never wins.

    Raises
    ------
    ValueError
        If a number is too small, the window too large or the padding more than half of it.

    Notes
    -----
    ``y[r, c] = max of x[r sy - py + i, c sx - px + j]``; the gradient goes to the first of the
    largest. Ranzato et al., *Unsupervised learning of invariant feature hierarchies*, CVPR 2007.
    """

    def __init__(
        self,
        size: int | tuple[int, int],
        stride: int | tuple[int, int] | None = None,
        padding: int | tuple[int, int] = 0,
    ) -> None:
        super().__init__(size, stride, padding)
        if self.size[0] * self.size[1] > 256:  # the kernel notes winners in one byte
            raise ValueError(f"a window of max pooling holds at most 256 pixels, not {self.size}")
        self._saved: tuple[Array, tuple[int, ...], Array, Array] | None = None

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the pooled images; see `Layer.forward`."""
        out_lengths = self.output_lengths(lengths)
        y = self._empty_output(x, out_lengths)
        winners = np.empty(y.shape if training else (0, 0, 0, 0), np.uint8)

        def pool(low: int, high: int) -> None:
            kernel.max_forward(
                x[low:high], lengths[low:high], self.size, self.stride, self.padding,
                y[low:high], winners[low:high], out_lengths[low:high],
            )  # fmt: skip

        run_parallel(pool, split(x.shape[0]))
        if training:
            self._saved = (winners, x.shape, lengths, out_lengths)
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        winners, shape, lengths, out_lengths = self._saved
        self._saved = None
        dx = np.empty(shape, dy.dtype)

        def unpool(low: int, high: int) -> None:
            kernel.max_backward(
                dy[low:high], lengths[low:high], winners[low:high], self.size, self.stride,
                self.padding, out_lengths[low:high], dx[low:high],
            )  # fmt: skip

        run_parallel(unpool, split(shape[0]))
        return dx
