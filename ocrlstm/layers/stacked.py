"""Layers one after another."""

from __future__ import annotations

import numpy as np

from ocrlstm.layers.base import Array, Shape, Shapes
from ocrlstm.layers.group import Group, number

__all__ = ["Stacked"]


class Stacked(Group):
    """Run layers one after another.

    Parameters
    ----------
    *layers : Layer
    """

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

    def output_lengths(self, lengths: Array) -> Array:
        """Pass the lengths through every layer."""
        for layer in self.layers:
            lengths = layer.output_lengths(lengths)
        return lengths
