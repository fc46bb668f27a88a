"""What every layer is: the contract that networks, trainers and tests rely on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np

__all__ = ["Array", "Layer", "Shape", "Shapes"]

Array = np.ndarray
#: Sizes without the batch: (height, width, channels) of images, (frames, features) of sequences;
#: None for a size that differs from line to line.
Shape = tuple[int | None, ...]
#: Shapes of a layer's weights by name.
Shapes = dict[str, tuple[int, ...]]


class Layer(ABC):
    """A differentiable piece of a network.

    A layer is made with its own sizes and gets the rest in `build`. `forward` with
    ``training=False`` keeps nothing, so that threads may share the layer; with ``training=True`` it
    keeps what the next `backward` needs, and `backward` is called once after it.

    Attributes
    ----------
    input_gradient : bool
        Whether `backward` must compute the gradient of its input; a network clears it for its
        first layer when nobody asks for that gradient.
    frozen : bool
        Whether the weights are not trained. A layer that keeps running statistics uses them in
        training too then, and leaves them as they are; see `Graph.freeze`.
    """

    input_gradient: bool = True
    frozen: bool = False

    def __init__(self) -> None:
        self._parameters: dict[str, Array] = {}
        self._gradients: dict[str, Array] = {}
        self._buffers: dict[str, Array] = {}

    @abstractmethod
    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Tell the output's shape and the weights' shapes, and allocate nothing.

        Parameters
        ----------
        input_shape : tuple
            (height, width, channels) or (frames, features), without the batch.

        Returns
        -------
        output_shape : tuple
            In the same form.
        weights : dict of str to tuple of int
            The shape of every weight by its name in `parameters`.

        Raises
        ------
        ValueError
            If the layer cannot take such an input.
        """

    def plan_buffers(self, input_shape: Shape) -> Shapes:
        """Tell the shapes of the arrays in `buffers` for such an input."""
        return {}

    def products(self, input_shape: Shape) -> int:
        """Return the multiplications and additions (a pair counts as one) of a column or frame.

        Of an output column where the layer takes images, of a frame where it takes sequences. The
        default is right where each weight of a matrix is used once a pixel or frame of the output.
        """
        output_shape, weights = self.plan(input_shape)
        matrices = sum(math.prod(shape) for shape in weights.values() if len(shape) > 1)
        rows = output_shape[0] if len(output_shape) == 3 else 1
        return matrices * (rows or 1)

    def build(
        self,
        input_shape: Shape,
        rng: np.random.Generator | None,
        dtype: np.dtype | type = np.float32,
    ) -> Shape:
        """Allocate the weights for inputs of a shape.

        Parameters
        ----------
        input_shape : tuple
            As in `plan`.
        rng : numpy.random.Generator or None
            Source of the first weights; None leaves them zero, to be loaded.
        dtype : dtype, default=float32
            float32, or float64 for gradient checks.

        Returns
        -------
        tuple
            The output's shape.

        Raises
        ------
        ValueError
            If the layer cannot take such an input.
        """
        output_shape, shapes = self.plan(input_shape)
        self._parameters = {name: np.zeros(shape, dtype) for name, shape in shapes.items()}
        self._gradients = {name: np.zeros(shape, dtype) for name, shape in shapes.items()}
        buffers = self.plan_buffers(input_shape)
        self._buffers = {name: np.zeros(shape, dtype) for name, shape in buffers.items()}
        if rng is not None:
            self._initialize(rng)
        return output_shape

    def _initialize(self, rng: np.random.Generator) -> None:  # noqa: B027 (weights are optional)
        """Fill the weights with their first values."""

    @abstractmethod
    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Compute the output.

        Parameters
        ----------
        x : ndarray, shape (N, H, W, C) or (T, N, F), C-contiguous
            Zero beyond each item's length.
        lengths : ndarray of int64, shape (N,)
            Valid columns or frames of each item.
        training : bool, default=False

        Returns
        -------
        y : ndarray
            Zero beyond each item's length.
        lengths : ndarray of int64, shape (N,)
            Valid columns or frames of `y`.
        """

    @abstractmethod
    def backward(self, dy: Array) -> Array:
        """Return the gradient of the input; set the gradients of the weights.

        Parameters
        ----------
        dy : ndarray
            Gradient of the output of the last ``forward(..., training=True)``.

        Returns
        -------
        ndarray
            Shaped as that forward's input; without meaning where `input_gradient` is False.
        """

    def parameters(self) -> dict[str, Array]:
        """Return the weights by name: the arrays themselves, to be changed in place."""
        return self._parameters

    def gradients(self) -> dict[str, Array]:
        """Return the gradients by the names of `parameters`, summed over batch and time."""
        return self._gradients

    def buffers(self) -> dict[str, Array]:
        """Return what is kept and saved beside the weights, but not trained, by name.

        Names differ from those of `parameters`. Changed in place by ``forward(training=True)``.
        """
        return self._buffers

    def children(self) -> Iterator[Layer]:
        """Yield the layers inside this one."""
        return iter(())

    def output_lengths(self, lengths: Array) -> Array:
        """Return the valid columns or frames of the output for those of the input."""
        return lengths
