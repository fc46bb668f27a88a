"""Fully connected layers."""

from __future__ import annotations

import math

import numpy as np

from ocrlstm.layers.affine import affine, affine_gradients, input_gradient
from ocrlstm.layers.base import Array, Layer, Shape, Shapes
from ocrlstm.layers.initializers import check_initializer, initialize
from ocrlstm.layers.masking import zero_beyond
from ocrlstm.layers.nonlinearity import (
    activate,
    activation_gradient,
    check_activation,
    needs_preactivation,
)

__all__ = ["Connected"]


class Connected(Layer):
    """Connect every input with every output: each frame of sequences, or whole images.

    An image becomes one vector, its pixels row by row and the channels of a pixel together, as in
    Tesseract's VGSL and in NumPyNet; the output is a sequence of one frame. That takes images of
    one size. An item of no frame or column gives none.

    Parameters
    ----------
    units : int
        Features of the output.
    activation : str, default="linear"
        The f of the formula, one of `ocrlstm.layers.nonlinearity.ACTIVATIONS`.
    bias : bool, default=True
        Whether there is a b.
    initializer : str, default="xavier"
        How the first W is drawn, a key of `ocrlstm.layers.initializers.INITIALIZERS`. The first b
        is 0, but with "ocropus" drawn as well.

    Raises
    ------
    ValueError
        If there is no unit, or the activation or the initializer is unknown.

    Notes
    -----
    ``y = f(W x + b)`` with W (units, inputs) and b (units,). Gradients: ``dz = f'(z) dy``,
    ``dW = sum dz x^T``, ``db = sum dz``, ``dx = W^T dz``, the sums over frames and items.
    """

    def __init__(
        self,
        units: int,
        activation: str = "linear",
        bias: bool = True,
        initializer: str = "xavier",
    ) -> None:
        if units < 1:
            raise ValueError(f"a connected layer needs at least 1 unit, not {units}")
        super().__init__()
        self.units = units
        self.activation = check_activation(activation)
        self.bias = bias
        self.initializer = check_initializer(initializer)
        self._width: int | None = None  # of images
        self._saved: tuple[Array, Array | None, Array, Array, tuple[int, ...]] | None = None

    def __repr__(self) -> str:
        arguments = [str(self.units)]
        if self.activation != "linear":
            arguments.append(repr(self.activation))
        if not self.bias:
            arguments.append("bias=False")
        if self.initializer != "xavier":
            arguments.append(f"initializer={self.initializer!r}")
        return f"Connected({', '.join(arguments)})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for sequences, or images of fixed height and width; see `Layer.plan`."""
        if len(input_shape) == 3 and input_shape[1] is None:
            raise ValueError(
                f"a connected layer takes images of a fixed width, not {input_shape}: "
                "put Columns before it to connect each column, or Summary to leave one"
            )
        sizes = input_shape[1:] if len(input_shape) == 2 else input_shape
        inputs = math.prod(size or 0 for size in sizes)
        if not inputs:
            raise ValueError(f"a connected layer takes inputs of fixed sizes, not {input_shape}")
        weights: Shapes = {"W": (self.units, inputs)}
        if self.bias:
            weights["b"] = (self.units,)
        if not self._parameters:  # output_lengths is asked before anything is built
            self._width = input_shape[1] if len(input_shape) == 3 else None
        return (input_shape[0] if len(input_shape) == 2 else 1, self.units), weights

    def build(
        self,
        input_shape: Shape,
        rng: np.random.Generator | None,
        dtype: np.dtype | type = np.float32,
    ) -> Shape:
        """Allocate the weights; see `Layer.build`."""
        output_shape = super().build(input_shape, rng, dtype)
        self._width = input_shape[1] if len(input_shape) == 3 else None
        return output_shape

    def _initialize(self, rng: np.random.Generator) -> None:
        weights = self._parameters["W"]
        weights[:] = initialize(self.initializer, rng, (weights.shape[0], weights.shape[1]))
        if self.bias and self.initializer == "ocropus":
            self._parameters["b"][:] = initialize("ocropus", rng, (1, self.units))[0]

    def output_lengths(self, lengths: Array) -> Array:
        """Return 1 for each image that has a column, the frames of sequences as they are."""
        return lengths if self._width is None else np.minimum(lengths, 1)

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the outputs (T, N, units), of images (1, N, units); see `Layer.forward`."""
        rows = x.reshape(-1, x.shape[2]) if x.ndim == 3 else self._vectors(x, lengths)
        out_lengths = self.output_lengths(lengths)
        z = affine(rows, self._parameters["W"], self._parameters.get("b"))
        z = z.reshape(x.shape[0] if x.ndim == 3 else 1, len(lengths), self.units)
        y = activate(self.activation, z)
        zero_beyond(y, out_lengths)
        if training:
            kept = z if needs_preactivation(self.activation) else None
            self._saved = (rows, kept, y, lengths, x.shape)
        return y, out_lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; see `Layer.backward`."""
        if self._saved is None:
            raise RuntimeError("backward needs a forward(training=True) before it")
        (rows, z, y, lengths, shape), self._saved = self._saved, None
        dz = activation_gradient(self.activation, z, y, dy)
        dz = dz.copy() if dz is dy else dz
        zero_beyond(dz, self.output_lengths(lengths))
        dz = dz.reshape(-1, self.units)
        affine_gradients(rows, dz, self._gradients["W"], self._gradients.get("b"))
        if not self.input_gradient:
            return np.zeros(shape, dy.dtype)
        dx = input_gradient(self._parameters["W"], dz)
        return dx.reshape(shape) if len(shape) == 3 else self._images(dx, lengths, shape)

    def _vectors(self, x: Array, lengths: Array) -> Array:
        """Return each image as a vector (N, inputs), zero beyond its own width."""
        items, height, width, channels = x.shape
        if width != self._width or lengths.min(initial=width) < width:
            # A batch is as wide as its widest image, not as the images that the weights are for.
            images = np.zeros((items, height, self._width or 0, channels), x.dtype)
            for image, item, length in zip(images, x, lengths, strict=True):
                image[:, :length] = item[:, :length]
            x = images
        return x.reshape(items, self._parameters["W"].shape[1])

    def _images(self, dx: Array, lengths: Array, shape: tuple[int, ...]) -> Array:
        """Return the gradients of vectors as images, zero beyond their own widths."""
        items, height, width, channels = shape
        images = dx.reshape(items, height, self._width or 0, channels)
        if images.shape != shape:
            common = min(width, images.shape[2])
            images, vectors = np.zeros(shape, dx.dtype), images
            images[:, :, :common] = vectors[:, :, :common]
        zero_beyond(images, lengths)
        return images
