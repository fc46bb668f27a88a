"""A layer that changes nothing."""

from __future__ import annotations

from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Identity"]


class Identity(Layer):
    """Give what comes: the untouched way beside others in a `Parallel`, kraken's ``I``."""

    def __repr__(self) -> str:
        return "Identity()"

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan for any input; see `Layer.plan`."""
        return input_shape, {}

    def forward(self, x: Array, lengths: Array, training: bool = False) -> tuple[Array, Array]:
        """Return `x` itself."""
        return x, lengths

    def backward(self, dy: Array) -> Array:
        """Return `dy` itself."""
        return dy
