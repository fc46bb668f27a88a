"""Max pooling."""

from __future__ import annotations

import numpy as np

from ocrlstm.kernels import pooling as kernel
from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["MaxPool"]


class MaxPool(Layer):
    """Keep the largest value of every window, channel by channel.

    Parameters
    ----------
    size : int or (int, int)
        Height and width of a window, at most 256 pixels in all.
    stride : int or (int, int), optional
        Default: the size, so that windows touch. Rows and columns that fill no whole window are
        left out.
    """

    def __init__(
        self, size: int | tuple[int, int], stride: int | tuple[int, int] | None = None
    ) -> None:
        super().__init__()
        self.size = (size, size) if isinstance(size, int) else size
        stride = self.size if stride is None else stride
        self.stride = (stride, stride) if isinstance(stride, int) else stride
        if min(*self.size, *self.stride) < 1 or self.size[0] * self.size[1] > 256:
            raise ValueError("size and stride must be at least 1, a window at most 256 pixels")
        self._saved: tuple[Array, tuple[int, ...], Array] | None = None

    def __repr__(self) -> str:
        return f"MaxPool({self.size}, {self.stride})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images (height, width, channels); see `Layer.plan`."""
        if len(input_shape) != 3 or input_shape[0] is None:
            raise ValueError(f"pooling takes images (height, width, channels), not {input_shape}")
        height, (width, channels) = input_shape[0], input_shape[1:]
        if height < self.size[0]:
            raise ValueError(f"windows {self.size[0]} high do not fit height {height}")
        pooled = None if width is None else int(self.output_lengths(np.array(width)))
        return ((height - self.size[0]) // self.stride[0] + 1, pooled, channels), {}

    def output_lengths(self, lengths: Array) -> Array:
        """Return the number of whole windows in the valid columns."""
        return np.maximum((lengths - self.size[1]) // self.stride[1] + 1, 0)

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the pooled images; see `Layer.forward`."""
        out_lengths = self.output_lengths(lengths)
        rows = (x.shape[1] - self.size[0]) // self.stride[0] + 1
        y = np.empty((x.shape[0], rows, int(out_lengths.max(initial=0)), x.shape[3]), x.dtype)
        winners = np.empty(y.shape if training else (0, 0, 0, 0), np.uint8)

        def pool(low: int, high: int) -> None:
            kernel.max_forward(
                x[low:high], self.size, self.stride, y[low:high], winners[low:high],
                out_lengths[low:high],
            )  # fmt: skip

        run_parallel(pool, split(x.shape[0]))
        if training:
            self._saved = (winners, x.shape, out_lengths)
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        winners, shape, out_lengths = self._saved
        self._saved = None
        dx = np.empty(shape, dy.dtype)

        def unpool(low: int, high: int) -> None:
            kernel.max_backward(
                dy[low:high], winners[low:high], self.size, self.stride, out_lengths[low:high],
                dx[low:high],
            )  # fmt: skip

        run_parallel(unpool, split(shape[0]))
        return dx
