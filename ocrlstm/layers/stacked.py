"""Layers one after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Stacked", "number"]

T = TypeVar("T")


class Stacked(Layer):
    """Run layers one after another.

    Parameters
    ----------
    *layers : Layer
    """

    def __init__(self, *layers: Layer) -> None:
        super().__init__()
        self.layers = layers

    def __repr__(self) -> str:
        return f"Stacked({', '.join(map(repr, self.layers))})"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan each layer on the shape that the one before gives; see `Layer.plan`."""
        shape, plans = input_shape, []
        for layer in self.layers:
            shape, weights = layer.plan(shape)
            plans.append(weights)
        return shape, number(plans)

    def build(
        self,
        input_shape: Shape,
        rng: np.random.Generator | None,
        dtype: np.dtype | type = np.float32,
    ) -> Shape:
        """Build each layer on the shape that the one before gives; see `Layer.build`."""
        shape = input_shape
        for layer in self.layers:
            shape = layer.build(shape, rng, dtype)
        return shape

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return the last layer's output; see `Layer.forward`."""
        for layer in self.layers:
            x, lengths = layer.forward(x, lengths, training)
        return x, lengths

    def backward(self, dy: Array) -> Array:
        """Return the gradient of the first layer's input; see `Layer.backward`."""
        if self.layers:
            self.layers[0].input_gradient = self.input_gradient
        for layer in reversed(self.layers):
            dy = layer.backward(dy)
        return dy

    def parameters(self) -> dict[str, Array]:
        """Return the weights, named by the layer's number, a dot, and their own name."""
        return number([layer.parameters() for layer in self.layers])

    def gradients(self) -> dict[str, Array]:
        """Return the gradients by the names of `parameters`."""
        return number([layer.gradients() for layer in self.layers])

    def children(self) -> Iterator[Layer]:
        """Yield the layers in order."""
        return iter(self.layers)

    def output_lengths(self, lengths: Array) -> Array:
        """Pass the lengths through every layer."""
        for layer in self.layers:
            lengths = layer.output_lengths(lengths)
        return lengths


def number(parts: Sequence[Mapping[str, T]]) -> dict[str, T]:
    """Join dicts of several layers into one, with each layer's number before its names."""
    return {f"{i}.{name}": value for i, part in enumerate(parts) for name, value in part.items()}
