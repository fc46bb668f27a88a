"""What layers that hold one other layer have in common."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ocrlstm.layers.base import Array, Layer, Shape, Shapes

__all__ = ["Wrapper"]


class Wrapper(Layer):
    """A layer that runs one other layer on its input turned round in some way.

    Its weights are those of the layer inside, by the same names.

    Parameters
    ----------
    layer : Layer
    """

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.layer!r})"

    def inner_shape(self, input_shape: Shape) -> Shape:
        """Return the shape that the layer inside is given; ValueError where there is none."""
        return input_shape

    def plan(self, input_shape: Shape) -> tuple[Shape, Shapes]:
        """Plan the layer inside; see `Layer.plan`."""
        return self.layer.plan(self.inner_shape(input_shape))

    def plan_buffers(self, input_shape: Shape) -> Shapes:
        """Plan the buffers of the layer inside."""
        return self.layer.plan_buffers(self.inner_shape(input_shape))

    def products(self, input_shape: Shape) -> int:
        """Count those of the layer inside; see `Layer.products`."""
        return self.layer.products(self.inner_shape(input_shape))

    def build(
        self,
        input_shape: Shape,
        rng: np.random.Generator | None,
        dtype: np.dtype | type = np.float32,
    ) -> Shape:
        """Build the layer inside; see `Layer.build`."""
        output_shape, _ = self.plan(input_shape)
        self.layer.build(self.inner_shape(input_shape), rng, dtype)
        return output_shape

    def parameters(self) -> dict[str, Array]:
        """Return the weights of the layer inside."""
        return self.layer.parameters()

    def gradients(self) -> dict[str, Array]:
        """Return the gradients of the layer inside."""
        return self.layer.gradients()

    def buffers(self) -> dict[str, Array]:
        """Return the arrays that the layer inside keeps beside its weights."""
        return self.layer.buffers()

    def children(self) -> Iterator[Layer]:
        """Yield the layer inside."""
        yield self.layer

    def output_lengths(self, lengths: Array) -> Array:
        """Return the lengths that the layer inside gives."""
        return self.layer.output_lengths(lengths)
