"""What the pooling layers have in common: windows that move over images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.pairs import pair

__all__ = ["Windows"]


class Windows(Layer):
    """A layer that makes one value of each window, channel by channel.

    Parameters
    ----------
    size : int or (int, int)
        Height and width of a window.
    stride : int or (int, int), optional
        Default: the size, so that windows touch. Rows and columns that fill no whole window are
        left out.
    padding : int or (int, int), default=0
        How far the first window reaches over the top and the left border, and how far the last may
        reach over the others; at most half the size. There are no pixels: nothing counts there.

    Raises
    ------
    ValueError
        If a size or stride is below 1, or the padding below 0 or above half the size.
    """

    def __init__(
        self,
        size: int | tuple[int, int],
        stride: int | tuple[int, int] | None = None,
        padding: int | tuple[int, int] = 0,
    ) -> None:
        super().__init__()
        self.size = pair(size, "the size of a window")
        self.stride = self.size if stride is None else pair(stride, "the stride of windows")
        self.padding = pair(padding, "the padding of windows", least=0)
        if any(2 * p > s for p, s in zip(self.padding, self.size, strict=True)):
            raise ValueError(
                f"the padding may be half of a window at most, not {self.padding} of {self.size}"
            )

    def __repr__(self) -> str:
        padding = f", {self.padding}" if any(self.padding) else ""
        return f"{type(self).__name__}({self.size}, {self.stride}{padding})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images (height, width, channels); see `Layer.plan`."""
        if len(input_shape) != 3 or input_shape[0] is None:
            raise ValueError(f"pooling takes images (height, width, channels), not {input_shape}")
        height, width, channels = input_shape
        rows = self._count(height, 0)
        if rows < 1:
            raise ValueError(f"windows {self.size[0]} high do not fit height {height}")
        columns = None if width is None else self._count(width, 1)
        if columns is not None and columns < 1:
            raise ValueError(f"windows {self.size[1]} wide do not fit width {width}")
        return (rows, columns, channels), {}

    def output_lengths(self, lengths: Array) -> Array:
        """Return the number of whole windows over the valid columns; no column gives none."""
        return np.where(lengths > 0, np.maximum(self._count(lengths, 1), 0), 0)

    def _count(self, pixels: Any, axis: int) -> Any:
        """Return how many windows there are, below 1 for none."""
        return (pixels + 2 * self.padding[axis] - self.size[axis]) // self.stride[axis] + 1

    def _empty_output(self, x: Array, out_lengths: Array) -> Array:
        columns = int(out_lengths.max(initial=0))
        return np.empty((x.shape[0], self._count(x.shape[1], 0), columns, x.shape[3]), x.dtype)
