"""Two-dimensional convolution with its non-linearity."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ocrlstm.kernels import convolution as kernel
from ocrlstm.kernels.threads import run_parallel, split, thread_count
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.initializers import check_initializer, he, initialize
from ocrlstm.layers.masking import zero_beyond
from ocrlstm.layers.nonlinearity import (
    activate,
    activation_gradient,
    check_activation,
    needs_preactivation,
)
from ocrlstm.layers.pairs import pair

__all__ = ["Convolution"]

_IN_THE_KERNEL = ("linear", "relu")


class Convolution(Layer):
    """Convolve images; borders and what lies beyond an image's width count as zero.

    Parameters
    ----------
    filters : int
        Channels of the output, K.
    kernel : int or (int, int)
        Height and width of the kernel.
    stride : int or (int, int), default=1
    activation : str, default="linear"
        The f of the formula, one of `ocrlstm.layers.nonlinearity.ACTIVATIONS`.
    padding : int or (int, int), optional
        Rows of zeros above and below, columns of zeros left and right. Default: half of what the
        kernel spans, so that an odd kernel with stride 1 keeps the size.
    dilation : int or (int, int), default=1
        From one place of the kernel to the next, in pixels of the input.
    bias : bool, default=True
        Whether b is among the weights.
    initializer : str, default="he"
        How the first W is drawn, a key of `ocrlstm.layers.initializers.INITIALIZERS`. The first b
        is zero.

    Raises
    ------
    ValueError
        If a number is too small or the activation or the initializer is unknown.

    Notes
    -----
    ``y[r, c, k] = f(b[k] + sum x[r sy + i dy - py, c sx + j dx - px, ch] W[i, j, ch, k])``.
    Weights W (kh, kw, C, K) and b (K,). LeCun et al., *Backpropagation applied to handwritten zip
    code recognition*, Neural Computation 1 (1989); dilation: Yu and Koltun, *Multi-scale context
    aggregation by dilated convolutions*, ICLR 2016, equation 2.
    """

    def __init__(
        self,
        filters: int,
        kernel: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        activation: str = "linear",
        *,
        padding: int | tuple[int, int] | None = None,
        dilation: int | tuple[int, int] = 1,
        bias: bool = True,
        initializer: str = "he",
    ) -> None:
        super().__init__()
        if filters < 1:
            raise ValueError(f"a convolution needs at least 1 filter, not {filters}")
        self.filters = filters
        self.kernel = pair(kernel, "the kernel of a convolution")
        self.stride = pair(stride, "the stride of a convolution")
        self.dilation = pair(dilation, "the dilation of a convolution")
        self.padding = (
            self._half_kernel()
            if padding is None
            else pair(padding, "the padding of a convolution", least=0)
        )
        self.activation = check_activation(activation)
        self.bias = bias
        self.initializer = check_initializer(initializer)
        self._saved: tuple[Array, Array, Array | None, Array, Array] | None = None

    def __repr__(self) -> str:
        parts = [f"{self.filters}, {self.kernel}, {self.stride}, {self.activation!r}"]
        if self.padding != self._half_kernel():
            parts.append(f"padding={self.padding}")
        if self.dilation != (1, 1):
            parts.append(f"dilation={self.dilation}")
        if not self.bias:
            parts.append("bias=False")
        if self.initializer != "he":
            parts.append(f"initializer={self.initializer!r}")
        return f"Convolution({', '.join(parts)})"

    def _span(self, axis: int) -> int:
        """Return how many pixels lie from the kernel's first place to its last."""
        return (self.kernel[axis] - 1) * self.dilation[axis]

    def _half_kernel(self) -> tuple[int, int]:
        return self._span(0) // 2, self._span(1) // 2

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for images (height, width, channels); see `Layer.plan`."""
        if len(input_shape) != 3 or input_shape[2] is None or input_shape[0] is None:
            raise ValueError(
                f"a convolution takes images (height, width, channels), not {input_shape}"
            )
        height, width, channels = input_shape[0], input_shape[1], input_shape[2]
        if self._size(height, 0) < 1:
            raise ValueError(f"a kernel {self._span(0) + 1} high does not fit height {height}")
        if width is not None and self._size(width, 1) < 1:
            raise ValueError(f"a kernel {self._span(1) + 1} wide does not fit width {width}")
        weights: Shapes = {"W": (*self.kernel, channels, self.filters)}
        if self.bias:
            weights["b"] = (self.filters,)
        columns = None if width is None else self._size(width, 1)
        return (self._size(height, 0), columns, self.filters), weights

    def _initialize(self, rng: np.random.Generator) -> None:
        weights = self._parameters["W"]
        inputs = math.prod(weights.shape[:3])
        if self.initializer == "he":  # drawn in W's own order: a seed keeps giving the same weights
            weights[:] = he(rng, weights.shape, inputs)
        else:
            matrix = initialize(self.initializer, rng, (self.filters, inputs))
            weights.reshape(inputs, self.filters)[:] = matrix.T

    def _size(self, size: Any, axis: int) -> Any:
        return (size + 2 * self.padding[axis] - self._span(axis) - 1) // self.stride[axis] + 1

    def _bias(self) -> Array:
        weights = self._parameters["W"]
        return self._parameters["b"] if self.bias else np.zeros(self.filters, weights.dtype)

    def output_lengths(self, lengths: Array) -> Array:
        """Return the valid columns of the output; no valid column gives none."""
        return np.where(lengths > 0, np.maximum(self._size(lengths, 1), 0), 0)

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the feature images (N, H', W', K); see `Layer.forward`."""
        weights, bias = self._parameters["W"], self._bias()
        if x.shape[3] != weights.shape[2]:  # the kernel would read beyond the weights
            raise ValueError(f"images of {weights.shape[2]} channels are needed, not {x.shape}")
        out_lengths = self.output_lengths(lengths)
        columns = int(out_lengths.max(initial=0))
        z = np.empty((x.shape[0], self._size(x.shape[1], 0), columns, self.filters), x.dtype)
        fused = self.activation in _IN_THE_KERNEL
        y = z if fused else np.empty_like(z)

        def convolve(low: int, high: int, first: int, last: int) -> None:
            kernel.forward(
                x[low:high], lengths[low:high], weights, bias, self.stride, self.padding,
                self.dilation, self.activation == "relu", first, last, z[low:high],
                out_lengths[low:high],
            )  # fmt: skip
            if not fused:
                rows = y[low:high, first:last]
                rows[:] = activate(self.activation, z[low:high, first:last])
                zero_beyond(rows, out_lengths[low:high])

        # Of fewer images than threads, the threads share the rows.
        shares = split(z.shape[1], max(1, thread_count() // max(len(x), 1)))
        run_parallel(convolve, [(*items, *rows) for items in split(len(x)) for rows in shares])
        if training:
            before = z if needs_preactivation(self.activation) else None
            self._saved = (x, lengths, before, y, out_lengths)
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input (N, H, W, C); see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        x, lengths, z, y, out_lengths = self._saved
        self._saved = None
        weights = self._parameters["W"]
        dx = np.empty(x.shape if self.input_gradient else (x.shape[0], 0, 0, 0), x.dtype)

        def propagate(low: int, high: int) -> tuple[Array, Array]:
            dweights, dbias = np.empty_like(weights), np.empty(self.filters, x.dtype)
            dz = dy[low:high]
            if self.activation not in _IN_THE_KERNEL:
                before = None if z is None else z[low:high]
                dz = activation_gradient(self.activation, before, y[low:high], dz)
            kernel.backward(
                dz, y[low:high], x[low:high], lengths[low:high], weights, self.stride,
                self.padding, self.dilation, self.activation == "relu", out_lengths[low:high],
                dx[low:high], dweights, dbias,
            )  # fmt: skip
            return dweights, dbias

        for gradient in self._gradients.values():
            gradient[:] = 0
        for dweights, dbias in run_parallel(propagate, split(x.shape[0])):
            self._gradients["W"] += dweights
            if self.bias:
                self._gradients["b"] += dbias
        return dx
