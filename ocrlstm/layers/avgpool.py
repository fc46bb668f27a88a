"""Average pooling."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels import pooling as kernel
from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array
from ocrlstm.layers.windows import Windows

__all__ = ["AvgPool"]


class AvgPool(Windows):
    """Take the mean of the valid pixels of every window, channel by channel.

    Parameters
    ----------
    size : int or (int, int)
        Height and width of a window.
    stride : int or (int, int), optional
        Default: the size, so that windows touch. Rows and columns that fill no whole window are
        left out.
    padding : int or (int, int), default=0
        How far windows may reach over the borders, at most half the size. Padding is not counted:
        a window that reaches over a border has the mean of fewer pixels.

    Raises
    ------
    ValueError
        If a number is too small or the padding more than half the size.

    Notes
    -----
    ``y[r, c] = sum of the window / n``, n its pixels within the image, and each of them gets
    ``dy / n``. LeCun et al., *Gradient-based learning applied to document recognition*, Proc. IEEE
    86 (1998), there with a factor to be learned.
    """

    def __init__(
        self,
        size: int | tuple[int, int],
        stride: int | tuple[int, int] | None = None,
        padding: int | tuple[int, int] = 0,
    ) -> None:
        super().__init__(size, stride, padding)
        self._saved: tuple[tuple[int, ...], Array, Array] | None = None

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the pooled images; see `Layer.forward`."""
        out_lengths = self.output_lengths(lengths)
        y = self._empty_output(x, out_lengths)

        def pool(low: int, high: int) -> None:
            kernel.average_forward(
                x[low:high], lengths[low:high], self.size, self.stride, self.padding,
                y[low:high], out_lengths[low:high],
            )  # fmt: skip

        run_parallel(pool, split(x.shape[0]))
        if training:
            self._saved = (x.shape, lengths, out_lengths)
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        shape, lengths, out_lengths = self._saved
        self._saved = None
        dx = np.empty(shape, dy.dtype)

        def unpool(low: int, high: int) -> None:
            kernel.average_backward(
                dy[low:high], lengths[low:high], self.size, self.stride, self.padding,
                out_lengths[low:high], dx[low:high],
            )  # fmt: skip

        run_parallel(unpool, split(shape[0]))
        return dx
