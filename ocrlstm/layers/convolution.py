"""Two-dimensional convolution with its non-linearity."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ocrlstm.kernels import convolution as kernel
from ocrlstm.kernels.threads import run_parallel, split
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.initializers import he

__all__ = ["Convolution"]

Activation = Literal["linear", "relu", "tanh", "logistic"]


class Convolution(Layer):
    """Convolve images; borders and what lies beyond an image's width count as zero.

    Parameters
    ----------
    filters : int
        Channels of the output, K.
    kernel : int or (int, int)
        Height and width of the kernel. Padding is half the kernel, so that an odd kernel with
        stride 1 keeps the size.
    stride : int or (int, int), default=1
    activation : {"linear", "relu", "tanh", "logistic"}, default="linear"

    Notes
    -----
    ``y[r, c, k] = f(b[k] + sum x[r sy + i - py, c sx + j - px, ch] W[i, j, ch, k])``. Weights W
    (kh, kw, C, K) and b (K,).
    """

    def __init__(
        self,
        filters: int,
        kernel: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        activation: Activation = "linear",
    ) -> None:
        super().__init__()
        self.filters = filters
        self.kernel = (kernel, kernel) if isinstance(kernel, int) else kernel
        self.stride = (stride, stride) if isinstance(stride, int) else stride
        if min(filters, *self.kernel, *self.stride) < 1:
            raise ValueError("filters, kernel and stride of a convolution must be at least 1")
        if activation not in ("linear", "relu", "tanh", "logistic"):
            raise ValueError(f"unknown activation {activation!r}")
        self.activation = activation
        self.padding = ((self.kernel[0] - 1) // 2, (self.kernel[1] - 1) // 2)
        self._saved: tuple[Array, ...] | None = None

    def __repr__(self) -> str:
        return f"Convolution({self.filters}, {self.kernel}, {self.stride}, {self.activation!r})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images (height, width, channels); see `Layer.plan`."""
        if len(input_shape) != 3 or input_shape[2] is None or input_shape[0] is None:
            raise ValueError(
                f"a convolution takes images (height, width, channels), not {input_shape}"
            )
        height, width, channels = input_shape[0], input_shape[1], input_shape[2]
        if self._size(height, 0) < 1:
            raise ValueError(f"a kernel {self.kernel[0]} high does not fit height {height}")
        weights: Shapes = {"W": (*self.kernel, channels, self.filters), "b": (self.filters,)}
        columns = None if width is None else self._size(width, 1)
        return (self._size(height, 0), columns, self.filters), weights

    def _initialize(self, rng: np.random.Generator) -> None:
        weights = self._parameters["W"]
        weights[:] = he(rng, weights.shape, int(np.prod(weights.shape[:3])))

    def _size(self, size: int, axis: int) -> int:
        return (size + 2 * self.padding[axis] - self.kernel[axis]) // self.stride[axis] + 1

    def output_lengths(self, lengths: Array) -> Array:
        """Return the valid columns of the output; no valid column gives none."""
        reach = lengths + 2 * self.padding[1] - self.kernel[1]
        return np.where(lengths > 0, np.maximum(reach // self.stride[1] + 1, 0), 0)

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the feature images (N, H', W', K); see `Layer.forward`."""
        weights = self._parameters["W"]
        out_lengths = self.output_lengths(lengths)
        columns = int(out_lengths.max(initial=0))
        y = np.empty((x.shape[0], self._size(x.shape[1], 0), columns, self.filters), x.dtype)
        relu = self.activation == "relu"

        def convolve(low: int, high: int) -> None:
            kernel.forward(
                x[low:high], lengths[low:high], weights, self._parameters["b"],
                self.stride, self.padding, relu, y[low:high], out_lengths[low:high],
            )  # fmt: skip
            if self.activation in ("tanh", "logistic"):
                for item, length in zip(y[low:high], out_lengths[low:high], strict=True):
                    _activate(item[:, :length], self.activation)

        run_parallel(convolve, split(x.shape[0]))
        if training:
            self._saved = (x, lengths, y, out_lengths)
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input (N, H, W, C); see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        x, lengths, y, out_lengths = self._saved
        self._saved = None
        if self.activation == "tanh":
            dy = dy * (1 - y * y)
        elif self.activation == "logistic":
            dy = dy * y * (1 - y)
        weights = self._parameters["W"]
        dx = np.empty(x.shape if self.input_gradient else (x.shape[0], 0, 0, 0), x.dtype)

        def propagate(low: int, high: int) -> tuple[Array, Array]:
            dweights, dbias = np.empty_like(weights), np.empty(self.filters, x.dtype)
            kernel.backward(
                dy[low:high], y[low:high], x[low:high], lengths[low:high], weights,
                self.stride, self.padding, self.activation == "relu", out_lengths[low:high],
                dx[low:high], dweights, dbias,
            )  # fmt: skip
            return dweights, dbias

        for gradient in self._gradients.values():
            gradient[:] = 0
        for dweights, dbias in run_parallel(propagate, split(x.shape[0])):
            self._gradients["W"] += dweights
            self._gradients["b"] += dbias
        return dx


def _activate(y: Array, activation: str) -> None:
    if activation == "logistic":
        y *= 0.5
        np.tanh(y, out=y)
        y *= 0.5
        y += 0.5
    else:
        np.tanh(y, out=y)
